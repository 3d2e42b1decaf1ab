package tidy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func tree(t *rapid.T) Tree {
	n := rapid.IntRange(1, 60).Draw(t, "nodes")
	parent := []int32{-1}
	for v := 1; v < n; v++ { // in preorder: below the last node or one of its ancestors
		up := int32(v - 1)
		for k := rapid.IntRange(0, 4).Draw(t, "up"); k > 0 && parent[up] >= 0; k-- {
			up = parent[up]
		}
		parent = append(parent, up)
	}
	return Tree{Parent: parent, Width: rapid.SliceOfN(rapid.Float32Range(0, 5), n, n).Draw(t, "widths"), Gap: rapid.Float32Range(0, 2).Draw(t, "gap")}
}

func children(t Tree) [][]int32 {
	out := make([][]int32, len(t.Parent))
	for v := 1; v < len(t.Parent); v++ {
		out[t.Parent[v]] = append(out[t.Parent[v]], int32(v))
	}
	return out
}

const close = 1e-6

// TestPlace checks that neighbours on a level keep their distance and order, that parents stand above the middle of
// their children, and that the drawing begins at 0.
func TestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := tree(t)
		x, level := Place(tr)
		last := map[int32]int32{}
		least := math.Inf(1)
		for v := range tr.Parent {
			least = min(least, x[v]-float64(tr.Width[v])/2)
			if u, ok := last[level[v]]; ok {
				if gap := x[v] - float64(tr.Width[v])/2 - x[u] - float64(tr.Width[u])/2; gap < float64(tr.Gap)-close {
					t.Fatalf("%d and %d on level %d: %g between them, want %g", u, v, level[v], gap, tr.Gap)
				}
			}
			last[level[v]] = int32(v)
		}
		if math.Abs(least) > close {
			t.Fatalf("the drawing begins at %g", least)
		}
		for v, c := range children(tr) {
			if len(c) > 0 {
				if m := (x[c[0]] + x[c[len(c)-1]]) / 2; math.Abs(m-x[v]) > close {
					t.Fatalf("node %d stands at %g, the middle of its children is %g", v, x[v], m)
				}
			}
		}
	})
}

// TestShape checks that a subtree looks the same everywhere, and that a mirrored tree has the mirrored drawing.
func TestShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := tree(t)
		for i := range tr.Width {
			tr.Width[i] = 1
		}
		x, _ := Place(tr)
		n := len(tr.Parent)
		twice := Tree{Parent: []int32{-1}, Gap: tr.Gap}
		for range 2 {
			base := int32(len(twice.Parent))
			for v := range n {
				up := int32(0)
				if v > 0 {
					up = base + tr.Parent[v]
				}
				twice.Parent = append(twice.Parent, up)
			}
		}
		y, _ := Place(twice)
		for v := range n {
			if a, b := y[1+v]-y[1], y[1+n+v]-y[1+n]; math.Abs(a-b) > close || math.Abs(a-(x[v]-x[0])) > close {
				t.Fatalf("node %d is %g, %g and %g from its root", v, x[v]-x[0], a, b)
			}
		}
		mirror, image := mirrored(tr)
		z, _ := Place(mirror)
		for v := range n {
			if a, b := x[v]-x[0], z[0]-z[image[v]]; math.Abs(a-b) > close {
				t.Fatalf("node %d is %g from the root, and %g in the mirror", v, a, b)
			}
		}
	})
}

// mirrored returns the tree with all children reversed, and the new index of each node.
func mirrored(t Tree) (Tree, []int32) {
	kids := children(t)
	image := make([]int32, len(t.Parent))
	out := Tree{Gap: t.Gap}
	todo := []int32{0}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		image[v] = int32(len(out.Parent))
		up := int32(-1)
		if v > 0 {
			up = image[t.Parent[v]]
		}
		out.Parent = append(out.Parent, up)
		todo = append(todo, kids[v]...)
	}
	return out, image
}

// TestExtremes places deep and wide trees. A path is a straight line.
func TestExtremes(t *testing.T) {
	path := Tree{Parent: []int32{-1}}
	star := Tree{Parent: []int32{-1}, Gap: 1}
	for v := int32(1); v < 100_000; v++ {
		path.Parent, star.Parent = append(path.Parent, v-1), append(star.Parent, 0)
	}
	x, level := Place(path)
	if slices.Max(x) != slices.Min(x) || level[len(level)-1] != 99_999 {
		t.Error("a path is not drawn as a straight line")
	}
	x, _ = Place(star)
	if x[99_999]-x[1] != 2*99_998 || x[0] != (x[1]+x[99_999])/2 {
		t.Error("the leaves of a star are not evenly spaced")
	}
	if x, level := Place(Tree{}); x != nil || level != nil {
		t.Error("an empty tree has places")
	}
}

func BenchmarkPlace(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	t := Tree{Parent: []int32{-1}, Gap: 1}
	for v := int32(1); v < n; v++ {
		up := v - 1
		for k := r.IntN(4); k > 0 && t.Parent[up] >= 0; k-- {
			up = t.Parent[up]
		}
		t.Parent = append(t.Parent, up)
	}
	for b.Loop() {
		Place(t)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/node")
}
