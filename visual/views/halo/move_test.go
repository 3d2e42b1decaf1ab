package halo

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestPicturesMove checks that a moving picture begins at the positions of the last one and ends at those of the next.
func TestPicturesMove(t *testing.T) {
	src := viewtest.Calls(60, 3, 5)
	o := kindtest.Open(t, Kind(), src)
	whole, _ := shownOf(t, src, 900, 600)
	id := func(node int32) string { return strconv.FormatUint(whole.ID(node), 10) }
	geometry := func(t *rapid.T) *Geometry {
		any := func(name string, of ...string) {
			if err := o.Set(name, rapid.SampledFrom(of).Draw(t, name)); err != nil {
				t.Fatal(err)
			}
		}
		any("least", "0", "1", "4", "15")
		any("hot", "0", "10")
		any("root", "0", "0", id(1), id(2))
		any("folded", "", id(3))
		r, err := o.Geometry(t.Context(), 0, 600)
		if err != nil {
			t.Fatal(err)
		}
		return r.Value.(*Geometry)
	}
	area := scene.Rect{X1: 900, Y1: 600}
	f := &view.Frame{Area: area, Clip: area, Camera: view.Camera{Scale: 1}, Style: view.NewStyle(false, 12), Text: kindtest.Glyphs, Trace: "t"}
	position := func(g *Geometry, v int32) (x, y float64, ok bool) {
		if k := g.place[v]; k >= 0 && g.nodes[k] == v {
			x, y = newSheet(f, g).position(k)
			return x, y, true
		}
		return 0, 0, false
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := geometry(t), geometry(t)
		between := func(x float64) *Geometry {
			g, _ := b.Between(a, x).(*Geometry)
			return g
		}
		first, last := between(0), between(1)
		if first == nil { // no node is in both
			for _, v := range b.nodes {
				if _, _, ok := position(a, v); ok {
					t.Fatalf("no picture between, though %s is in both", b.Name(v))
				}
			}
			return
		}
		for _, v := range b.nodes {
			x, y, _ := position(last, v)
			if wx, wy, _ := position(b, v); math.Hypot(wx-x, wy-y) > 1e-6 {
				t.Fatalf("%s ends at %g, %g instead of %g, %g", b.Name(v), x, y, wx, wy)
			}
			wx, _, ok := position(a, v)
			if !ok {
				continue
			}
			// The y depends on the height of levels, which changes in steps; the x does not.
			if x, _, _ := position(first, v); a.root == b.root && math.Abs(wx-x) > 1.5 {
				t.Fatalf("%s begins at %g instead of %g", b.Name(v), x, wx)
			}
		}
		half := between(0.5)
		l := scene.New(900, 600)
		view.Draw(half, f, l)
		if again, _ := a.Between(half, 0.3).(*Geometry); again != nil { // the next change comes before this one is complete
			view.Draw(again, f, l)
		}
	})
}
