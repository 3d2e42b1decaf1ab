package detail

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// cellAt returns the index in the table of a row of the column, or -1 if it has no counts, and the count in a column of the heat map.
func (l *layout) cellAt(row, column int) (i int, n int64) {
	i = -1
	if row < 0 {
		return i, 0
	}
	l.table(func(r, k int, _ *lineprofile.Row) {
		if r == row {
			i = k
		}
	})
	if i < 0 || column < 0 {
		return i, 0
	}
	counts := make([]int64, l.across.N)
	pes, ns := l.sums.Lines.Cells(i)
	l.across.Fold(pes, ns, counts)
	return i, counts[column]
}

// Hit returns the line at a pixel. In a cell of the heat map it adds the PEs of the column; in a heading it returns these PEs alone.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	if g.Column.Rows() == 0 || !f.Area.Contains(x, y) {
		return view.Selection{}, false
	}
	l := g.layout(f)
	column, row := l.column(x), l.rowAt(y)
	s := view.Selection{Trace: f.Trace}
	switch {
	case x >= l.map0-0.3*l.em:
		return view.Selection{}, false
	case y < l.top && column >= 0 && !l.across.Ranked():
		s.PEs = l.across.Spans(column)
	case row < 0:
		return view.Selection{}, false
	default:
		s = g.Select(f.Trace, row, row+1)
		if _, n := l.cellAt(row, column); n > 0 && !l.across.Ranked() {
			s.PEs = l.across.Spans(column)
		}
	}
	const most = 1000 // ranges of PEs in the selection of a permuted group
	if len(s.PEs) > most {
		s.PEs = s.PEs[:most]
	}
	return s, true
}

// Locate returns the rows of selected lines.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	lit := g.Highlight(f.Trace, s)
	if lit == nil || g.Column.Rows() == 0 {
		return nil
	}
	l := g.layout(f)
	var places []scene.Rect
	for _, r := range lit.Rows {
		if from, end := max(r[0], l.first), min(r[1], l.end); from < end {
			places = append(places, l.rect(from, end))
		}
	}
	return places
}

// rect returns the rectangle of the rows from from to end-1.
func (l *layout) rect(from, end int) scene.Rect {
	return scene.Rect{X0: l.f.Area.X0, Y0: l.y(from), X1: l.map0 - 0.4*l.em, Y1: min(l.y(end), max(l.f.Area.Y1, l.y(from)))}
}

// Overlay highlights the selected lines and PEs and frames the hovered ones.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	if g.Column.Rows() == 0 {
		return
	}
	l := g.layout(f)
	out.ClipTo(f.Clip)
	defer out.Pop()
	s := f.State.Shared.Selection
	accent := f.Style.Accent
	low, high := l.file()
	if lit := g.Highlight(f.Trace, s); lit != nil {
		bar := math.Round(0.25 * l.em)
		for _, r := range lit.Rows {
			if from, end := max(r[0], low), min(r[1], high); from < end {
				y0, y1 := l.mapY(from), l.mapY(end)
				out.Rect(float32(l.map0), float32(y0), float32(l.map0+bar), float32(max(y1, y0+2)), accent)
			}
			from, end := max(r[0], l.first), min(r[1], l.end)
			if from >= end {
				continue
			}
			p := l.rect(from, end)
			out.Rect(float32(p.X0), float32(p.Y0), float32(p.X0+bar), float32(p.Y1), accent)
			if g.heatmap() { // the heat keeps its colours
				out.Rect(float32(p.X0), float32(p.Y0), float32(l.heat), float32(p.Y1), accent.Alpha(28))
				p.X0 = l.x(l.across.N)
			}
			out.Fill(p, accent.Alpha(28))
		}
		l.light(out, s, lit, accent)
	}
	h := f.State.Personal.Hover
	if len(h.Tasks) == 1 { // the line of a goal without its descendants
		h.Tasks = []view.Tasks{{First: h.Tasks[0].First, Last: h.Tasks[0].Last}}
	}
	if len(h.Lines) == 0 && len(h.Codes) == 0 && len(h.Tasks) == 0 && h.Time == nil { // PEs alone have counts at nearly all lines
		switch {
		case h.Trace != f.Trace:
		case g.heatmap():
			l.frame(out, h.PEs, l.top, l.y(l.end), f.Style.Muted)
		default: // a view without columns
			for _, r := range g.Locate(f, h) {
				out.Rect(float32(r.X0), float32(r.Y0), float32(r.X0+math.Round(0.15*l.em)), float32(r.Y1), f.Style.Muted)
			}
		}
		return
	}
	for _, r := range g.Locate(f, h) {
		out.Frame(float32(r.X0)+0.5, float32(r.Y0)+0.5, float32(r.X1)-0.5, float32(r.Y1)-0.5, 1, f.Style.Muted)
		if g.heatmap() {
			l.frame(out, h.PEs, r.Y0, r.Y1, scene.Hex(0xffffff))
		}
	}
}

// light marks the headings of the selected PEs' columns, and frames these columns in the lines selected with them.
func (l *layout) light(out *scene.List, s view.Selection, lit *lineplot.Highlight, accent scene.Color) {
	if !l.g.heatmap() || l.across.Ranked() || len(s.PEs) == 0 {
		return
	}
	l.mark(out, s.PEs, l.top, accent)
	if len(s.Lines) == 0 && len(s.Codes) == 0 {
		return
	}
	for _, r := range lit.Rows {
		if from, end := max(r[0], l.first), min(r[1], l.end); from < end {
			l.frame(out, s.PEs, l.y(from), l.y(end), scene.Hex(0xffffff))
		}
	}
}

// Tip describes the counts of a line and of the column at a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	_, ok := g.Hit(f, x, y)
	if !ok {
		return view.Tip{}, false
	}
	l := g.layout(f)
	column := l.column(x)
	if y < l.top {
		var sum int64
		for i := range l.sums.Lines.Rows {
			pes, ns := l.sums.Lines.Cells(i)
			for k, pe := range pes {
				if l.across.Column(pe) == column {
					sum += ns[k]
				}
			}
		}
		return view.Tip{X: x, Y: y, Lines: []string{view.Capital(l.across.Name(column)), g.Amount(sum) + " at all lines"}}, true
	}
	line := g.Column.Line(l.rowAt(y))
	lines := []string{g.Place(line)}
	if k := g.Profile.FunctionAt(line); k >= 0 {
		lines = append(lines, g.Named(k))
	}
	i, n := l.cellAt(l.rowAt(y), column)
	if i < 0 {
		return view.Tip{X: x, Y: y, Lines: append(lines, "no "+g.Noun())}, true
	}
	if column >= 0 {
		lines = append(lines, view.Capital(l.across.Name(column))+": "+g.Amount(n))
		if len(l.across.PEsOf(column)) > 1 && !l.across.Ranked() {
			lines[len(lines)-1] += " at most on one of them"
		}
	}
	r := &l.sums.Lines.Rows[i]
	lines = append(lines, g.Summary(f, r)...)
	if g.Profile.PEs > 1 {
		lines = append(lines, "mean "+g.amount(r.Mean)+", standard deviation "+g.amount(math.Sqrt(r.Variance)))
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// amount formats a mean.
func (g *Geometry) amount(x float64) string {
	if g.timed() || x >= 1000 {
		return g.Short(int64(math.Round(x)))
	}
	return figures.Fixed(x, 1)
}
