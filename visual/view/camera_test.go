package view

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

func TestCamera(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &Frame{Area: scene.Rect{X0: 10, Y0: 20, X1: 410, Y1: 320}, Camera: Camera{
			X: rapid.Float64Range(-100, 100).Draw(t, "cx"), Y: rapid.Float64Range(-100, 100).Draw(t, "cy"), Scale: rapid.Float64Range(0.01, 100).Draw(t, "scale"),
			ScaleY: rapid.SampledFrom([]float64{0, 0.5, 7}).Draw(t, "scale y"),
		}}
		x, y := rapid.Float64Range(0, 500).Draw(t, "x"), rapid.Float64Range(0, 500).Draw(t, "y")
		wx, wy := f.ToWorld(x, y)
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("pixel %v,%v is converted to the world and back to %v,%v", x, y, px, py)
		}
		// The world point at the pointer stays in place while the wheel turns, and follows a drag.
		p := &bars{counts: []int{1, 2, 3}}
		a := Navigate(p, nil, f, Input{Kind: Wheel, X: x, Y: y, DY: rapid.Float64Range(-3, 3).Draw(t, "steps")})
		before := f.Camera
		f.Camera = *a[0].Camera
		if before.ScaleY > 0 && math.Abs(f.Camera.ScaleY/before.ScaleY-f.Camera.Scale/before.Scale) > 1e-9 {
			t.Fatalf("zooming scaled x by %g and y by %g", f.Camera.Scale/before.Scale, f.Camera.ScaleY/before.ScaleY)
		}
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("zooming moved %v,%v to %v,%v", x, y, px, py)
		}
		a = Navigate(p, nil, f, Input{Kind: Drag, DX: 7, DY: -3})
		f.Camera = *a[0].Camera
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x-7)+math.Abs(py-y+3) > 1e-6 {
			t.Fatalf("dragging moved %v,%v to %v,%v", x, y, px, py)
		}
	})
	c := Fit(scene.Rect{X0: -1, Y0: -2, X1: 3, Y1: 2}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10)
	if c != (Camera{X: 1, Y: 0, Scale: 50}) {
		t.Errorf("fitted to %+v", c)
	}
	if c := Fit(scene.Rect{X0: 5, Y0: 5, X1: 5, Y1: 5}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10); c != (Camera{X: 5, Y: 5, Scale: 1}) {
		t.Errorf("a point is fitted to %+v", c)
	}
}

func TestNavigate(t *testing.T) {
	f := &Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: Camera{X: 1.5, Y: 0, Scale: 100}, State: &State{}}
	k, p := barKind(Legend{}), &bars{counts: []int{1, 2, 3}}
	pe1 := Selection{PEs: []Span{{1, 1}}}
	for _, c := range []struct {
		in   Input
		want []Action
	}{
		{Input{Kind: Click, X: 150, Y: 50}, []Action{{Do: Select, Selection: &pe1}}},
		{Input{Kind: Click, X: -150, Y: 50}, []Action{{Do: Select}}},
		{Input{Kind: Move, X: 150, Y: 50}, []Action{{Do: Hover, Selection: &pe1}}},
		{Input{Kind: Leave}, []Action{{Do: Hover}}},
		{Input{Kind: Press, Key: "p", Pane: 2}, []Action{{Do: SetParam, Pane: 2, Name: "scale", Value: "2"}}},
		{Input{Kind: Press, Key: "x"}, nil},
	} {
		if got := k.Answer(p, f, c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.in, got, c.want)
		}
	}
	f.State.Personal.Hover = pe1
	if got := k.Answer(p, f, Input{Kind: Move, X: 160, Y: 50}); got != nil {
		t.Errorf("moving within the hovered thing returns %+v, want nil", got)
	}
}
