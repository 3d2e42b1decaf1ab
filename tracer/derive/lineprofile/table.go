package lineprofile

import "slices"

// A Grain is the kind of rows of a table.
type Grain uint8

// The grains.
const (
	ByLine Grain = iota
	ByFunction
	ByInstruction
)

// A Query selects what a table counts.
type Query struct {
	Metric    int   // index in Profile.Metrics
	Inclusive bool  // count a place and everything called from it; otherwise the place itself
	Time      *Span // count only events in it; nil for all
}

// A Span is the time from First to Last, in ns.
type Span struct{ First, Last int64 }

// A Table holds the counts of each place with events on each PE.
type Table struct {
	Grain Grain
	PEs   int
	Rows  []Row // by grain: ordered by file and line; by Function; by function and the order of its instructions
	Most  int64 // the largest count, or absolute value of a difference; 0 without counts
	Total int64 // sum of all exclusive counts, including counts without a row
	Rest  int64 // exclusive counts without a row: the line, function or instruction is unknown

	rank  []int32 // by row: of its place in the profile
	start []int   // by row: index of its first count in pe and count; one more entry ends the last
	pe    []int32
	count []int64
}

// A Row holds the statistics of a line, a function or an instruction.
type Row struct {
	Line     Line   // of a line, or of an instruction if known
	Function int32  // index in Profile.Functions, -1 if unknown
	Code     uint32 // of an instruction or a function: its entry in the trace

	Total          int64
	Min, Max       int64 // over all PEs; a PE without events here has 0
	MinPE, MaxPE   int32 // the first PEs with these counts
	Mean, Variance float64
}

// Sum returns the table of a query. It takes time proportional to the events in the query's time and to the cells.
func (p *Profile) Sum(g Grain, q Query) *Table {
	t := &Table{Grain: g, PEs: p.PEs, start: []int{0}}
	if q.Metric < 0 || q.Metric >= len(p.Metrics) {
		return t
	}
	m := &p.Metrics[q.Metric]
	s := &p.series[m.series]
	cells := s.cells(m.values, q.Time)
	d := p.deal(m.series, g, q.Inclusive)
	for k, n := range cells {
		t.Total += n
		if n != 0 && d.leaf[s.site[k]] < 0 {
			t.Rest += n
		}
	}
	t.gather(p, d, s.pe, cells)
	return t
}

// gather makes a row for each rank, with one count for each PE.
func (t *Table) gather(p *Profile, d *deal, pe []int32, cells []int64) {
	for r := range d.begins[1:] {
		from := len(t.pe)
		for _, k := range d.cells[d.begins[r]:d.begins[r+1]] {
			n := cells[k]
			if n == 0 {
				continue
			}
			if last := len(t.pe) - 1; last >= from && t.pe[last] == pe[k] {
				t.count[last] += n
				continue
			}
			if t.pe == nil { // an upper bound
				most := 0
				for _, n := range cells {
					if n != 0 {
						most++
					}
				}
				t.pe, t.count = make([]int32, 0, most), make([]int64, 0, most)
			}
			t.pe, t.count = append(t.pe, pe[k]), append(t.count, n)
		}
		if len(t.pe) > from {
			t.end(p, r, from)
		}
	}
}

// end ends the row of a rank, whose first count is number from.
func (t *Table) end(p *Profile, rank, from int) {
	row := p.row(t.Grain, rank)
	row.measure(t.pe[from:], t.count[from:], t.PEs)
	t.Rows, t.rank, t.start = append(t.Rows, row), append(t.rank, int32(rank)), append(t.start, len(t.pe))
	t.Most = max(t.Most, row.Max, -row.Min)
}

// measure computes the statistics of a row.
func (r *Row) measure(pe []int32, count []int64, pes int) {
	r.Min, r.Max, r.MinPE, r.MaxPE = count[0], count[0], pe[0], pe[0]
	for i, n := range count {
		r.Total += n
		if n < r.Min {
			r.Min, r.MinPE = n, pe[i]
		}
		if n > r.Max {
			r.Max, r.MaxPE = n, pe[i]
		}
	}
	if len(pe) < pes { // the others have 0
		first := int32(len(pe))
		for i, n := range pe {
			if n != int32(i) {
				first = int32(i)
				break
			}
		}
		if r.Min > 0 || r.Min == 0 && first < r.MinPE {
			r.Min, r.MinPE = 0, first
		}
		if r.Max < 0 || r.Max == 0 && first < r.MaxPE {
			r.Max, r.MaxPE = 0, first
		}
	}
	r.Mean = float64(r.Total) / float64(pes)
	squares := float64(float64(pes-len(pe))*r.Mean) * r.Mean
	for _, n := range count {
		d := float64(n) - r.Mean
		squares += float64(d * d)
	}
	r.Variance = squares / float64(pes)
}

// Cells returns the PEs with counts in row i, ascending, and their counts; other PEs have 0. The caller must not change them.
func (t *Table) Cells(i int) (pes []int32, counts []int64) {
	return t.pe[t.start[i]:t.start[i+1]], t.count[t.start[i]:t.start[i+1]]
}

// Fill writes the counts of row i by PE to out, for as many PEs as fit.
func (t *Table) Fill(i int, counts []int64) {
	clear(counts)
	pes, ns := t.Cells(i)
	for k, pe := range pes {
		if int(pe) < len(counts) {
			counts[pe] = ns[k]
		}
	}
}

// Lines returns the range of Rows for the lines from first to last of a file, in a table of lines.
func (t *Table) Lines(file, first, last int32) (from, end int) {
	find := func(l Line) int {
		k, _ := slices.BinarySearchFunc(t.Rows, l, func(r Row, l Line) int { return r.Line.compare(l) })
		return k
	}
	return find(Line{file, first}), find(Line{file, last + 1})
}

// RowOf returns the row of a code in a table of functions or instructions, -1 if it has no events.
func (t *Table) RowOf(code uint32) int {
	return slices.IndexFunc(t.Rows, func(r Row) bool { return r.Code == code })
}

// size returns the number of ranks of a grain.
func (p *Profile) size(g Grain) int {
	switch g {
	case ByLine:
		return len(p.lines)
	case ByFunction:
		return len(p.Functions)
	}
	return len(p.instructions)
}

// row returns the row of a rank, without its statistics.
func (p *Profile) row(g Grain, r int) Row {
	switch g {
	case ByLine:
		return Row{Line: p.lines[r], Function: p.FunctionAt(p.lines[r])}
	case ByFunction:
		f := &p.Functions[r]
		return Row{Line: Line{f.File, f.First}, Function: int32(r), Code: f.Code}
	}
	c := p.instructions[r]
	return Row{Line: p.line[c], Function: p.function[c], Code: c}
}

// cells returns the counts of the cells in an interval.
func (s *series) cells(values bool, time *Span) []int64 {
	if time == nil {
		if values {
			return s.sums()
		}
		return s.count
	}
	counts := make([]int64, len(s.count))
	first, end := 0, len(s.time)
	if !s.mixed {
		first, _ = slices.BinarySearch(s.time, time.First)
		end, _ = slices.BinarySearchFunc(s.time, time.Last, func(at, last int64) int { // after all events of that time
			if at <= last {
				return -1
			}
			return 1
		})
	}
	for i := first; i < end; i++ {
		if s.mixed && (s.time[i] < time.First || s.time[i] > time.Last) {
			continue
		}
		n := int64(1)
		if values {
			n = s.valueOf(i)
		}
		counts[s.cell[i]] += n
	}
	return counts
}
