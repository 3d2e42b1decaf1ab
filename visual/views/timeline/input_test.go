package timeline

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

func TestInput(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300)
	input := func(in view.Input) view.Action {
		t.Helper()
		as := picture{}.Input(f, g, in)
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
	// A drag takes the time with it.
	f.Camera = *input(view.Input{Kind: view.Drag, X: x + 30, Y: y0 + 3, DX: 30, FromX: x, FromY: y0 + 3}).Camera
	if got := layout(f, g).Time(x + 30); math.Abs(got-before) > 1e-9 {
		t.Errorf("dragged: %g, want %g", got, before)
	}
	// A drag below the data selects a time, as one action that goes on.
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
	f.Camera = *input(view.Input{Kind: view.Press, Key: "z"}).Camera
	if r := layout(f, g); math.Abs(r.From-10) > 1e-9 || math.Abs(r.To-30) > 1e-9 {
		t.Errorf("z shows %g to %g", r.From, r.To)
	}
	f.Camera = view.Camera{Scale: 1}
	f.Camera = *input(view.Input{Kind: view.DoubleClick, X: at(50), Y: layoutBar(f, g, 1)}).Camera
	if r := layout(f, g); math.Abs(r.From-0) > 16 || math.Abs(r.To-105) > 16 {
		t.Errorf("a double click shows %g to %g", r.From, r.To)
	}
	if a := input(view.Input{Kind: view.Press, Key: "m"}); a.Do != view.SetParam || a.Name != "messages" || a.Value != "true" {
		t.Errorf("m gives %+v", a)
	}
	f.State.Shared.Selection = view.Selection{}
	if a := input(view.Input{Kind: view.Press, Key: "w"}); a.Do != view.SetWindow || a.Window != nil {
		t.Errorf("w without a time gives %+v", a)
	}
	if as := (picture{}).Input(f, g, view.Input{Kind: view.Press, Key: "z"}); len(as) != 0 {
		t.Errorf("z without a time gives %+v", as)
	}
}

func layoutBar(f *view.Frame, g *Geometry, row int) float64 {
	y0, y1 := layout(f, g).bar(row)
	return (y0 + y1) / 2
}

// TestAnyFrame draws, hits and locates in frames of any size under any camera: nothing may fail, and nothing is drawn outside the area.
func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Small(), 600, 300, "messages", "true")
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 {
			return rapid.OneOf(rapid.Float64Range(-50, 700), rapid.SampledFrom([]float64{0, 1e-30, 1e12, -1e12})).Draw(t, name)
		}
		area := view.Rect{X0: num("x"), Y0: num("y")}
		area.X1, area.Y1 = area.X0+rapid.Float64Range(0, 900).Draw(t, "w"), area.Y0+rapid.Float64Range(0, 900).Draw(t, "h")
		f := &view.Frame{
			Area: area, Clip: area, Style: view.NewStyle(true, 12), Text: glyphs, Trace: "t", State: &view.State{},
			Camera: view.Camera{X: num("cx"), Y: num("cy"), Scale: math.Abs(num("scale")), ScaleY: math.Abs(num("scale y"))},
		}
		if rapid.Bool().Draw(t, "limited") {
			until := rapid.Int64Range(-10, 200).Draw(t, "until")
			f.Until = &until
		}
		f.State.Shared.Selection = view.Subtree("t", 1)
		f.State.Shared.Window = &view.Span{First: 3, Last: 60}
		l := scene.New(1000, 1000)
		picture{}.Base(f, g, l)
		picture{}.Overlay(f, g, l)
		picture{}.Legend(f, g)
		if l.Open() != 0 {
			t.Fatalf("%d clips are open", l.Open())
		}
		x, y := num("mx"), num("my")
		if s, ok := (picture{}).Hit(f, g, x, y); ok && s.Empty() {
			t.Fatal("hit nothing")
		}
		picture{}.Tip(f, g, x, y)
		var m view.Model
		_ = m.Apply(view.Action{Do: view.OpenTrace, Name: "t"})
		_ = m.Apply(view.Action{Do: view.AddPane, Name: "timeline", Value: "t"})
		in := view.Input{
			Kind: view.InputKind(rapid.IntRange(0, 9).Draw(t, "kind")), X: x, Y: y, DX: num("dx"), DY: num("dy"), FromX: num("from x"), FromY: num("from y"),
			Key: rapid.SampledFrom([]string{"z", "w", "m", "+", "-", "ArrowUp", "ArrowLeft", "0"}).Draw(t, "key"), Shift: rapid.Bool().Draw(t, "shift"),
		}
		for _, a := range (picture{}).Input(f, g, in) {
			if err := m.Apply(a); err != nil {
				t.Fatalf("%+v gives %+v: %v", in, a, err)
			}
		}
	})
}
