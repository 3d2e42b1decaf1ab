package overview

import (
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// A hand performs the inputs of a user and applies the resulting actions to a state.
type hand struct {
	*testing.T
	g *Geometry
	f *view.Frame
}

func (h *hand) do(in view.Input) {
	h.Helper()
	for _, a := range h.g.Input(h.f, in) {
		switch a.Do {
		case view.SetCamera:
			h.f.Camera = view.Fit(h.g.Bounds(), h.f.Area, 6)
			if a.Camera != nil {
				h.f.Camera = *a.Camera
			}
		case view.SetDetail, view.Select, view.Hover:
			if err := h.f.State.Apply(a); err != nil {
				h.Fatal(err)
			}
			h.f.Detail = h.f.State.Shared.Detail
		default:
			h.Fatalf("%+v gives %+v", in, a)
		}
	}
}

// cell returns the middle of the cell of a line, counted from 1.
func (h *hand) cell(line int) (x, y float64) {
	s := layout(h.f, h.g)
	p, _ := h.g.layout.Position(line - 1)
	strip, row := h.g.layout.Cell(p / h.g.layout.Bin)
	return (s.x(strip) + s.end(strip)) / 2, (s.y(row) + s.y(row+1)) / 2
}

// drag drags from line to line.
func (h *hand) drag(lines ...int) {
	h.Helper()
	x0, y0 := h.cell(lines[0])
	h.do(view.Input{Kind: view.DragStart, X: x0, Y: y0, FromX: x0, FromY: y0})
	lx, ly := x0, y0
	for _, line := range lines[1:] {
		x, y := h.cell(line)
		h.do(view.Input{Kind: view.Drag, X: x, Y: y, DX: x - lx, DY: y - ly, FromX: x0, FromY: y0})
		lx, ly = x, y
	}
	h.do(view.Input{Kind: view.DragEnd, X: lx, Y: ly, FromX: x0, FromY: y0})
}

func (h *hand) detail(what string, first, last int32) {
	h.Helper()
	want := view.Lines{File: "spin.f90", First: first, Last: last}
	if l := h.f.Detail; l == nil || *l != want {
		h.Errorf("%s: the detail is %+v, want %+v", what, l, want)
	}
}

// TestDiveAndDrag clicks and drags to change the detail. Lines 13 to 81 are left out; strips have eight lines.
func TestDiveAndDrag(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 900, 600, "bin", "1", "strip", "8", "skip", "20")
	h := &hand{t, g, f}
	x, y := h.cell(11)
	h.f.State.Shared.Detail, h.f.Detail = nil, &view.Lines{File: "spin.f90", First: 1, Last: 6}
	h.do(view.Input{Kind: view.Click, X: x, Y: y})
	h.detail("a click", 8, 13)
	if s := f.State.Shared.Selection; len(s.Lines) != 1 || s.Lines[0].First != 11 {
		t.Errorf("a click selects %+v, want line 11", s)
	}
	x, y = h.cell(90)
	h.do(view.Input{Kind: view.Click, X: x, Y: y})
	h.detail("a click at the end", 85, 90)
	h.drag(3, 4, 7, 10)
	h.detail("swept down over two strips", 3, 10)
	h.drag(10, 12)
	h.detail("the lower end down", 3, 12)
	h.drag(12, 9, 6)
	h.detail("the lower end up", 3, 6)
	h.drag(3, 2)
	h.detail("the upper end up", 2, 6)
	h.drag(2, 4)
	h.detail("the upper end down", 4, 6)
	h.drag(5, 6, 8)
	h.detail("moved", 7, 9)
	h.drag(9, 5)
	h.detail("the lower end past the upper one", 5, 7)
	h.drag(5, 10)
	h.detail("the upper end past the lower one", 7, 10)
	h.drag(85, 84, 82)
	h.detail("swept up", 82, 85)
	h.drag(12, 82)
	h.detail("over what is left out", 12, 82)
	h.do(view.Input{Kind: view.Press, Key: "PageUp"})
	h.detail("a length up, at the beginning", 1, 71)
	h.drag(3, 4, 3) // inside the rectangle, and back
	h.detail("there and back", 1, 71)
}

// TestZoom checks that zooming keeps the point under the pointer and that Reveal shows a line out of sight.
func TestZoom(t *testing.T) {
	g, f := shown(t, viewtest.Spike(20_000, 4, 1), 900, 600)
	h := &hand{t, g, f}
	x, y := f.Area.X0+500, f.Area.Y0+300
	bin, ok := layout(f, g).bin(x, y)
	for range 6 {
		h.do(view.Input{Kind: view.Wheel, X: x, Y: y, DY: 1})
		if b, is := layout(f, g).bin(x, y); !ok || !is || b != bin {
			t.Fatalf("bin %d is under the pointer, want %d", b, bin)
		}
	}
	sel := g.Select("t", g.layout.Line(0), g.layout.Line(0)+1)
	if places := g.Locate(f, sel); len(places) != 0 {
		t.Fatalf("the first line is seen at %v", places)
	}
	c, ok := g.Reveal(f, sel)
	if f.Camera = c; !ok || len(g.Locate(f, sel)) != 1 {
		t.Error("the first line is not shown")
	}
	if _, ok := g.Reveal(f, sel); ok {
		t.Error("Reveal moves to a visible line")
	}
	for range 30 {
		h.do(view.Input{Kind: view.Wheel, X: x, Y: y, DY: -1})
	}
	if s := layout(f, g); s.X.Scale != s.X.Fit || s.Y.Scale != s.Y.Fit {
		t.Error("zooming out does not end with everything visible")
	}
}

// TestBorderIsTaken drags the golden rectangle at its border, a little outside its lines.
func TestBorderIsTaken(t *testing.T) {
	for _, c := range []struct {
		below float64
		last  int32
	}{{border - 1, 6}, {border + 2, 8}} {
		g, f := shown(t, viewtest.Sampled(), 900, 600, "bin", "1", "strip", "8", "skip", "20")
		h := &hand{t, g, f}
		lines := view.Lines{File: "spin.f90", First: 3, Last: 8} // to the end of the strip
		h.f.State.Shared.Detail, h.f.Detail = &lines, &lines
		x, to := h.cell(6)
		from := layout(f, g).In.Y1 + c.below
		h.do(view.Input{Kind: view.DragStart, X: x, Y: from, FromX: x, FromY: from})
		h.do(view.Input{Kind: view.Drag, X: x, Y: to, DY: to - from, FromX: x, FromY: from})
		h.detail("the border taken, and dragged up", 3, c.last)
	}
}
