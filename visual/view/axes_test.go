package view

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

// TestAxes zooms and moves at random. It checks that the visible range stays within the world, and that the point at the pointer stays in
// place unless the world or the scales are exceeded.
func TestAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Axes{In: scene.Rect{X0: 30, Y0: 10, X1: 430, Y1: 310}}
		a.X = Axis{World: rapid.Float64Range(1, 1e4).Draw(t, "width"), Most: 1e3}
		a.Y = Axis{World: rapid.Float64Range(1, 1e9).Draw(t, "height"), Most: 50, Margin: 5, Begin: rapid.Bool().Draw(t, "begin")}
		a.X.Fit, a.Y.Fit = a.In.W()/a.X.World, (a.In.H()-2*a.Y.Margin)/a.Y.World
		a.Look(Camera{})
		if *a.Settled() != (Camera{}) {
			t.Fatalf("the initial camera is %+v, want one that shows everything", a.Shown())
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			in := Input{Kind: Wheel, X: rapid.Float64Range(30, 430).Draw(t, "x"), Y: rapid.Float64Range(10, 310).Draw(t, "y"), DY: rapid.Float64Range(-5, 5).Draw(t, "by")}
			in.Ctrl, in.Alt, in.Shift = rapid.Bool().Draw(t, "ctrl"), rapid.Bool().Draw(t, "alt"), rapid.Bool().Draw(t, "shift")
			x, y := a.X.Value(in.X), a.Y.Value(in.Y)
			before := a
			acts := a.Zoom(in)
			a.Look(*acts[0].Camera)
			for _, k := range []struct {
				*Axis
				was  Axis
				kept bool
			}{{&a.X, before.X, in.Alt}, {&a.Y, before.Y, in.Ctrl}} {
				end := k.From + k.Length/k.Scale
				if slack := k.Margin/k.Scale + 1e-6*k.World; k.Scale > k.Fit*1.001 && (k.From < -slack || end > k.World+slack) || k.Scale < k.Fit*0.999 || k.Scale > max(k.Most, k.Fit)*1.001 {
					t.Fatalf("axis %+v ends at %g, outside of the world or the scales", k.Axis, end)
				}
				if k.kept && math.Abs(k.Scale/k.was.Scale-1) > 1e-3 {
					t.Fatalf("axis %+v had scale %g, want no change", k.Axis, k.was.Scale)
				}
			}
			inside := func(k *Axis) bool {
				return k.From > 1e-3*k.World && k.From+k.Length/k.Scale < 0.999*k.World && k.Scale > k.Fit*1.001
			}
			if !in.Shift && inside(&a.X) && math.Abs(a.X.ToPixel(x)-in.X) > 0.01 || !in.Shift && inside(&a.Y) && math.Abs(a.Y.ToPixel(y)-in.Y) > 0.01 {
				t.Fatalf("the point at the pointer moved from %g, %g to %g, %g", in.X, in.Y, a.X.ToPixel(x), a.Y.ToPixel(y))
			}
		}
	})
}
