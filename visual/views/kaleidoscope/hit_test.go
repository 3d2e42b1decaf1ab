package kaleidoscope

import (
	"math"
	"testing"

	"whorl/visual/view"
)

// angleOf holds the angles of tasks of quick sort in degrees, from sectors computed by hand in the paper and in NUMBERS.
var angleOf = map[uint64]struct {
	level int
	angle float64
}{
	1: {0, 0}, 2: {1, 180}, 3: {2, 37.5}, 4: {2, 75 + 85.0/2}, 5: {2, 160 + 100}, 10: {3, 160 + 9.0/35*100}, 12: {3, 360 - 13.0/35*100},
}

func TestHitAndLocateQuickSort(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 500)
	for task, want := range angleOf {
		sin, cos := math.Sincos(want.angle * math.Pi / 180)
		x, y := f.ToPixel(float64(want.level)*cos, float64(want.level)*sin)
		for _, off := range [][2]float64{{0, 0}, {7, -4}, {-5, 6}} {
			got, ok := g.Hit(f, x+off[0], y+off[1])
			if !ok || !got.Equal(view.Subtree("t", task)) {
				t.Errorf("task %d at %.0f,%.0f%+v: hit %+v", task, x, y, off, got)
			}
		}
		places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: task}}})
		if len(places) != 1 || !places[0].Contains(x, y) || places[0].W() > 3 {
			t.Errorf("task %d at %.1f,%.1f is located at %v", task, x, y, places)
		}
	}
	if s, ok := g.Hit(f, 499, 1); !ok || !s.Equal(view.Subtree("t", 19)) {
		t.Errorf("in the corner: hit %+v, %v; want the nearest node, task 19", s, ok)
	}
	places := func(s view.Selection) int { s.Trace = "t"; return len(g.Locate(f, s)) }
	for _, c := range []struct {
		name string
		s    view.Selection
		want int
	}{
		{"subtree of the larger half", view.Subtree("t", 5), 12},
		{"tasks in a row, twice", view.Selection{Tasks: []view.Tasks{{First: 3, Last: 7}, {First: 5, Last: 9}}}, 7},
		{"a subtree and a task in it", view.Selection{Tasks: []view.Tasks{{First: 5, Subtree: true}, {First: 12}}}, 12},
		{"PE 3", view.Selection{PEs: []view.Span{{First: 3, Last: 3}}}, 4},
		{"PEs 1 to 2", view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}, 12},
		{"a time", view.Selection{Time: &view.Span{First: 1000, Last: 3999}}, 3},
		{"the procedure main", view.Selection{Codes: []uint32{1}}, 1},
		{"the clause of main", view.Selection{Codes: []uint32{2}}, 1},
		{"subtree and PE", view.Selection{Tasks: []view.Tasks{{First: 5, Subtree: true}}, PEs: []view.Span{{First: 1, Last: 1}}}, 4},
		{"no such task", view.Subtree("t", 99), 0},
		{"nothing", view.Selection{}, 0},
	} {
		if got := places(c.s); got != c.want {
			t.Errorf("%s: %d places, want %d", c.name, got, c.want)
		}
	}
	if n := len(g.Locate(f, view.Subtree("another trace", 5))); n != 0 {
		t.Errorf("%d places for a selection in another trace", n)
	}
}

func TestHitAmongCondensedNodes(t *testing.T) {
	// A star: child k of n is in the middle of its share of the circle.
	const n = 100_000
	g, f := shown(t, star(n+1, 4), 500)
	for _, k := range []int{0, 1, 777, n / 2, n - 1} {
		angle := (float64(k) + 0.5) / n * 2 * math.Pi
		x, y := f.ToPixel(math.Cos(angle), math.Sin(angle))
		got, ok := g.Hit(f, x, y)
		if !ok || !got.Equal(view.Subtree("t", uint64(k+2))) {
			t.Errorf("child %d: hit %+v", k, got)
		}
		places := g.Locate(f, view.Subtree("t", uint64(k+2)))
		if len(places) != 1 || !places[0].Grow(1).Contains(x, y) {
			t.Errorf("child %d at %.1f,%.1f: places %v", k, x, y, places)
		}
	}
	// A chain with condensed levels: remaining level number o is drawn on circle o, to the west.
	g, f = shown(t, chain(1000, 4), 400)
	if !g.levels.fit.Needed() || g.layout.Len() == 1000 {
		t.Fatal("nothing is condensed")
	}
	for level := range int32(1000) {
		ordinal, drawn := g.levels.fit.Drawn(level)
		x, y := f.ToPixel(-float64(ordinal), 0)
		if got, ok := g.Hit(f, x, y); drawn && (!ok || !got.Equal(view.Subtree("t", uint64(level+1)))) {
			t.Errorf("level %d: hit %+v", level, got)
		}
		// A node of a level that is left out is located at the node that represents it.
		places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: uint64(level + 1)}}})
		if len(places) != 1 || !places[0].Contains(x, y) {
			t.Errorf("level %d at %.1f,%.1f: places %v", level, x, y, places)
		}
	}
}
