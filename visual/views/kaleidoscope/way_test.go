package kaleidoscope

import (
	"fmt"
	"slices"
	"testing"

	"whorl/visual/view"
)

var _ view.Genealogy = &Geometry{}

// TestWays checks that a path leads back to its task, also in a view of a subtree, that paths are unique, and that the same tree grown in
// another order has the same paths, though its tasks have other numbers.
func TestWays(t *testing.T) {
	w := grown{kids: func(_, level int) int { return max(4-level, 0) }, proc: func(_, level int) int { return level }, n: 1000, pes: 3}
	all := map[string]uint64{}
	ways := func(w grown, params ...string) (moved int) {
		t.Helper()
		g, _ := shown(t, w.trace(), 300, params...)
		first := len(all) == 0
		for _, task := range g.whole.Task.All() {
			way, name, ok := g.Way(task)
			back, called, found := g.TaskAt(way)
			if !ok || !found || back != task || called != name || name == "unknown" {
				t.Fatalf("task %d, %s, is at %v; there is task %d, %s", task, name, way, back, called)
			}
			key := fmt.Sprint(way, name)
			other, there := all[key]
			if first == there {
				t.Fatalf("task %d is at %s, where task %d is", task, key, other)
			}
			if all[key] = task; there && other != task {
				moved++
			}
		}
		return moved
	}
	ways(w)
	if len(all) != 1+4+12+24+24 {
		t.Errorf("%d paths", len(all))
	}
	if n := ways(w, "root", "3"); n != 0 {
		t.Errorf("in a view of a subtree %d tasks have another path", n)
	}
	w.lifo = true
	if n := ways(w); n < 10 {
		t.Errorf("grown in another order, only %d tasks have another number", n)
	}
	g, _ := shown(t, w.trace(), 300)
	for _, way := range [][]int32{nil, {1}, {0, 4}, {0, 0, 0, 0, 0, 0}, {1 << 30}, {0, 1 << 30}} {
		if task, _, ok := g.TaskAt(way); ok {
			t.Errorf("%v leads to task %d", way, task)
		}
	}
	if way, _, ok := g.Way(1 << 40); ok || !slices.Equal(way, nil) {
		t.Errorf("an unknown task is at %v", way)
	}
}
