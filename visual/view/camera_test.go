package view_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"whorl/visual/testdata/bars"
	"whorl/visual/view"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

func TestCamera(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &view.Frame{Area: scene.Rect{X0: 10, Y0: 20, X1: 410, Y1: 320}, Camera: view.Camera{
			X: rapid.Float64Range(-100, 100).Draw(t, "cx"), Y: rapid.Float64Range(-100, 100).Draw(t, "cy"), Scale: rapid.Float64Range(0.01, 100).Draw(t, "scale"),
			ScaleY: rapid.SampledFrom([]float64{0, 0.5, 7}).Draw(t, "scale y"),
		}}
		x, y := rapid.Float64Range(0, 500).Draw(t, "x"), rapid.Float64Range(0, 500).Draw(t, "y")
		wx, wy := f.ToWorld(x, y)
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("pixel %v,%v is converted to the world and back to %v,%v", x, y, px, py)
		}
		// The world point at the pointer stays in place while the wheel turns, and follows a drag.
		p := &bars.Picture{Counts: []int{1, 2, 3}}
		a := view.Navigate(p, nil, f, view.Input{Kind: view.Wheel, X: x, Y: y, DY: rapid.Float64Range(-3, 3).Draw(t, "steps")})
		before := f.Camera
		f.Camera = *a[0].Camera
		if before.ScaleY > 0 && math.Abs(f.Camera.ScaleY/before.ScaleY-f.Camera.Scale/before.Scale) > 1e-9 {
			t.Fatalf("zooming scaled x by %g and y by %g", f.Camera.Scale/before.Scale, f.Camera.ScaleY/before.ScaleY)
		}
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("zooming moved %v,%v to %v,%v", x, y, px, py)
		}
		a = view.Navigate(p, nil, f, view.Input{Kind: view.Drag, DX: 7, DY: -3})
		f.Camera = *a[0].Camera
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x-7)+math.Abs(py-y+3) > 1e-6 {
			t.Fatalf("dragging moved %v,%v to %v,%v", x, y, px, py)
		}
	})
	c := view.Fit(scene.Rect{X0: -1, Y0: -2, X1: 3, Y1: 2}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10)
	if c != (view.Camera{X: 1, Y: 0, Scale: 50}) {
		t.Errorf("fitted to %+v", c)
	}
	if c := view.Fit(scene.Rect{X0: 5, Y0: 5, X1: 5, Y1: 5}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10); c != (view.Camera{X: 5, Y: 5, Scale: 1}) {
		t.Errorf("a point is fitted to %+v", c)
	}
}

func TestNavigate(t *testing.T) {
	f := &view.Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: view.Camera{X: 1.5, Y: 0, Scale: 100}, State: &view.State{}}
	k, p := bars.Kind(view.Legend{}), &bars.Picture{Counts: []int{1, 2, 3}}
	pe1 := view.Selection{PEs: []view.Span{{1, 1}}}
	for _, c := range []struct {
		in   view.Input
		want []view.Action
	}{
		{view.Input{Kind: view.Click, X: 150, Y: 50}, []view.Action{{Do: view.Select, Selection: &pe1}}},
		{view.Input{Kind: view.Click, X: -150, Y: 50}, []view.Action{{Do: view.Select}}},
		{view.Input{Kind: view.Move, X: 150, Y: 50}, []view.Action{{Do: view.Hover, Selection: &pe1}}},
		{view.Input{Kind: view.Leave}, []view.Action{{Do: view.Hover}}},
		{view.Input{Kind: view.Press, Key: "p", Pane: 2}, []view.Action{{Do: view.SetParam, Pane: 2, Name: "scale", Value: "2"}}},
		{view.Input{Kind: view.Press, Key: "x"}, nil},
	} {
		if got := k.Answer(p, f, c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.in, got, c.want)
		}
	}
	f.State.Personal.Hover = pe1
	if got := k.Answer(p, f, view.Input{Kind: view.Move, X: 160, Y: 50}); got != nil {
		t.Errorf("moving within the hovered thing returns %+v, want nil", got)
	}
}

func TestCommonKeys(t *testing.T) {
	p := &bars.Picture{Counts: []int{1, 2, 3}}
	f := &view.Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: view.Camera{X: 1.5, Y: 0, Scale: 100}, State: &view.State{}}
	for _, key := range view.Keys {
		got := view.Navigate(p, nil, f, view.Input{Kind: view.Press, Key: key.Key, Pane: 2})
		if len(got) != 1 || got[0].Pane != 2 || key.Doc == "" {
			t.Errorf("%s: %+v", key.Key, got)
		}
	}
	if got := view.Navigate(p, nil, f, view.Input{Kind: view.Press, Key: "ArrowRight"}); got[0].Camera.X != 1.8 || got[0].Camera.Scale != 100 {
		t.Errorf("moved to %+v", got[0].Camera)
	}
}

// TestClicksOnSets: a click with Shift adds to the selection, one with Alt takes away, and one beside everything changes nothing.
func TestClicksOnSets(t *testing.T) {
	p, k := &bars.Picture{Counts: []int{1, 2, 3}}, new(view.Kind)
	f := &view.Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: view.Camera{X: 1.5, Y: 0, Scale: 100}, State: &view.State{}}
	for _, c := range []struct {
		in   view.Input
		want []view.Span
	}{
		{view.Input{X: 50}, []view.Span{{0, 0}}},
		{view.Input{X: 150, Shift: true}, []view.Span{{0, 0}, {1, 1}}},
		{view.Input{X: 1500, Shift: true}, []view.Span{{0, 0}, {1, 1}}},
		{view.Input{X: 50, Alt: true}, []view.Span{{1, 1}}},
		{view.Input{X: 50, Alt: true}, []view.Span{{1, 1}}},
		{view.Input{X: 1500, Alt: true}, []view.Span{{1, 1}}},
		{view.Input{X: 150, Alt: true}, nil},
		{view.Input{X: 1500}, nil},
	} {
		c.in.Kind, c.in.Y = view.Click, 50
		for _, a := range k.Answer(p, f, c.in) {
			if err := f.State.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.State.Shared.Selection.PEs; !slices.Equal(got, c.want) {
			t.Errorf("after %+v the PEs %v are selected, want %v", c.in, got, c.want)
		}
	}
}
