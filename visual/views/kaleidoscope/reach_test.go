package kaleidoscope

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"whorl/testdata/testenv"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// itemOf returns the item of a frame that contains a drawn node.
func itemOf(g *Geometry, f *view.Frame, k int32) (radial.Item, bool) {
	for it := range g.layout.Items(sight(f)) {
		if it.Shape != radial.Outside && it.First <= k && k < it.End {
			return it, true
		}
	}
	return radial.Item{}, false
}

// TestEveryElementIsReachedByZooming turns the wheel at random nodes among a million until each is drawn by itself, and checks Hit there.
// Most of them are in spokes at first.
func TestEveryElementIsReachedByZooming(t *testing.T) {
	testenv.Sequential(t)
	g, f := shown(t, large(million), 800)
	whole := f.Camera
	r := rand.New(rand.NewPCG(5, 6))
	spokes := 0
	for range 60 {
		k := r.Int32N(int32(g.layout.Len()))
		f.Camera = whole
		steps := 0
		for it, ok := itemOf(g, f, k); ; it, ok = itemOf(g, f, k) {
			if !ok || steps > 200 {
				t.Fatalf("node %d is lost at scale %g", k, f.Camera.Scale)
			}
			if it.Count() == 1 {
				break
			}
			if steps == 0 {
				spokes++
			}
			steps++
			s := sight(f)
			x, y := g.layout.Position(k, s.Distance)
			f.Camera = *g.Input(f, view.Input{Kind: view.Wheel, X: s.X + x, Y: s.Y + y, DY: 2})[0].Camera
		}
		s := sight(f)
		x, y := g.layout.Position(k, s.Distance)
		got, ok := g.Hit(f, s.X+x, s.Y+y)
		if task := g.tree.Task.At(int(g.levels.Original(k))); !ok || !got.Equal(view.Subtree("t", task)) {
			t.Errorf("at node %d: hit %+v, want task %d", k, got, task)
		}
	}
	if spokes < 20 {
		t.Errorf("only %d of 60 nodes were in spokes", spokes)
	}
}

// TestLevelsLeftOutAreReachedBySubtrees reaches a node of a level that is left out through the subtree of the node that represents it.
func TestLevelsLeftOutAreReachedBySubtrees(t *testing.T) {
	src := chain(1000, 4)
	g, f := shown(t, src, 400)
	for _, task := range []uint64{2, 477, 1000} {
		if g.levels.Before(int32(task)) > g.levels.Before(int32(task-1)) { // it is drawn
			continue
		}
		x, y, ok := newBrush(f, g).place(task)
		a := g.Input(f, view.Input{Kind: view.DoubleClick, X: x, Y: y})
		if !ok || len(a) != 1 || a[0].Do != view.EnterSubtree {
			t.Fatalf("task %d: %v, %+v", task, ok, a)
		}
		h, hf := shown(t, src, 400, "root", strconv.FormatUint(a[0].Task, 10))
		i := h.numbers().Node(task)
		if i < 0 || h.levels.fit.Needed() || h.layout.Len() != h.tree.Len() {
			t.Fatalf("task %d is not in the subtree of %d", task, a[0].Task)
		}
		hf.Camera = view.Camera{X: -float64(h.tree.Level.At(int(i))), Scale: 50} // a chain lies to the west
		px, py, _ := newBrush(hf, h).place(task)
		if got, ok := h.Hit(hf, px, py); !ok || !got.Equal(view.Subtree("t", task)) || math.Abs(px-200)+math.Abs(py-200) > 1 {
			t.Errorf("task %d: hit %+v at %g,%g", task, got, px, py)
		}
	}
}
