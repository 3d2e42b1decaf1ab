package lineprofile

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
)

// A Match finds the lines, functions and instructions of one profile in another. Lines have the same number in a file of the same name, functions the
// same name, and instructions the same name at the same place of their function.
type Match struct {
	p, other *Profile
	rank     [3][]int32 // by grain and rank in other: the rank in p, -1 for none
	metrics  []int      // by metric of p: that of other, -1 for none
}

// NewMatch finds the places of other in p.
func NewMatch(p, other *Profile) *Match {
	m := &Match{p: p, other: other}
	files := m.files()
	m.rank[ByLine] = make([]int32, len(other.lines))
	for i, l := range other.lines {
		m.rank[ByLine][i] = -1
		if f := files[l.File]; f >= 0 {
			if k, ok := slices.BinarySearchFunc(p.lines, Line{f, l.Line}, Line.compare); ok {
				m.rank[ByLine][i] = int32(k)
			}
		}
	}
	m.rank[ByFunction] = pair(p.Functions, other.Functions, func(p *Profile, f *Function) [2]any { return [2]any{f.Name, p.base(f.File)} }, p, other)
	instruction := func(p *Profile, code *uint32) [2]any {
		name := ""
		if f := p.function[*code]; f >= 0 {
			name = p.Functions[f].Name
		}
		return [2]any{name, p.codes[*code].Name}
	}
	m.rank[ByInstruction] = pair(p.instructions, other.instructions, instruction, p, other)
	for _, a := range p.Metrics {
		m.metrics = append(m.metrics, slices.IndexFunc(other.Metrics, func(b Metric) bool { return b.Name == a.Name && b.Unit == a.Unit }))
	}
	return m
}

// files returns the file of p for each file of other, -1 for none: that with its name, or else the only one with the last part of its name.
func (m *Match) files() []int32 {
	files := make([]int32, len(m.other.Files))
	for i, f := range m.other.Files {
		files[i] = int32(slices.IndexFunc(m.p.Files, func(g File) bool { return g.Name == f.Name && g.Bare == f.Bare }))
		if files[i] >= 0 {
			continue
		}
		for k := range m.p.Files {
			if m.p.base(int32(k)) != m.other.base(int32(i)) {
				continue
			}
			if files[i] >= 0 {
				files[i] = -1
				break
			}
			files[i] = int32(k)
		}
	}
	return files
}

// base returns the last part of the name of a file, "" for none.
func (p *Profile) base(file int32) string {
	if file < 0 || p.Files[file].Bare {
		return ""
	}
	return path.Base(strings.ReplaceAll(p.Files[file].Name, `\`, "/"))
}

// pair returns the index in ours for each of theirs, -1 for none. Of several with the same key, the first ones belong together, and so on.
func pair[T any](ours, theirs []T, key func(*Profile, *T) [2]any, p, other *Profile) []int32 {
	known := map[[2]any][]int32{}
	for i := range ours {
		k := key(p, &ours[i])
		known[k] = append(known[k], int32(i))
	}
	ranks := make([]int32, len(theirs))
	for i := range theirs {
		k := key(other, &theirs[i])
		if ranks[i] = -1; len(known[k]) > 0 {
			ranks[i], known[k] = known[k][0], known[k][1:]
		}
	}
	return ranks
}

// Metric returns the metric of the other profile that has the name and the unit of one of the first, -1 if there is none.
func (m *Match) Metric(metric int) int {
	if metric < 0 || metric >= len(m.metrics) {
		return -1
	}
	return m.metrics[metric]
}

// PEs returns the number of PEs of the other profile.
func (m *Match) PEs() int { return m.other.PEs }

// Difference returns the table of a query with the counts of the other profile subtracted. With as many PEs in both, each PE is compared with that of
// the same number, otherwise with the mean of a PE of the other profile. Rest holds the counts of the other profile at places that the first one does
// not know.
func (m *Match) Difference(g Grain, q Query) *Table {
	ours := m.p.Sum(g, q)
	if q.Metric = m.Metric(q.Metric); q.Metric < 0 {
		return ours
	}
	a, b := m.p.Metrics[m.metric(q.Metric)], m.other.Metrics[q.Metric]
	scale := 1.0
	if a.Scale != 0 && b.Scale != 0 {
		scale = b.Scale / a.Scale
	}
	theirs := m.other.Sum(g, q)
	row := slices.Repeat([]int32{-1}, m.p.size(g)) // of theirs, by rank
	d := &Table{Grain: g, PEs: m.p.PEs, start: []int{0}, Total: ours.Total - scaled(theirs.Total, scale)}
	for i := range theirs.Rows {
		if r := m.rank[g][theirs.rank[i]]; r >= 0 {
			row[r] = int32(i)
		} else {
			d.Rest += scaled(theirs.Rows[i].Total, scale)
		}
	}
	counts := make([]int64, d.PEs)
	next := 0 // row of ours
	for r := range row {
		mine := next < len(ours.Rows) && int(ours.rank[next]) == r
		if !mine && row[r] < 0 {
			continue
		}
		clear(counts)
		if mine {
			ours.Fill(next, counts)
			next++
		}
		if k := row[r]; k >= 0 {
			theirs.subtract(int(k), counts, scale)
		}
		d.add(m.p, r, counts)
	}
	return d
}

// metric returns the metric of p that one of other belongs to.
func (m *Match) metric(other int) int { return slices.Index(m.metrics, other) }

func scaled(n int64, scale float64) int64 { return int64(math.Round(float64(n) * scale)) }

// subtract subtracts the counts of row i from those of PEs.
func (t *Table) subtract(i int, counts []int64, scale float64) {
	if t.PEs != len(counts) {
		mean := scaled(t.Rows[i].Total, scale/float64(max(t.PEs, 1)))
		for pe := range counts {
			counts[pe] -= mean
		}
		return
	}
	pes, ns := t.Cells(i)
	for k, pe := range pes {
		counts[pe] -= scaled(ns[k], scale)
	}
}

// add adds a row of differences, which may all be 0.
func (t *Table) add(p *Profile, rank int, counts []int64) {
	from := len(t.pe)
	for pe, n := range counts {
		if n != 0 || len(t.pe) == from && pe == len(counts)-1 {
			t.pe, t.count = append(t.pe, int32(pe)), append(t.count, n)
		}
	}
	t.end(p, rank, from)
}

// Extreme returns the count of a PE with the largest absolute value: Max for counts that are not negative.
func (r *Row) Extreme() int64 {
	if -r.Min > r.Max {
		return r.Min
	}
	return r.Max
}

// CompareTotals compares rows by the absolute value of their totals.
func CompareTotals(a, b *Row) int { return cmp.Compare(max(a.Total, -a.Total), max(b.Total, -b.Total)) }
