package radial

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/testenv"
)

func whole(distance float64) View {
	return View{X: 500, Y: 500, Distance: distance, X1: 1000, Y1: 1000, Cut: 1}
}

// visit collects a view's items and checks their invariants: they cover the preorder once, in order, and a spoke is
// thinner than the cut on its outermost circle.
func visit(t interface{ Fatalf(string, ...any) }, l *Layout, v View) (items []Item) {
	next := int32(0)
	for it := range l.Items(v) {
		if it.First != next || it.End <= it.First || l.Parent[it.First] != l.Parent[it.Last] || it.Last+l.Size[it.Last] < it.End {
			t.Fatalf("item %+v after node %d", it, next)
		}
		next = it.End
		outer := int32(0)
		for i := it.First; i < it.End; i++ {
			outer = max(outer, l.Circle(i))
		}
		if it.Shape != Node && it.Outer != outer || it.Circle != l.Circle(it.First) {
			t.Fatalf("item %+v reaches circle %d", it, outer)
		}
		if arc := it.Sweep * math.Pi / 180 * v.Distance * float64(it.Outer); it.Shape == Spoke && arc >= v.Cut {
			t.Fatalf("spoke %+v is %v pixels thick", it, arc)
		}
		if it.Shape == Node && it.Count() != 1 {
			t.Fatalf("node %+v", it)
		}
		items = append(items, it)
	}
	if int(next) != l.Len() {
		t.Fatalf("items end at %d of %d", next, l.Len())
	}
	return items
}

func TestItemsOfQuickSort(t *testing.T) {
	tree, names := plant(quickSort)
	l := New(tree)
	for _, it := range visit(t, l, whole(20)) {
		if it.Shape != Node {
			t.Errorf("%s is %+v in a window with room for all nodes", names[it.First], it)
		}
	}
	small := whole(0.1) // the whole tree within four pixels: six circles 0.6 pixels apart
	if items := visit(t, l, small); len(items) == l.Len() || items[0].Shape != Node {
		t.Errorf("%d items in a tiny window", len(items))
	}
	small.Cut = 0
	if items := visit(t, l, small); len(items) != l.Len() {
		t.Errorf("%d items without a cut, want %d", len(items), l.Len())
	}
}

// TestItemsMissNothing checks that without a cut every family polygon with a sample point in the window is kept: its
// node is an item, and so are all of its children.
func TestItemsMissNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := New(trees(60).Draw(t, "tree"))
		v := View{Distance: rapid.Float64Range(5, 40).Draw(t, "distance")}
		v.X = rapid.Float64Range(-300, 300).Draw(t, "x")
		v.Y = rapid.Float64Range(-300, 300).Draw(t, "y")
		v.X1 = rapid.Float64Range(1, 200).Draw(t, "width")
		v.Y1 = rapid.Float64Range(1, 200).Draw(t, "height")
		in := func(x, y float64) bool {
			x, y = x+v.X, y+v.Y
			return x >= v.X0 && x <= v.X1 && y >= v.Y0 && y <= v.Y1
		}
		shape := make([]Shape, l.Len())
		corner := make([]bool, l.Len())
		for _, it := range visit(t, l, v) {
			for i := it.First; i < it.End; i++ {
				shape[i] = it.Shape
			}
			corner[it.First], corner[it.Last] = true, true
			if it.First != it.Last { // siblings between may be skipped only where the chord equals the arc
				r := float64(it.Circle) * v.Distance
				if sag := r * (1 - math.Cos(it.Sweep/2*math.Pi/180)); sag > 0.26 {
					t.Fatalf("%+v skips corners %v pixels off", it, sag)
				}
			}
		}
		for i := range int32(l.Len()) {
			px, py := l.Position(i, v.Distance)
			if in(px, py) && shape[i] != Node {
				t.Fatalf("node %d is in the window and has shape %d", i, shape[i])
			}
			var cs [][2]float64
			for c := i + 1; c < i+l.Size[i]; c += l.Size[c] {
				x, y := l.Position(c, v.Distance)
				cs = append(cs, [2]float64{x, y})
			}
			for k := range cs {
				a, b := cs[max(k-1, 0)], cs[k] // corners of the triangle (node, a, b)
				for _, s := range []float64{0, .125, .25, .375, .5, .625, .75, .875, 1} {
					for _, u := range []float64{0.1, .3, .5, .7, .9, 1} {
						x := px + u*(a[0]*s+b[0]*(1-s)-px)
						y := py + u*(a[1]*s+b[1]*(1-s)-py)
						if in(x, y) && shape[i] != Node {
							t.Fatalf("the family of node %d shows at %v, %v and has shape %d", i, x, y, shape[i])
						}
					}
				}
			}
		}
	})
}

func TestItemsStop(t *testing.T) {
	tree, _ := plant(quickSort)
	n := 0
	for range New(tree).Items(whole(20)) {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("%d items after a break at 5", n)
	}
	for range New(star(5000)).Items(whole(2)) {
		if n++; n == 7 {
			break
		}
	}
}

// TestExtremes checks on extreme trees that the number of items stays bounded and that no node is lost.
func TestExtremes(t *testing.T) {
	n := 1_000_000
	if testenv.Race {
		n = 100_000
	}
	for _, c := range []struct {
		name  string
		tree  Tree
		nodes int // after level condensing in a window of 850 pixels
	}{
		{"chain", chain(n), 107},
		{"star", star(n), n},
		{"arm", arm(n), 107},
		{"bushy", bushy(n), n},
	} {
		left := Condense(c.tree, Fit(850, 4, c.tree.Height(), c.tree.Center()))
		if left.Len() != c.nodes {
			t.Errorf("%s: %d nodes left, want %d", c.name, left.Len(), c.nodes)
		}
		for _, tree := range []Tree{c.tree, left.Tree} {
			l := New(tree)
			v := whole(4)
			if tree.Height() > 106 {
				v.Distance = 425 / float64(tree.Height()) // a tiny distance instead of condensing
			}
			items := visit(t, l, v)
			if len(items) > 1_100_000 || tree.Height() <= 106 && len(items) > 40_000 {
				t.Errorf("%s: %d items", c.name, len(items))
			}
		}
	}
	w := Weights(chain(n), int32(n-1))
	if want := int64(n) * int64(n+1) / 2; w[0] != want {
		t.Errorf("chain of %d weighs %d, want %d", n, w[0], want)
	}
}

// TestOutlierStays checks that one long arm among a million leaves remains visible as a spoke that reaches farther
// than all others.
func TestOutlierStays(t *testing.T) {
	const n, at, long = 1_000_000, 345_678, 40
	levels := make([]int32, 1, n+long)
	for i := 1; i < n; i++ {
		levels = append(levels, 1)
		if i == at {
			for l := range int32(long) {
				levels = append(levels, 2+l)
			}
		}
	}
	l := New(fromLevels(levels))
	far := 0
	for _, it := range visit(t, l, whole(10)) {
		if it.Outer == long+1 && it.First > 0 {
			far++
			if it.First > at || it.End <= at {
				t.Errorf("the arm is in item %+v, want one that contains node %d", it, at)
			}
		}
	}
	if far == 0 {
		t.Error("no item contains the long arm")
	}
}

// TestZoomSkips checks that only nodes near the window are visited when zoomed in.
func TestZoomSkips(t *testing.T) {
	l := New(bushy(200_000))
	full := visit(t, l, whole(30))
	v := whole(30)
	v.Distance *= 50
	x, y := l.Position(150_000, v.Distance)
	v.X, v.Y = 500-x, 500-y
	near := visit(t, l, v)
	seen := false
	for _, it := range near {
		seen = seen || it.Shape == Node && it.First == 150_000
	}
	if !seen {
		t.Error("the node in the middle of the window has no item of its own")
	}
	if len(near) > len(full) {
		t.Errorf("%d items zoomed in, %d in the full view", len(near), len(full))
	}
}
