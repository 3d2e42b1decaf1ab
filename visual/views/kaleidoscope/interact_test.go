package kaleidoscope

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// pixelOf returns the pixel of a task of quick sort.
func pixelOf(f *view.Frame, task uint64) (x, y float64) {
	a := angleOf[task]
	sin, cos := math.Sincos(a.angle * math.Pi / 180)
	return f.ToPixel(float64(a.level)*cos, float64(a.level)*sin)
}

func TestTip(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "p", PEs: 2})
	proc := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "merge/3"})
	first := m.Dict().Add(tracer.Code{Type: tracer.Clause, Parent: proc, File: "p.fghc", Line: 4})
	second := m.Dict().Add(tracer.Code{Type: tracer.Clause, Parent: proc, File: "p.fghc", Line: 7})
	s := m.Stream(tracer.StreamInfo{})
	for i, e := range []tracer.Event{{Task: 1, Code: first, PE: 1, Value: 1500}, {Task: 2, Ref: 1, Code: second, PE: 0}, {Task: 1234, Ref: 1, Code: 0, PE: tracer.None}} {
		e.Kind, e.Time = tracer.Reduce, int64(i+5)*1000
		*s.Slot() = e
	}
	s.Sync()
	g, f := shown(t, m, 400)
	for _, c := range []struct {
		task uint64
		want []string
	}{
		{1, []string{"merge/3", "clause 1 of 2, p.fghc:4", "task 1 on PE 1, number 1 there", "at 0 ns, took 1.5 µs", "level 0, weight 4, sector 0° + 360°", "2 reductions below it"}},
		{2, []string{"merge/3", "clause 2 of 2, p.fghc:7", "task 2 on PE 0, number 1 there", "at 1 µs, took 0 ns", "level 1, weight 1, sector 0° + 180°"}},
		{1234, []string{"unknown", "task 1234 on an unknown PE", "at 2 µs, took 0 ns", "level 1, weight 1, sector 180° + 180°"}},
	} {
		x, y := center(g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: c.task}}})[0])
		tip, ok := g.Tip(f, float64(x)+3, float64(y)-2)
		if !ok || !reflect.DeepEqual(tip.Lines, c.want) || math.Hypot(tip.X-float64(x), tip.Y-float64(y)) > 0.1 {
			t.Errorf("task %d: %+v, %v; want %q at %g,%g", c.task, tip, ok, c.want, x, y)
		}
	}
	if tip, ok := g.Tip(f, 0, 0); !ok || tip.Lines[0] != "unknown" {
		t.Errorf("in the corner: %+v, %v; want the nearest node, task 1234", tip, ok)
	}
}

func TestTipOfASpoke(t *testing.T) {
	const n = 100_000
	g, f := shown(t, star(n+1, 4), 500)
	x, y := f.ToPixel(math.Cos(1), math.Sin(1))
	tip, ok := g.Tip(f, x, y)
	if !ok || !strings.HasPrefix(tip.Lines[len(tip.Lines)-1], "in a spoke of ") {
		t.Fatalf("%+v", tip)
	}
	var count, first, last int
	if _, err := scan(tip.Lines[len(tip.Lines)-1], &count, &first, &last); err != nil || last-first+1 != count || count < 50 || count > 1000 {
		t.Errorf("%q: %d tasks from %d to %d, %v", tip.Lines[len(tip.Lines)-1], count, first, last, err)
	}
	if s, _ := g.Hit(f, x, y); s.Tasks[0].First < uint64(first) || s.Tasks[0].First > uint64(last) {
		t.Errorf("task %d is not in the spoke", s.Tasks[0].First)
	}
}

// TestTipsStayInTheFrame asks for tips all over frames of many sizes.
func TestTipsStayInTheFrame(t *testing.T) {
	src := bushy(2000, 5, false)
	for _, side := range []int{120, 200, 500} {
		g, f := shown(t, src, side)
		seen := 0
		for y := 0.0; y <= float64(side); y += 17 {
			for x := 0.0; x <= float64(side); x += 17 {
				tip, ok := g.Tip(f, x, y)
				if !ok {
					continue
				}
				seen++
				l := scene.New(float32(side), float32(side))
				view.Label(f, l, float32(tip.X), float32(tip.Y), tip.Lines)
				if wrong := viewtest.Texts(l, glyphs); wrong != nil {
					t.Fatalf("%d pixels: %s", side, strings.Join(wrong, "\n"))
				}
				for i := range l.Len() {
					if o := l.Op(i); o.Kind == scene.OpRect {
						if x0, y0, x1, y1 := o.Rect(); x0 < 0 || y0 < 0 || x1 > float32(side) || y1 > float32(side) {
							t.Fatalf("%d pixels: a label at %g,%g to %g,%g", side, x0, y0, x1, y1)
						}
					}
				}
			}
		}
		if seen < 20 {
			t.Errorf("%d pixels: only %d tips", side, seen)
		}
	}
}

// TestSubtreeAndBack enters a subtree by a double click and leaves it by the trail, as in a window.
func TestSubtreeAndBack(t *testing.T) {
	var s view.State
	do := func(as ...view.Action) {
		t.Helper()
		for _, a := range as {
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	do(view.Action{Do: view.OpenTrace, Name: "t"}, view.Action{Do: view.AddPane, Name: "kaleidoscope", Value: "t"})
	show := func() (*Geometry, *view.Frame) {
		p := s.Personal.Panes[0]
		var params []string
		for k, v := range p.Params {
			params = append(params, k, v)
		}
		g, f := shown(t, quickSortTrace(), 500, params...)
		f.State, f.Trail = &s, p.Trail
		if p.Camera != (view.Camera{}) {
			f.Camera = p.Camera
		}
		return g, f
	}
	input := func(in view.Input) {
		t.Helper()
		g, f := show()
		do(g.Input(f, in)...)
	}
	_, f := show()
	x, y := pixelOf(f, 5)
	var g *Geometry
	input(view.Input{Kind: view.Wheel, X: x, Y: y, DY: 2})
	saved := s.Personal.Panes[0].Camera
	input(view.Input{Kind: view.DoubleClick, X: x, Y: y}) // the node stayed under the pointer
	if g, f = show(); g.part != 5 || g.tree.Len() != 12 || len(f.Trail) != 1 {
		t.Fatalf("part %d with %d nodes, trail %+v", g.part, g.tree.Len(), f.Trail)
	}
	rx, ry := f.ToPixel(0, 0)
	if got := g.Input(f, view.Input{Kind: view.DoubleClick, X: rx, Y: ry}); got != nil {
		t.Errorf("the root of the shown subtree was entered: %+v", got)
	}
	leaf := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 18}}})
	lx, ly := center(leaf[0])
	s.Shared.Selection = view.Subtree("t", 18)
	for _, in := range []view.Input{{Kind: view.DoubleClick, X: float64(lx), Y: float64(ly)}, {Kind: view.Press, Key: "Enter"}} {
		if got := g.Input(f, in); len(got) != 1 || got[0].Do != view.Nothing || !strings.Contains(got[0].Value, "nothing is below") {
			t.Errorf("%+v at a leaf: %+v", in, got)
		}
	}
	places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 12}}})
	cx, cy := center(places[0])
	input(view.Input{Kind: view.Click, X: float64(cx), Y: float64(cy)})
	input(view.Input{Kind: view.Press, Key: "Enter"})
	if g, f = show(); g.part != 12 || g.tree.Len() != 4 || len(f.Trail) != 2 {
		t.Fatalf("part %d with %d nodes, trail %+v", g.part, g.tree.Len(), f.Trail)
	}
	input(view.Input{Kind: view.Press, Key: "Backspace"})
	if g, _ = show(); g.part != 5 {
		t.Fatalf("back at %d", g.part)
	}
	input(view.Input{Kind: view.Press, Key: "r"})
	if g, f = show(); g.part != 0 || f.Camera != saved || len(f.Trail) != 0 {
		t.Errorf("back at %d, camera %+v, want %+v", g.part, f.Camera, saved)
	}
	input(view.Input{Kind: view.Press, Key: "f"})
	if _, f = show(); f.Camera == saved {
		t.Error("f did not show everything")
	}
}

// scan parses a tip's line about a spoke.
func scan(line string, count, first, last *int) (int, error) {
	line = strings.NewReplacer("in a spoke of ", "", ",", "", " reductions tasks ", " ", "–", " ", " reductions, tasks ", " ").Replace(line)
	return fmt.Sscan(line, count, first, last)
}
