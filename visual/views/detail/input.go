package detail

import (
	"math"
	"slices"

	"whorl/visual/view"
)

// Input scrolls and zooms the lines, scrolls the text and moves columns. view.Navigate handles all other input.
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
		case in.Ctrl || in.Pinch:
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
		if g.heatmap() || in.Key == view.CompareKey.Key {
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
		case "u":
			if hot, counts := g.Hottest(l.sums.Lines); counts != nil && counts.Max > 0 {
				return l.around(hot)
			}
			return nil
		case "n", "N":
			return l.around(l.next(in.Key == "N"))
		}
	}
	return view.Navigate(g, g.keys(), f, in)
}

// to moves the first line of the detail to a row, kept within the visible file.
func (l *layout) to(row float64) []view.Action { return l.see(row, l.count) }

// see sets the detail to count rows from a row on, kept within the visible file.
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

// around centres the detail on a row, which may lie in another file.
func (l *layout) around(row int) []view.Action {
	if row < 0 {
		return nil
	}
	to := *l
	to.first = row
	return to.see(float64(row-l.count/2), l.count)
}

// zoom shows fewer or more rows and keeps the row at y in place.
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
	return l.see(float64(l.first)+share*shown-share*float64(count), count)
}

// aside scrolls the text sideways by a number of characters.
func (l *layout) aside(in view.Input, by float64) []view.Action {
	const most = 1000
	c := view.Camera{X: max(min(max(l.f.Camera.X, 0)+by, most), 0), Scale: 1}
	if c.X == l.f.Camera.X {
		return nil
	}
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
}

// mapped returns the first row of a detail centred on y in the overview.
func (l *layout) mapped(y float64) float64 {
	low, high := l.file()
	return float64(low) + (y-l.top)/max(l.f.Area.Y1-l.top, 1)*float64(high-low) - float64(l.count)/2
}

// next returns the first highlighted row below the middle or, without highlighted rows, the first row with counts.
// After the last one it returns the first of all, and -1 if there is none.
func (l *layout) next(back bool) int {
	middle := l.first + l.count/2
	var rows []int
	if lit := l.g.Highlight(l.f.Trace, l.f.Selected()); lit != nil {
		for _, r := range lit.Rows {
			rows = append(rows, r[0])
		}
	}
	if len(rows) == 0 {
		for i := range l.sums.Lines.Rows {
			rows = append(rows, l.g.Column.Row(l.sums.Lines.Rows[i].Line))
		}
	}
	if back {
		slices.Reverse(rows)
	}
	for _, r := range rows {
		if r > middle != back && r != middle {
			return r
		}
	}
	if len(rows) > 0 {
		return rows[0]
	}
	return -1
}

// Show returns the detail that shows some of a selection. It reports false if some of it is visible already or no line belongs to it.
func (g *Geometry) Show(f *view.Frame, s view.Selection) (view.Lines, bool) {
	lit := g.Highlight(f.Trace, s)
	if lit == nil || len(lit.Rows) == 0 || g.Column.Rows() == 0 {
		return view.Lines{}, false
	}
	l := g.layout(f)
	for _, r := range lit.Rows {
		if max(r[0], l.first) < min(r[1], l.end) {
			return view.Lines{}, false
		}
	}
	hot, _ := g.Hottest(g.All().Lines, lit.Rows...)
	for _, a := range l.around(hot) {
		return *a.Lines, true
	}
	return view.Lines{}, false
}
