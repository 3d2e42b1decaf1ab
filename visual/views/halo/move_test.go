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

// A picture begins to move where the last one is and ends where the next one is: no node jumps, whatever changes, and the nodes that are on both
// move without turning back.
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
	at := func(g *Geometry, v int32) (x, y float64, ok bool) {
		if k := g.at[v]; k >= 0 && g.nodes[k] == v {
			x, y = newSheet(f, g).at(k)
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
		if first == nil { // nothing is on both
			for _, v := range b.nodes {
				if _, _, ok := at(a, v); ok {
					t.Fatal("there is no way")
				}
			}
			return
		}
		for _, v := range b.nodes {
			x, y, _ := at(last, v)
			if wx, wy, _ := at(b, v); math.Hypot(wx-x, wy-y) > 1e-6 {
				t.Fatalf("%s ends at %g, %g instead of %g, %g", b.Name(v), x, y, wx, wy)
			}
			wx, _, ok := at(a, v)
			if !ok {
				continue
			}
			// Its height follows the room that levels have, which comes in steps; its place in the width does not.
			if x, _, _ := at(first, v); a.root == b.root && math.Abs(wx-x) > 1.5 {
				t.Fatalf("%s begins at %g instead of %g", b.Name(v), x, wx)
			}
		}
		half := between(0.5)
		l := scene.New(900, 600)
		view.Draw(half, f, l)
		if again, _ := a.Between(half, 0.3).(*Geometry); again != nil { // somebody is faster than the picture
			view.Draw(again, f, l)
		}
	})
}
