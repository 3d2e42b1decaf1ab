package source

import (
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// samplesStage counts the samples of each line. Its result is nil if the trace has no samples.
var samplesStage = flow.Derive("samples", "samples of the run by line",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*lineprofile.Profile]) (*lineprofile.Profile, error) {
		src := view.Trace.In(c)
		if src.Counts()[tracer.Sample] == 0 {
			return nil, nil
		}
		p, err := lineprofile.Grow(src, c.Prev, c.Tick)
		if err != nil || len(p.Metrics) == 0 {
			return nil, err
		}
		return p, nil
	})

// sampled returns the samples of a query by part, then those without a part.
func (g *program) sampled(q query) []total {
	totals := make([]total, len(g.parts)+1)
	if len(q.s.Tasks) > 0 {
		return totals
	}
	time := &lineprofile.Span{First: math.MinInt64, Last: math.MaxInt64}
	if q.s.Time != nil {
		time.First, time.Last = q.s.Time.First, q.s.Time.Last
	}
	if q.time != nil {
		time.First, time.Last = max(time.First, q.time.First), min(time.Last, q.time.Last)
	}
	q.s.Codes = g.lineCodes(q.s.Codes)
	t, among := g.prof.Sum(lineprofile.ByLine, lineprofile.Query{Time: time}), view.Joined(q.s.PEs)
	rest := &totals[len(g.parts)]
	rest.cost = t.Rest
	for i := range t.Rows {
		k := g.partAt(t.Rows[i].Line)
		if k < 0 {
			rest.cost += t.Rows[i].Total
		}
		if k < 0 || !g.names(q.s, int(k)) {
			continue
		}
		n := t.Rows[i].Total
		if len(q.s.PEs) > 0 {
			n = 0
			pes, counts := t.Cells(i)
			for j, pe := range pes {
				if among.Contains(int64(pe)) {
					n += counts[j]
				}
			}
		}
		totals[k].nodes += n
		totals[k].cost += n
	}
	return totals
}

// names reports whether a selection names part k by codes and by lines. A selection without codes or lines names all.
// The codes of instructions must have been replaced by those of their lines (lineCodes).
func (g *program) names(s view.Selection, k int) bool {
	c, row := g.parts[k].code, g.parts[k].first
	if len(s.Codes) > 0 && !slices.Contains(s.Codes, c) && !slices.Contains(s.Codes, g.run.Owner(c)) {
		return false
	}
	return len(s.Lines) == 0 || slices.ContainsFunc(s.Lines, func(l view.Lines) bool {
		first, end, ok := g.rowsOf(l)
		return ok && first <= row && row < end
	})
}

// lineCodes replaces the codes of instructions by those of their lines.
func (g *program) lineCodes(codes []uint32) []uint32 {
	codes = slices.Clone(codes)
	for i, c := range codes {
		if int(c) < len(g.run.Codes) && g.run.Codes[c].Type == tracer.Instruction {
			codes[i] = g.run.Codes[c].Parent
		}
	}
	return codes
}

// partAt returns the part of a line, or -1 if it has none.
func (g *program) partAt(l lineprofile.Line) int32 {
	name := g.prof.Files[l.File].Name
	k := slices.IndexFunc(g.files, func(f listed) bool { return f.name == name })
	if k < 0 {
		return -1
	}
	if row := g.files[k].from(g.rows, l.Line); row < g.files[k].end && g.rows[row].line == l.Line {
		return g.rows[row].part
	}
	return -1
}

// from returns the first row of the file with the given line or a later one.
func (f listed) from(rows []row, line int32) int32 {
	n, _ := slices.BinarySearchFunc(rows[f.begin:f.end], line, func(r row, line int32) int { return int(r.line) - int(line) })
	return f.begin + int32(n)
}

// textless appends the files without text in the trace: a row with the name of the function for each known line.
func (p *page) textless(run *view.Run, prof *lineprofile.Profile) {
	codes := map[lineprofile.Line]uint32{}
	for c := range run.Codes {
		if t := run.Codes[c].Type; t == tracer.Line || t == tracer.Function {
			if l, ok := prof.LineOf(uint32(c)); ok && (codes[l] == 0 || t == tracer.Line) {
				codes[l] = uint32(c)
			}
		}
	}
	for k, f := range prof.Files {
		lines := prof.CodeLines(int32(k))
		if f.Source >= 0 || len(lines) == 0 {
			continue
		}
		p.head(f.Name)
		for _, l := range lines {
			r := row{line: l.Line, part: -1}
			if fn := prof.FunctionAt(l); fn >= 0 {
				r.text = view.Printable(prof.Functions[fn].Name, maxColumns)
			}
			class := plain
			if !f.Bare { // the name is not the text of the line
				class = comment
			}
			r.spans = []span{{0, int32(len(r.text)), class}}
			if c := codes[l]; c != 0 {
				r.part = int32(len(p.parts))
				p.partOf[c] = r.part
				p.parts = append(p.parts, part{c, int32(len(p.rows)), int32(len(p.rows))})
			}
			p.rows = append(p.rows, r)
		}
		p.end()
	}
}

// lineOf returns the line of a row. It reports false for a heading.
func (g *program) lineOf(row int32) (l view.Lines, ok bool) {
	if row < 0 || g.rows[row].line == 0 {
		return l, false
	}
	k := slices.IndexFunc(g.files, func(f listed) bool { return f.begin <= row && row < f.end })
	n := g.rows[row].line
	return view.Lines{File: g.files[k].name, First: n, Last: n}, true
}

// rowsOf returns the rows of lines, from first to end-1. It reports false if there are none.
func (g *program) rowsOf(l view.Lines) (first, end int32, ok bool) {
	for _, f := range g.files {
		if view.SameFile(f.name, l.File) {
			first, end = f.from(g.rows, l.First), f.from(g.rows, l.End()+1)
			return first, end, first < end
		}
	}
	return 0, 0, false
}

// noun returns the name of the metric for n of them.
func (g *program) noun(n int64) string {
	if g.prof == nil {
		return g.run.Noun(n)
	}
	s := g.prof.Metrics[0].Name
	if n == 1 && len(s) > 1 && s[len(s)-1] == 's' {
		s = s[:len(s)-1]
	}
	return s
}

// amount formats a count in the unit of the metric.
func (g *program) amount(n int64) string {
	if g.prof != nil {
		m := g.prof.Metrics[0]
		if m.Scale == 0 {
			m.Scale = 1
		}
		if s, ok := figures.Measured(float64(n)*m.Scale, m.Unit); ok {
			return s
		}
	}
	return figures.Count(n)
}

// costs returns the texts of the second column: times, or shares of the frame's samples or of nodes without durations.
func (g *program) costs(f *view.Frame, counts []total) []string {
	if g.prof == nil && g.timed {
		return times(counts)
	}
	texts := make([]string, len(counts))
	whole := g.whole(f.Counted())
	for k, c := range counts {
		texts[k] = figures.PercentTo(max(c.cost, -c.cost), whole, 1)
		if small, ok := strings.CutPrefix(texts[k], "< "); ok && c.cost < 0 {
			texts[k] = "> –" + small
		} else if c.cost < 0 {
			texts[k] = "–" + texts[k]
		}
	}
	return texts
}
