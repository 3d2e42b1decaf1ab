package detail

import (
	"math"

	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Input scrolls and zooms through the lines, moves columns, and does the rest as every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	if g.Column.Rows() == 0 {
		return nil
	}
	l := g.layout(f)
	page := float64(max(l.count-2, 1))
	first := float64(l.first)
	switch in.Kind {
	case view.Wheel:
		switch {
		case in.Ctrl:
			return l.zoom(in.Y, in.DY)
		case in.Shift:
			return l.aside(in, -3*in.DY-3*in.DX)
		case in.DX != 0:
			return append(l.to(first-3*in.DY), l.aside(in, -3*in.DX)...)
		}
		return l.to(first - math.Max(3, float64(l.count)/20)*in.DY)
	case view.DragStart:
		return nil
	case view.DragEnd:
		if in.FromY < l.top && g.heatmap() {
			return l.permute(in)
		}
		return nil
	case view.Drag:
		switch {
		case in.FromX >= l.map0-0.3*l.em:
			return l.to(l.mapped(in.Y))
		case in.FromY < l.top:
			return nil
		case in.FromX >= l.text && in.FromX < l.stop && math.Abs(in.DX) > math.Abs(in.DY):
			return l.aside(in, -in.DX/l.digit)
		}
		return l.to(first - in.DY/l.row)
	case view.Click, view.DoubleClick:
		if in.X >= l.map0-0.3*l.em && in.Y >= l.top {
			return l.to(l.mapped(in.Y))
		}
	case view.Press:
		if g.heatmap() {
			if do := l.key(in); do != nil {
				return do
			}
		}
		low, high := l.file()
		switch in.Key {
		case "ArrowDown":
			return l.to(first + 1)
		case "ArrowUp":
			return l.to(first - 1)
		case "PageDown":
			return l.to(first + page)
		case "PageUp":
			return l.to(first - page)
		case "Home":
			return l.to(float64(low))
		case "End":
			return l.to(float64(high))
		case "ArrowLeft":
			return l.aside(in, -2)
		case "ArrowRight":
			return l.aside(in, 2)
		case "+", "=":
			return l.zoom((l.top+f.Area.Y1)/2, 1)
		case "-":
			return l.zoom((l.top+f.Area.Y1)/2, -1)
		case "f", "0":
			return []view.Action{{Do: view.SetDetail, More: true}, {Do: view.SetCamera, Pane: in.Pane}}
		case "b":
			hot, _ := g.hottest(l.sums)
			return l.around(hot)
		case "n":
			return l.around(l.next())
		}
	}
	return view.Navigate(g, g.keys(), f, in)
}

// to has the detail begin at a row of the file that is seen.
func (l *layout) to(row float64) []view.Action { return l.see(row, l.count) }

// see has the detail show so many rows of the file that is seen from a row on.
func (l *layout) see(row float64, count int) []view.Action {
	low, high := l.file()
	count = max(min(count, high-low), 1)
	first := max(min(int(math.Round(row)), high-count), low)
	lines := l.g.Column.Lines(first, first+count)
	if d := l.f.Detail; d != nil && *d == lines {
		return nil
	}
	return []view.Action{{Do: view.SetDetail, Lines: &lines, More: true}}
}

// around has the detail show a row, which may be of another file, in its middle.
func (l *layout) around(row int) []view.Action {
	if row < 0 {
		return nil
	}
	to := *l
	to.first = row
	return to.see(float64(row-l.count/2), l.count)
}

// zoom shows fewer or more rows; the one at a height stays there.
func (l *layout) zoom(y, steps float64) []view.Action {
	by := math.Pow(1.25, -min(max(steps, -20), 20))
	most := max(int((l.f.Area.Y1-l.top)/leastRow), 1)
	shown := (l.f.Area.Y1 - l.top) / l.row
	count := int(math.Round(shown * by))
	if count == int(math.Round(shown)) {
		count += map[bool]int{true: 1, false: -1}[by > 1]
	}
	count = max(min(count, most), 1)
	share := min(max((y-l.top)/(l.f.Area.Y1-l.top), 0), 1)
	at := float64(l.first) + share*shown
	return l.see(at-share*float64(count), count)
}

// aside moves the text.
func (l *layout) aside(in view.Input, by float64) []view.Action {
	const most = 1000
	c := view.Camera{X: max(min(max(l.f.Camera.X, 0)+by, most), 0), Scale: 1}
	if c.X == l.f.Camera.X {
		return nil
	}
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
}

// mapped is the row at the top when the overview is pointed at.
func (l *layout) mapped(y float64) float64 {
	low, high := l.file()
	return float64(low) + (y-l.top)/max(l.f.Area.Y1-l.top, 1)*float64(high-low) - float64(l.count)/2
}

// hottest is the row with most on one processor, false where there is none.
func (g *Geometry) hottest(of *lineplot.Sums) (row int, ok bool) {
	row, most := -1, int64(0)
	t := of.Lines
	for i := range t.Rows {
		if t.Rows[i].Max > most {
			row, most = g.Column.Row(t.Rows[i].Line), t.Rows[i].Max
		}
	}
	return row, row >= 0
}

// hottestOf is the row with most on one processor among some.
func (g *Geometry) hottestOf(rows [][2]int) int {
	best, most := rows[0][0], int64(-1)
	for _, r := range rows {
		for row := range g.Rows(g.All().Lines, r[0], r[1]) {
			if row.Max > most {
				best, most = g.Column.Row(row.Line), row.Max
			}
		}
	}
	return best
}

// next is the first row below the middle that is lit, or where nothing is lit, that has anything; the first of all where there is none below.
func (l *layout) next() int {
	middle := l.first + l.count/2
	var rows []int
	if l.f.State != nil {
		if lit := l.g.Lit(l.f.Trace, l.f.State.Shared.Selection); lit != nil {
			for _, r := range lit.Rows {
				rows = append(rows, r[0])
			}
		}
	}
	if len(rows) == 0 {
		for i := range l.sums.Lines.Rows {
			rows = append(rows, l.g.Column.Row(l.sums.Lines.Rows[i].Line))
		}
	}
	for _, r := range rows {
		if r > middle {
			return r
		}
	}
	if len(rows) > 0 {
		return rows[0]
	}
	return -1
}

// Show is the lines that show some of what is selected, false where some is seen already or there is nothing to see.
func (g *Geometry) Show(f *view.Frame, s view.Selection) (view.Lines, bool) {
	lit := g.Lit(f.Trace, s)
	if lit == nil || len(lit.Rows) == 0 || g.Column.Rows() == 0 {
		return view.Lines{}, false
	}
	l := g.layout(f)
	for _, r := range lit.Rows {
		if max(r[0], l.first) < min(r[1], l.end) {
			return view.Lines{}, false
		}
	}
	for _, a := range l.around(g.hottestOf(lit.Rows)) {
		return *a.Lines, true
	}
	return view.Lines{}, false
}
