package overview

import (
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/layout/strips"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// hottest returns the line of a bin with the largest count on one PE, and its counts. A bin without counts has its first line, and nil.
func (g *Geometry) hottest(bin int, f *view.Frame) (row int, counts *lineprofile.Row) {
	first, end := g.layout.Span(bin)
	return g.Hottest(g.Counted(f).Lines, [2]int{first, end})
}

// Hit returns the hottest line of the bin at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	bin, ok := layout(f, g).bin(x, y)
	if !ok {
		return view.Selection{}, false
	}
	row, _ := g.hottest(bin, f)
	return g.Select(f.Trace, row, row+1), true
}

// Tip describes the bin at a pixel: its procedure, its lines, and the counts of the hottest line.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	bin, ok := layout(f, g).bin(x, y)
	if !ok {
		return view.Tip{}, false
	}
	row, counts := g.hottest(bin, f)
	line := g.Column.Line(row)
	first, end := g.layout.Span(bin)
	place := g.Place(g.Column.Line(first))
	if last := g.Column.Line(end - 1); last != g.Column.Line(first) {
		place += "–" + strconv.Itoa(int(last.Line))
	}
	lines := []string{g.Named(g.Profile.FunctionAt(line)), place}
	if counts == nil || counts.Extreme() == 0 {
		return view.Tip{X: x, Y: y, Lines: append(lines, "no "+g.Noun())}, true
	}
	if end-first > 1 {
		lines = append(lines, "line "+strconv.Itoa(int(line.Line))+" has the most:")
	}
	return view.Tip{X: x, Y: y, Lines: append(lines, g.Summary(f, counts)...)}, true
}

// Locate returns a rectangle for each part of a strip covered by the selected lines and procedures.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	lit := g.Highlight(f.Trace, s)
	if lit == nil {
		return nil
	}
	return layout(f, g).rects(lit.Rows)
}

// rects returns the visible rectangles of ranges of rows. Ranges that share a bin share its rectangle.
func (s *sheet) rects(rows [][2]int) (out []scene.Rect) {
	last := strips.Piece{Strip: -1}
	for _, r := range rows {
		for _, p := range s.g.layout.Wrap(r[0], r[1]) {
			if p.Strip == last.Strip && p.From < last.End {
				if p.From = last.End; p.From >= p.End {
					continue
				}
			}
			last = p
			if r := s.rect(p); s.seen(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// Overlay outlines procedures, the detail and the hovered lines, and marks the selected lines.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	if g.layout.Bins == 0 {
		return
	}
	s := layout(f, g)
	out.Clip(float32(f.Area.X0), float32(max(s.In.Y0-s.reach, f.Area.Y0)), float32(f.Area.X1), float32(min(s.In.Y1+s.reach, f.Area.Y1)))
	defer out.Pop()
	width := float32(s.width)
	lit := g.Highlight(f.Trace, f.State.Shared.Selection)
	outlined := []int32{g.busiest(f)}
	if lit != nil && len(lit.Functions) > 0 {
		outlined = lit.Functions
	}
	var pieces []scene.Rect
	for _, k := range outlined {
		if first, end, ok := g.FunctionRows(k); ok {
			for _, p := range g.layout.Wrap(first, end) {
				if r := s.rect(p); s.seen(r) {
					pieces = append(pieces, r)
				}
			}
		}
	}
	for _, r := range thin(pieces) {
		frame(out, r, width, width/2, lineplot.Yellow)
	}
	first, end := g.Outlined(f)
	for _, p := range g.layout.Wrap(first, end) {
		frame(out, s.rect(p), 1.5*width, 2*width, lineplot.Gold)
	}
	if lit != nil {
		for _, r := range s.rects(lit.Rows) {
			out.Rect(float32(r.X0)-float32(s.gap/2), float32(r.Y0), float32(r.X0)-1, float32(r.Y1), f.Style.Accent)
		}
	}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		if lit := g.Highlight(f.Trace, h); lit != nil {
			for _, r := range thin(s.rects(lit.Rows)) {
				frame(out, r, 1, 0.5, scene.Hex(0xffffff))
			}
		}
	}
}

// border is the width in pixels around the strips where the golden rectangle can be dragged.
const border = 7

// thin drops the rectangles after the first 2,000; more would cover the picture.
func thin(rects []scene.Rect) []scene.Rect {
	const most = 2000
	return rects[:min(len(rects), most)]
}

// frame draws a frame around r at a distance outside. A dark line beside it makes it visible on light and dark grounds.
func frame(out *scene.List, r scene.Rect, width, outside float32, c scene.Color) {
	x0, y0, x1, y1 := float32(r.X0)-outside, float32(r.Y0)-outside, float32(r.X1)+outside, float32(r.Y1)+outside
	out.Frame(x0, y0, x1, y1, width+1.5, scene.Hex(0x101010).Alpha(150))
	out.Frame(x0, y0, x1, y1, width, c)
}

// Reveal returns the camera that shows the first selected line. It reports false if a selected line is visible or there is none.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	lit := g.Highlight(f.Trace, sel)
	if lit == nil || len(lit.Rows) == 0 || g.layout.Bins == 0 {
		return view.Camera{}, false
	}
	s := layout(f, g)
	if len(s.rects(lit.Rows)) > 0 {
		return view.Camera{}, false
	}
	position, _ := g.layout.Position(lit.Rows[0][0])
	strip, row := g.layout.Cell(min(position/g.layout.Bin, g.layout.Bins-1))
	s.X.Look(float64(strip)+0.5, s.X.Scale)
	s.Y.Look(float64(row)+0.5, s.Y.Scale)
	if len(s.rects(lit.Rows)) == 0 { // lines that are left out of the strips
		return view.Camera{}, false
	}
	return s.Shown(), true
}

// Outlined returns the rows in the golden rectangle.
func (g *Geometry) Outlined(f *view.Frame) (first, end int) { return g.Detail(f.Detail) }

// Input centres the detail on a clicked bin, sets, moves and resizes the detail by a drag, and zooms by the wheel. view.Navigate handles all
// other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := layout(f, g)
	switch in.Kind {
	case view.Click:
		actions := view.Navigate(g, keys, f, in)
		if bin, ok := s.bin(in.X, in.Y); ok && !in.Shift && !in.Alt {
			row, _ := g.hottest(bin, f)
			first, end := g.Detail(f.Detail)
			actions = append(actions, g.Show(row-(end-first)/2, end-first, row, false))
		}
		return actions
	case view.DragStart, view.Drag, view.DragEnd:
		if r := s.In; g.layout.Bins == 0 || !(scene.Rect{X0: r.X0 - border, Y0: r.Y0 - border, X1: r.X1 + border, Y1: r.Y1 + border}).Contains(in.FromX, in.FromY) {
			return nil
		}
		return s.drag(in)
	case view.Wheel:
		return s.camera(in, s.ZoomedAt(in.X, in.Y, view.Zoomed(in.DY)))
	case view.Press:
		x, y := (s.In.X0+s.In.X1)/2, (s.In.Y0+s.In.Y1)/2
		switch in.Key {
		case "+", "=":
			return s.camera(in, s.ZoomedAt(x, y, 1.25))
		case "-":
			return s.camera(in, s.ZoomedAt(x, y, 0.8))
		case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
			step := map[string][2]float64{"ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "ArrowUp": {0, -1}, "ArrowDown": {0, 1}}[in.Key]
			return s.camera(in, s.MovedTo(s.X.From+0.1*step[0]*s.In.W()/s.X.Scale, s.Y.From+0.1*step[1]*s.In.H()/s.Y.Scale))
		case "j":
			value := bySum
			if g.sum {
				value = byMaximum
			}
			return reduce.Set(in.Pane, value)
		case "a", "p", view.CompareKey.Key, "PageUp", "PageDown":
			return g.Press(f, in, g.normal, g.across)
		}
	}
	return view.Navigate(g, keys, f, in)
}

// camera returns the action that sets the camera, or nil if that changes nothing.
func (s *sheet) camera(in view.Input, to view.Axes) []view.Action {
	c := to.Settled()
	if *c == s.Camera || s.Camera.ScaleY == 0 && c.ScaleY == 0 {
		return nil
	}
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: c}}
}

// drag moves the detail if the drag is inside its rectangle, resizes it if the drag is at one of its ends, and begins a new one elsewhere.
// A view keeps no state between inputs: the previous position of the pointer tells which end is dragged, since that end follows it.
func (s *sheet) drag(in view.Input) []view.Action {
	g, l := s.g, s.g.layout
	first, end := g.Detail(s.Detail)
	if in.Kind == view.DragStart {
		bin := s.near(in.FromX, in.FromY)
		from, to := l.Span(bin)
		if pieces := l.Wrap(first, end); len(pieces) > 0 && from < end && to > first {
			from, to = first, end // keep the detail, so that one undo reverts the whole drag
		}
		return []view.Action{g.Show(from, to-from, from, false)}
	}
	low, high := g.Column.FileOf(first)
	bin := func(x, y float64) int { // kept within the file
		from, _ := l.Position(low)
		to, _ := l.Position(high)
		return min(max(s.near(x, y), from/l.Bin), max((to-1)/l.Bin, 0))
	}
	was, is := bin(in.X-in.DX, in.Y-in.DY), bin(in.X, in.Y)
	if was == is {
		return nil
	}
	p0, _ := l.Position(first)
	p1, _ := l.Position(end)
	top, bottom := p0/l.Bin, max((p1-1)/l.Bin, p0/l.Bin)
	from, to := l.Span(is)
	switch {
	case was == bottom && (was != top || is > was): // the lower end
		if is < top {
			_, end := l.Span(top)
			return []view.Action{g.Show(from, end-from, first, true)}
		}
		return []view.Action{g.Show(first, to-first, first, true)}
	case was == top:
		if is > bottom {
			b, _ := l.Span(bottom)
			return []view.Action{g.Show(b, to-b, first, true)}
		}
		return []view.Action{g.Show(from, end-from, first, true)}
	}
	a, _ := l.Span(was)
	return []view.Action{g.Show(first+from-a, end-first, first, true)}
}
