package detail

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Hit returns the line of the item at a pixel. In a cell with a count it adds the PEs of the column; in a heading it returns these PEs alone.
func (l *Listing) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	if !f.Area.Contains(x, y) {
		return view.Selection{}, false
	}
	s := l.sheet(f)
	k, column := s.itemAt(y), s.column(x)
	sel := view.Selection{Trace: f.Trace}
	switch {
	case len(s.items) == 0:
		return sel, false
	case y < s.top && column >= 0 && !s.across.Ranked():
		sel.PEs = s.across.Spans(column)
		return sel, true
	case k < 0:
		return sel, false
	}
	it := s.items[k]
	row := s.g.Column.Row(it.line)
	sel = s.g.Select(f.Trace, row, row+1)
	if n := s.count(it, column); n > 0 && !s.across.Ranked() {
		sel.PEs = s.across.Spans(column)
	}
	return sel, true
}

// ticks returns the counts of an instruction or, in a trace without instructions, of a line, by PE. It reports false if it has none.
func (s *sheet) ticks(it item) (pes []int32, counts []int64, ok bool) {
	if it.code != 0 {
		if i := s.counts.RowOf(it.code); i >= 0 {
			pes, counts = s.counts.Cells(i)
			return pes, counts, true
		}
		return nil, nil, false
	}
	if t := s.g.Counted(s.f).Lines; s.bare {
		if from, end := t.Lines(it.line.File, it.line.Line, it.line.Line); end > from {
			pes, counts = t.Cells(from)
			return pes, counts, true
		}
	}
	return nil, nil, false
}

// count returns the count of an item in a column.
func (s *sheet) count(it item, column int) int64 {
	pes, ns, ok := s.ticks(it)
	if !ok || column < 0 {
		return 0
	}
	counts := make([]int64, s.across.N)
	s.across.Fold(pes, ns, counts)
	return counts[column]
}

// lit returns the items of a selection as ranges.
func (s *sheet) lit(sel view.Selection) (ranges [][2]int) {
	lit := s.g.Highlight(s.f.Trace, sel)
	if lit == nil {
		return nil
	}
	for k, it := range s.items {
		row := s.g.Column.Row(it.line)
		i, _ := slices.BinarySearchFunc(lit.Rows, row, func(r [2]int, row int) int {
			if r[1] <= row {
				return -1
			}
			return cmp.Compare(r[0], row+1) + 1
		})
		if i >= len(lit.Rows) || row < lit.Rows[i][0] || row >= lit.Rows[i][1] {
			continue
		}
		if n := len(ranges); n > 0 && ranges[n-1][1] == k {
			ranges[n-1][1]++
		} else {
			ranges = append(ranges, [2]int{k, k + 1})
		}
	}
	return ranges
}

// Locate returns the rows of selected lines.
func (l *Listing) Locate(f *view.Frame, sel view.Selection) (places []scene.Rect) {
	s := l.sheet(f)
	for _, r := range s.lit(sel) {
		if from, end := max(r[0], s.first), min(r[1], s.first+s.visible); from < end {
			places = append(places, scene.Rect{X0: f.Area.X0, Y0: s.y(from), X1: f.Area.X1, Y1: s.y(end)})
		}
	}
	return places
}

// Overlay highlights the selected items and PEs and frames the hovered items.
func (l *Listing) Overlay(f *view.Frame, out *scene.List) {
	s := l.sheet(f)
	out.ClipTo(f.Clip)
	defer out.Pop()
	sel, accent := f.State.Shared.Selection, f.Style.Accent
	for _, r := range l.Locate(f, sel) {
		out.Rect(float32(r.X0), float32(r.Y0), float32(r.X0+math.Round(0.25*s.em)), float32(r.Y1), accent)
		out.Rect(float32(r.X0), float32(r.Y0), float32(s.heat), float32(r.Y1), accent.Alpha(28))
		out.Rect(float32(s.end()), float32(r.Y0), float32(r.X1), float32(r.Y1), accent.Alpha(28))
		s.frame(out, sel.PEs, r.Y0, r.Y1, scene.Hex(0xffffff))
	}
	if sel.Trace == f.Trace {
		s.mark(out, sel.PEs, s.top, accent)
	}
	h := f.State.Personal.Hover
	if h.Trace == f.Trace {
		s.mark(out, h.PEs, s.top, f.Style.Muted)
	}
	if len(h.Lines) == 0 && len(h.Codes) == 0 && len(h.Tasks) == 0 {
		return
	}
	for _, r := range l.Locate(f, h) {
		out.Frame(float32(r.X0)+0.5, float32(r.Y0)+0.5, float32(r.X1)-0.5, float32(r.Y1)-0.5, 1, f.Style.Muted)
	}
}

// Tip describes the counts of an instruction, or of a line.
func (l *Listing) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := l.sheet(f)
	k := s.itemAt(y)
	if k < 0 || !f.Area.Contains(x, y) {
		return view.Tip{}, false
	}
	it := s.items[k]
	if it.code == 0 {
		lines := []string{l.Place(it.line), l.Named(l.Profile.FunctionAt(it.line))}
		if column := s.column(x); column >= 0 && s.bare {
			lines = append(lines, view.Capital(s.across.Name(column))+": "+l.Amount(s.count(it, column)))
		}
		return view.Tip{X: x, Y: y, Lines: lines}, true
	}
	lines := []string{strings.Join(strings.Fields(l.Run.Codes[it.code].Name), " "), l.Place(it.line)}
	i := s.counts.RowOf(it.code)
	if i < 0 {
		return view.Tip{X: x, Y: y, Lines: append(lines, "no "+l.Noun())}, true
	}
	if column := s.column(x); column >= 0 {
		lines = append(lines, view.Capital(s.across.Name(column))+": "+l.Amount(s.count(it, column)))
	}
	return view.Tip{X: x, Y: y, Lines: append(lines, l.Summary(f, &s.counts.Rows[i])...)}, true
}

// Input scrolls and moves columns. view.Navigate handles all other input.
func (l *Listing) Input(f *view.Frame, in view.Input) []view.Action {
	s := l.sheet(f)
	to := func(item float64) []view.Action {
		c := view.Camera{Y: float64(s.scrolled(item)), Scale: 1}
		if c.Y == f.Camera.Y {
			return nil
		}
		return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
	}
	first, page := float64(s.first), float64(max(s.visible-2, 1))
	switch in.Kind {
	case view.Wheel:
		if in.Pinch {
			return nil
		}
		return to(first - 3*in.DY)
	case view.DragStart:
		return nil
	case view.DragEnd:
		if in.FromY < s.top {
			return s.permute(in)
		}
		return nil
	case view.Drag:
		if in.FromY < s.top {
			return nil
		}
		return to(first - in.DY/s.line)
	case view.Press:
		if do := s.key(in); do != nil {
			return do
		}
		switch in.Key {
		case "ArrowDown":
			return to(first + 1)
		case "ArrowUp":
			return to(first - 1)
		case "PageDown":
			return to(first + page)
		case "PageUp":
			return to(first - page)
		case "End":
			return to(float64(len(s.items)))
		case "ArrowLeft", "ArrowRight", "+", "=", "-":
			return nil
		case "n", "N":
			if f.State != nil {
				lit, back := s.lit(f.State.Shared.Selection), in.Key == "N"
				if back {
					slices.Reverse(lit)
				}
				for _, r := range lit {
					if r[0] > s.first != back && r[0] != s.first {
						return to(float64(r[0]))
					}
				}
				if len(lit) > 0 {
					return to(float64(lit[0][0]))
				}
			}
			return nil
		}
	}
	return view.Navigate(l, listingKeys, f, in)
}

// Reveal returns the camera that shows the first selected item. It reports false if one is visible already or none is selected.
func (l *Listing) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	s := l.sheet(f)
	lit := s.lit(sel)
	if len(lit) == 0 {
		return view.Camera{}, false
	}
	for _, r := range lit {
		if r[0] >= s.first && r[0] < s.first+s.visible {
			return view.Camera{}, false
		}
	}
	return view.Camera{Y: float64(s.scrolled(float64(lit[0][0] - 1))), Scale: 1}, true
}

// Show returns the detail around the hottest selected line. It reports false if a selected line is in the detail already.
func (l *Listing) Show(f *view.Frame, sel view.Selection) (view.Lines, bool) {
	lit := l.Highlight(f.Trace, sel)
	if lit == nil || len(lit.Rows) == 0 || l.Column.Rows() == 0 {
		return view.Lines{}, false
	}
	rows := l.sheet(f).rows
	for _, r := range lit.Rows {
		if max(r[0], rows[0]) < min(r[1], rows[1]) {
			return view.Lines{}, false
		}
	}
	hot, _ := l.Hottest(l.All().Lines, lit.Rows...)
	low, high := l.Column.FileOf(hot)
	n := min(rows[1]-rows[0], high-low)
	first := max(min(hot-n/2, high-n), low)
	return l.Column.Lines(first, first+n), true
}
