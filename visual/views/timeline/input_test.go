package timeline

import (
	"math"
	"testing"

	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

func TestInput(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300)
	input := func(in view.Input) view.Action {
		t.Helper()
		as := g.Input(f, in)
		if len(as) != 1 {
			t.Fatalf("%+v gives %+v", in, as)
		}
		return as[0]
	}
	r := layout(f, g)
	y0, _ := r.bar(0)
	// The wheel zooms at the pointer.
	x := r.In.X0 + 0.3*r.In.W()
	before := r.Time(x)
	f.Camera = *input(view.Input{Kind: view.Wheel, X: x, Y: y0 + 3, DY: 4}).Camera
	r = layout(f, g)
	if got := r.Time(x); math.Abs(got-before) > 1e-9 || r.To-r.From > 60 || r.pitch != r.fit {
		t.Errorf("zoomed to %g..%g, the pointer is at %g, was at %g; pitch %g", r.From, r.To, got, before, r.pitch)
	}
	// A drag moves the time with the pointer.
	f.Camera = *input(view.Input{Kind: view.Drag, X: x + 30, Y: y0 + 3, DX: 30, FromX: x, FromY: y0 + 3}).Camera
	if got := layout(f, g).Time(x + 30); math.Abs(got-before) > 1e-9 {
		t.Errorf("dragged: %g, want %g", got, before)
	}
	// A drag below the data selects a time, as one continued action.
	f.Camera = view.Camera{Scale: 1}
	at := func(ns float64) float64 { return r.In.X0 + ns/100*r.In.W() }
	for i, kind := range []view.InputKind{view.DragStart, view.Drag, view.DragEnd} {
		a := input(view.Input{Kind: kind, X: at(30.5), FromX: at(10.5), FromY: r.In.Y1 + 4})
		if a.Do != view.Select || a.Selection.Time == nil || *a.Selection.Time != (view.Span{First: 10, Last: 30}) || a.More != (i > 0) {
			t.Errorf("sweep gives %+v %+v", a, a.Selection)
		}
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", Time: &view.Span{First: 10, Last: 30}}
	if a := input(view.Input{Kind: view.Press, Key: "w"}); a.Do != view.SetWindow || *a.Window != (view.Span{First: 10, Last: 30}) {
		t.Errorf("w gives %+v", a)
	}
	// A double click on the axis does the same, and a second one removes the window.
	axis := view.Input{Kind: view.DoubleClick, X: at(50), Y: r.In.Y1 + 4}
	if a := input(axis); a.Do != view.SetWindow || *a.Window != (view.Span{First: 10, Last: 30}) {
		t.Errorf("a double click on the axis gives %+v", a)
	}
	f.State.Shared.Window = &view.Span{First: 10, Last: 30}
	if a := input(axis); a.Do != view.SetWindow || a.Window != nil {
		t.Errorf("a second one gives %+v", a)
	}
	axis.Kind = view.Click
	if as := g.Input(f, axis); len(as) != 0 {
		t.Errorf("a click on the axis gives %+v", as)
	}
	f.State.Shared.Window = nil
	f.Camera = *input(view.Input{Kind: view.Press, Key: "z"}).Camera
	if r := layout(f, g); math.Abs(r.From-10) > 1e-9 || math.Abs(r.To-30) > 1e-9 {
		t.Errorf("z shows %g to %g", r.From, r.To)
	}
	f.Camera = view.Camera{Scale: 1}
	f.Camera = *input(view.Input{Kind: view.DoubleClick, X: at(50), Y: layoutBar(f, g, 1)}).Camera
	if r := layout(f, g); math.Abs(r.From-0) > 16 || math.Abs(r.To-105) > 16 {
		t.Errorf("a double click shows %g to %g", r.From, r.To)
	}
	if a := input(view.Input{Kind: view.Press, Key: "e"}); a.Do != view.SetParam || a.Name != "messages" || a.Value != "true" {
		t.Errorf("m gives %+v", a)
	}
	f.State.Shared.Selection = view.Selection{}
	if a := input(view.Input{Kind: view.Press, Key: "w"}); a.Do != view.SetWindow || a.Window != nil {
		t.Errorf("w without a time gives %+v", a)
	}
	if as := g.Input(f, view.Input{Kind: view.Press, Key: "z"}); len(as) != 0 {
		t.Errorf("z without a time gives %+v", as)
	}
}

func layoutBar(f *view.Frame, g *Geometry, row int) float64 {
	y0, y1 := layout(f, g).bar(row)
	return (y0 + y1) / 2
}

func TestAnyFrame(t *testing.T) {
	for _, color := range timeplot.ColorBy.Choices {
		g, _ := shown(t, viewtest.Small(), 600, 300, "messages", "true", "color", color)
		kindtest.AnyFrame(t, Kind(), g)
	}
}
