package kaleidoscope

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestWindowMutesAllElse checks that exactly the nodes that ran in a time window are drawn over the veil, with and without a selection.
func TestWindowMutesAllElse(t *testing.T) {
	g, f := shown(t, snail(12, 5, true), 700, "distance", "1")
	f.State = &view.State{}
	first, last := slices.Min(g.tree.Time.Numbers()), slices.Max(g.tree.Time.Numbers())
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &view.Span{First: rapid.Int64Range(first-3, last+3).Draw(t, "from")}
		w.Last = w.First + rapid.Int64Range(0, last-first).Draw(t, "length")
		f.State.Shared = view.Shared{Window: w}
		half := rapid.Bool().Draw(t, "selection")
		if half {
			f.State.Shared.Selection = view.Selection{Trace: "t", Time: &view.Span{First: first, Last: (first + last) / 2}}
		}
		want := map[[2]int32]bool{}
		b := newBrush(f, g)
		b.collect()
		for i := range b.items {
			it := &b.items[i]
			if it.Shape != radial.Node {
				t.Fatal("the test wants every node drawn by itself")
			}
			at := g.time.At(int(it.First))
			if in := w.Contains(at) && (!half || at <= (first+last)/2); in {
				x, y := b.pixel(float64(it.Circle), it.Angle())
				want[cell(x, y)] = true
			}
		}
		out := scene.New(700, 700)
		g.Overlay(f, out)
		veiled := false
		got := map[[2]int32]bool{}
		for i := range out.Len() {
			switch o := out.Op(i); o.Kind {
			case scene.OpRect:
				veiled = veiled || o.Color.A == 175
			case scene.OpMarks:
				_, _, xy := o.Marks()
				for k := 0; k < len(xy); k += 2 {
					got[cell(xy[k], xy[k+1])] = true
				}
			case scene.OpPolyline: // lines of leaves
				if p, s := o.Polyline(); !s.Closed && len(p) == 4 {
					if c := cell(p[2], p[3]); want[c] {
						got[c] = true
					}
				}
			}
		}
		if !veiled {
			t.Fatal("there is no veil")
		}
		for c := range want {
			if !got[c] {
				t.Fatalf("window %v: a node at %v is not lit", *w, c)
			}
		}
		for c := range got {
			if !want[c] {
				t.Fatalf("window %v: a node at %v is lit", *w, c)
			}
		}
		seen += len(want)
	})
	if seen == 0 {
		t.Error("no window held a node")
	}
	f.State.Shared = view.Shared{}
	out := scene.New(700, 700)
	if g.Overlay(f, out); out.Len() != 0 {
		t.Error("there is a veil without a window")
	}
}
