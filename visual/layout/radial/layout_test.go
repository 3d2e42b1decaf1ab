package radial

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// heavy computes the weight of a node by its definition, recursively.
func heavy(t Tree, i, height int32) int64 {
	w := int64(height - t.Level.At(int(i)) + 1)
	for c := i + 1; c < i+t.Size[i]; c += t.Size[c] {
		w += heavy(t, c, height)
	}
	return w
}

func TestWeightsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := trees(60).Draw(t, "tree")
		h := tree.Height()
		whole := New(tree)
		l, _ := compute(tree, rapid.IntRange(1, 70).Draw(t, "piece"), func() error { return nil })
		if !slices.Equal(l.Start, whole.Start) || !slices.Equal(l.Sweep, whole.Sweep) {
			t.Fatal("the layout depends on the pieces in which it is computed")
		}
		deep := l.Deep
		for i, w := range Weights(tree, h) {
			if want := heavy(tree, int32(i), h); w != want {
				t.Fatalf("node %d weighs %d, want %d", i, w, want)
			}
			most := int32(0)
			for j := i; j < i+int(tree.Size[i]); j++ {
				most = max(most, tree.Level.At(j))
			}
			if deep.At(i) != most {
				t.Fatalf("deepest level below %d is %d, want %d", i, deep.At(i), most)
			}
		}
	})
}

// TestStopped ends a layout at each of its ticks.
func TestStopped(t *testing.T) {
	tree := bushy(50)
	full := errors.New("stopped")
	const pieces = 4
	for stop := range 2 * pieces {
		n := 0
		l, err := compute(tree, (tree.Len()+pieces-1)/pieces, func() error {
			if n++; n > stop {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || n != stop+1 {
			t.Errorf("stopped at tick %d of %d: %v, %v", stop+1, n, l, err)
		}
	}
}

// TestSectorsTile checks that the sectors of children follow each other, fill their parent's exactly, and are
// proportional to their weights.
func TestSectorsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := trees(80).Draw(t, "tree")
		l := New(tree)
		w := Weights(tree, l.Height)
		if n := int32(len(w)) / 2; len(w) > 0 && l.Weight(n) != w[n] {
			t.Fatalf("node %d weighs %d, want %d", n, l.Weight(n), w[n])
		}
		tile := func(first, end int32, start, sweep uint32) {
			next, total := start, int64(0)
			for c := first; c < end; c += tree.Size[c] {
				total += w[c]
			}
			for c := first; c < end; c += tree.Size[c] {
				if l.Start[c] != next {
					t.Fatalf("node %d starts at %d, want %d", c, l.Start[c], next)
				}
				next += l.Sweep[c]
				if want := float64(sweep) * float64(w[c]) / float64(total); math.Abs(float64(l.Sweep[c])-want) > 1 {
					t.Fatalf("node %d sweeps %d, want %v", c, l.Sweep[c], want)
				}
			}
			if first < end && next != start+sweep {
				t.Fatalf("children end at %d, want %d", next, start+sweep)
			}
		}
		tile(0, int32(tree.Len()), 0, Full)
		for i := range int32(tree.Len()) {
			tile(i+1, i+tree.Size[i], l.Start[i], l.Sweep[i])
		}
	})
}

func TestPosition(t *testing.T) {
	tree, names := plant("a(b c d e)")
	l := New(tree) // a quarter each
	for _, c := range []struct {
		name string
		want [2]float64
	}{{"b", [2]float64{1, 1}}, {"c", [2]float64{-1, 1}}, {"d", [2]float64{-1, -1}}, {"e", [2]float64{1, -1}}} {
		x, y := l.Position(find(t, names, c.name), 10)
		if d := 10 / math.Sqrt2; math.Abs(x-d*c.want[0]) > 1e-6 || math.Abs(y-d*c.want[1]) > 1e-6 {
			t.Errorf("%s at %v, %v; want %v, %v", c.name, x, y, d*c.want[0], d*c.want[1])
		}
	}
	if x, y := l.Position(0, 10); x != 0 || y != 0 {
		t.Errorf("a single root at %v, %v; want the centre", x, y)
	}
	tree, names = plant("a b") // two roots: the centre is not drawn
	l = New(tree)
	if x, y := l.Position(find(t, names, "b"), 10); math.Abs(x) > 1e-6 || math.Abs(y+10) > 1e-6 {
		t.Errorf("second of two roots at %v, %v; want 0, -10", x, y)
	}
}

func TestConnect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := trees(60).Draw(t, "tree")
		c := Connect(tree)
		seen := 0
		for level := int32(-1); level <= tree.Height()+1; level++ {
			last := int32(-1)
			for _, i := range c.Nodes(level) {
				if tree.Level.At(int(i)) != level || i <= last {
					t.Fatalf("node %d after %d on level %d", i, last, level)
				}
				last = i
				seen++
			}
		}
		if seen != tree.Len() {
			t.Fatalf("%d nodes connected of %d", seen, tree.Len())
		}
	})
}

func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := trees(60).Draw(t, "tree")
		l, c := New(tree), Connect(tree)
		v := View{X: 30, Y: -20, Distance: rapid.Float64Range(1, 30).Draw(t, "distance")}
		x := rapid.Float64Range(-300, 300).Draw(t, "x")
		y := rapid.Float64Range(-300, 300).Draw(t, "y")
		want := math.Inf(1)
		for i := range tree.Len() {
			nx, ny := l.Position(int32(i), v.Distance)
			want = min(want, math.Hypot(nx+v.X-x, ny+v.Y-y))
		}
		node, got := l.Nearest(c, v, x, y, math.Inf(1), nil)
		if node < 0 || math.Abs(got-want) > 1e-9 {
			t.Fatalf("nearest is %d at %v, want %v", node, got, want)
		}
	})
}

// Weights returns the weight of each node (section 3.2): the sum of its children's weights plus its own height, which is
// height - level + 1, where height is the largest level of the whole tree. The sum of all fits for any number of nodes an int32 can count.
func Weights(t Tree, height int32) []int64 {
	l := &Layout{Tree: t, Height: height, Start: make([]uint32, t.Len()), Sweep: make([]uint32, t.Len())}
	l.weigh(make([]int64, height+2), 0, t.Len())
	w := make([]int64, t.Len())
	for i := range w {
		w[i] = l.weight(i)
	}
	return w
}
