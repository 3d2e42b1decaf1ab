package sunburst

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestLabels checks that no letter of a name leaves its arc, for any camera.
func TestLabels(t *testing.T) {
	src := viewtest.Tangle(400, 4, 3)
	g, f := shown(t, src, 800, 600)
	fit := f.Camera
	labels := 0
	check := func(t rapid.TB, scale, x, y float64) {
		f.Camera = fit
		f.Camera.Scale *= scale
		f.Camera.X, f.Camera.Y = x, y
		out := scene.New(900, 700)
		view.Draw(g, f, out)
		var arc scene.Op
		for i := range out.Len() {
			o := out.Op(i)
			if o.Kind == scene.OpArc {
				arc = o
			}
			if o.Kind != scene.OpText {
				continue
			}
			cx, cy, inner, outer, start, sweep := arc.Arc()
			if inner == 0 {
				continue // the middle
			}
			labels++
			x, y, text, style := o.Text()
			w, h := f.Text.Width(string(text), style.Size, style.Face), 0.7*style.Size
			sin, cos := math.Sincos(float64(style.Rotation))
			for _, corner := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
				dx, dy := corner[0]*float64(w)/2, corner[1]*float64(h)/2
				px, py := float64(x-cx)+dx*cos-dy*sin, float64(y-cy)+dx*sin+dy*cos
				r := math.Hypot(px, py)
				angle := math.Atan2(py, px) - float64(start)
				angle -= 2 * math.Pi * math.Floor(angle/(2*math.Pi))
				if r < float64(inner)-0.5 || r > float64(outer)+0.5 || angle > float64(sweep)+0.5/r && angle < 2*math.Pi-0.5/r {
					t.Fatalf("%q leaves its arc: at %g of %g to %g, %g of %g", text, r, inner, outer, angle, sweep)
				}
			}
		}
	}
	check(t, 2.90234375, 1, 1) // a shortened name is as long as its arc is wide
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.Float64Range(0.3, 30).Draw(t, "scale"), rapid.Float64Range(-8, 8).Draw(t, "x"), rapid.Float64Range(-8, 8).Draw(t, "y"))
	})
	if labels == 0 {
		t.Error("there were no labels")
	}
}

// TestNameOfRun checks that the middle shows as much of the name of a run as fits: without its folder, then without its arguments.
func TestNameOfRun(t *testing.T) {
	g, f := shown(t, viewtest.Tangle(400, 4, 3), 800, 600)
	s := newSheet(f, g)
	style := scene.TextStyle{Size: f.Style.Font, Anchor: scene.Middle, VAlign: scene.Center}
	for _, c := range []struct {
		radius float64 // in em
		name   string
	}{{12, "fghc/semigroup 3 64"}, {5, "semigroup 3 64"}, {4, "semigroup"}} {
		out := scene.New(800, 600)
		s.middle(out, "fghc/semigroup 3 64", c.radius*s.em, style)
		if texts := viewtest.Strings(out); texts[0] != c.name {
			t.Errorf("radius %g em: the middle shows %q, want %q", c.radius, texts[0], c.name)
		}
	}
	out := scene.New(800, 600)
	s.middle(out, "chromium.pftrace", 4*s.em, style)
	if texts := viewtest.Strings(out); !strings.HasPrefix(texts[0], "chrom") {
		t.Errorf("the middle shows %q for a file", texts[0])
	}
}

// TestAmountIsWhole checks that the amount in the middle is whole or absent.
func TestAmountIsWhole(t *testing.T) {
	absent := 0
	for side := 60.0; side < 600; side += 3 {
		g, f := shown(t, viewtest.Tangle(400, 4, 3), side, side)
		out := scene.New(float32(side), float32(side))
		view.Draw(g, f, out)
		amount, found := g.Amount(g.In[g.Root]), false
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				switch _, _, text, _ := o.Text(); {
				case string(text) == amount:
					found = true
				case strings.HasSuffix(string(text), "…") && len(text) > 5 && strings.HasPrefix(amount, strings.TrimSuffix(string(text), "…")):
					t.Errorf("%g pixels: the middle reads %q, want %q or nothing", side, text, amount)
				}
			}
		}
		if !found {
			absent++
		}
	}
	if absent == 0 {
		t.Error("the amount fits at all sizes")
	}
}
