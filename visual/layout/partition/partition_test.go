package partition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// tree draws a tree whose nodes weigh their own weight and that of their children. It also returns the parents.
func tree(t *rapid.T) (Tree, []int32) {
	n := rapid.IntRange(1, 80).Draw(t, "nodes")
	parent := []int32{-1}
	for v := 1; v < n; v++ { // in preorder: below the last node or one of its ancestors
		up := int32(v - 1)
		for k := rapid.IntRange(0, 4).Draw(t, "up"); k > 0 && parent[up] >= 0; k-- {
			up = parent[up]
		}
		parent = append(parent, up)
	}
	own := rapid.SliceOfN(rapid.Int64Range(0, 9), n, n).Draw(t, "own")
	return sums(parent, own), parent
}

func sums(parent []int32, own []int64) Tree {
	t := Tree{End: make([]int32, len(parent)), Weight: slices.Clone(own)}
	for v := len(parent) - 1; v >= 0; v-- {
		t.End[v] = max(t.End[v], int32(v+1))
		if p := parent[v]; p >= 0 {
			t.Weight[p] += t.Weight[v]
			t.End[p] = max(t.End[p], t.End[v])
		}
	}
	return t
}

const close = 1e-12

// TestParts checks that exactly the nodes of the subtree with a weight have parts, and that parts lie within those of
// their parents, one level further down, have the width of their share, and do not overlap.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr, parent := tree(t)
		if rapid.Bool().Draw(t, "ordered") {
			tr.Order = rapid.SliceOfN(rapid.Int64Range(0, 5), len(parent), len(parent)).Draw(t, "order")
		}
		root := int32(rapid.IntRange(0, len(parent)-1).Draw(t, "root"))
		l := New(tr, root)
		parts := 0
		for v := range int32(len(parent)) {
			a := l.Part(v)
			if want := v >= root && v < tr.End[root] && tr.Weight[v] > 0; (a >= 0) != want {
				t.Fatalf("node %d has a part: %v", v, a >= 0)
			}
			if a < 0 {
				continue
			}
			parts++
			if l.Node[a] != v {
				t.Fatalf("part %d is of node %d, want %d", a, l.Node[a], v)
			}
			if got, want := l.To[a]-l.From[a], float64(tr.Weight[v])/float64(tr.Weight[root]); math.Abs(got-want) > close {
				t.Fatalf("node %d has %g of the width, want %g", v, got, want)
			}
			if v == root {
				continue
			}
			p := l.Part(parent[v])
			if l.From[a] < l.From[p] || l.To[a] > l.To[p] || l.Level(a) != l.Level(p)+1 {
				t.Fatalf("node %d at %g to %g of level %d, its parent at %g to %g of level %d", v, l.From[a], l.To[a], l.Level(a), l.From[p], l.To[p], l.Level(p))
			}
		}
		if len(l.Node) != parts {
			t.Fatalf("%d parts for %d nodes", len(l.Node), parts)
		}
		for k := range l.Depth() {
			for a := l.Levels[k] + 1; a < l.Levels[k+1]; a++ {
				if l.From[a] < l.To[a-1] {
					t.Fatalf("level %d: an part begins at %g, the one before it ends at %g", k, l.From[a], l.To[a-1])
				}
				if v, w := l.Node[a-1], l.Node[a]; tr.Order != nil && parent[v] == parent[w] && (tr.Order[v] < tr.Order[w] || tr.Order[v] == tr.Order[w] && v > w) {
					t.Fatalf("node %d precedes node %d", v, w)
				}
			}
		}
	})
}

// TestAnyWeights checks that for all weights, also negative and contradictory ones, parts lie within those of their
// parents and do not overlap.
func TestAnyWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr, parent := tree(t)
		weight := rapid.OneOf(rapid.Int64Range(-5, 9), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, 1}))
		tr.Weight = rapid.SliceOfN(weight, len(parent), len(parent)).Draw(t, "weights")
		l := New(tr, 0)
		for a := range int32(len(l.Node)) {
			if !(l.From[a] >= 0 && l.From[a] <= l.To[a] && l.To[a] <= 1) {
				t.Fatalf("part %d from %g to %g", a, l.From[a], l.To[a])
			}
			if v := l.Node[a]; a > 0 {
				if p := l.Part(parent[v]); l.From[a] < l.From[p] || l.To[a] > l.To[p] {
					t.Fatalf("node %d at %g to %g, its parent at %g to %g", v, l.From[a], l.To[a], l.From[p], l.To[p])
				}
			}
		}
		for k := range l.Depth() {
			for a := l.Levels[k] + 1; a < l.Levels[k+1]; a++ {
				if l.From[a] < l.To[a-1] {
					t.Fatalf("level %d: an part begins at %g, the one before it ends at %g", k, l.From[a], l.To[a-1])
				}
			}
		}
	})
}

// TestPieces checks that each part between two places is in exactly one piece, that wide parts are alone, and that the
// number of pieces is bounded.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr, _ := tree(t)
		l := New(tr, 0)
		level := rapid.IntRange(0, max(l.Depth()-1, 0)).Draw(t, "level")
		if l.Depth() == 0 {
			return
		}
		from := rapid.Float64Range(0, 1).Draw(t, "from")
		to := rapid.Float64Range(from, 1).Draw(t, "to")
		least := rapid.SampledFrom([]float64{0, 0.001, 0.03, 0.2, 2}).Draw(t, "least")
		next, count := int32(-1), 0
		l.Pieces(level, from, to, least, func(p Piece) {
			count++
			if next >= 0 && p.First != next || p.End <= p.First {
				t.Fatalf("a piece of parts %d to %d, want it to begin at %d", p.First, p.End, next)
			}
			if next < 0 && p.First > l.Levels[level] && l.To[p.First-1] > from {
				t.Fatalf("part %d is in no piece", p.First-1)
			}
			next = p.End
			if p.From != l.From[p.First] || p.To != l.To[p.End-1] {
				t.Fatalf("from %g to %g, its parts from %g to %g", p.From, p.To, l.From[p.First], l.To[p.End-1])
			}
			if p.End-p.First > 1 && p.To-p.From > least+close {
				t.Fatalf("a piece merges %d parts over %g, more than %g", p.End-p.First, p.To-p.From, least)
			}
		})
		if next < 0 {
			next = l.after(l.Levels[level], l.Levels[level+1], from)
		}
		if next < l.Levels[level+1] && l.From[next] < to {
			t.Fatalf("part %d is in no piece", next)
		}
		if most := 2*(to-from)/least + 3; least > 0 && float64(count) > most {
			t.Fatalf("%d pieces, more than %g", count, most)
		}
	})
}

// TestArcAt checks At against Pieces.
func TestArcAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr, _ := tree(t)
		l := New(tr, 0)
		place := rapid.Float64Range(0, 1).Draw(t, "place")
		for k := -1; k <= l.Depth(); k++ {
			want := int32(-1)
			if k >= 0 && k < l.Depth() {
				for a := l.Levels[k]; a < l.Levels[k+1]; a++ {
					if l.From[a] <= place && place < l.To[a] {
						want = a
					}
				}
			}
			if got := l.PartAt(k, place); got != want {
				t.Fatalf("level %d at %g: %d, want %d", k, place, got, want)
			}
		}
	})
}

// TestByHand lays out main (10), which calls a (4, of which b 3) and c (5).
func TestByHand(t *testing.T) {
	tr := sums([]int32{-1, 0, 1, 0}, []int64{1, 1, 3, 5})
	for _, c := range []struct {
		order []int64
		want  string
	}{
		{nil, "0 0:0-1 | 1:0-0.4 3:0.4-0.9 | 2:0-0.3"},
		{tr.Weight, "0 0:0-1 | 3:0-0.5 1:0.5-0.9 | 2:0.5-0.8"},
	} {
		tr.Order = c.order
		l := New(tr, 0)
		got := "0"
		for k := range l.Depth() {
			if k > 0 {
				got += " |"
			}
			for a := l.Levels[k]; a < l.Levels[k+1]; a++ {
				got += fmt.Sprintf(" %d:%.3g-%.3g", l.Node[a], l.From[a], l.To[a])
			}
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestEdges lays out no node, one node, and a very deep chain.
func TestEdges(t *testing.T) {
	if l := New(Tree{}, 0); l.Depth() != 0 || l.Part(0) != -1 || l.PartAt(0, 0.5) != -1 {
		t.Error("the layout of an empty tree is not empty")
	}
	if l := New(Tree{End: []int32{1}, Weight: []int64{0}}, 0); l.Depth() != 0 || l.Part(0) != -1 {
		t.Error("a root without weight has a part")
	}
	const deep = 10_000
	parent, own := make([]int32, deep), make([]int64, deep)
	for v := range parent {
		parent[v], own[v] = int32(v)-1, 1
	}
	l := New(sums(parent, own), 0)
	if l.Depth() != deep || l.PartAt(deep-1, 0) != deep-1 || l.PartAt(deep-1, 2.0/deep) != -1 {
		t.Errorf("%d rings", l.Depth())
	}
}

func big(n int) Tree {
	r := rand.New(rand.NewPCG(1, 2))
	parent, own := make([]int32, n), make([]int64, n)
	parent[0] = -1
	for v := 1; v < n; v++ {
		up := int32(v - 1)
		for r.IntN(5) < 3 && parent[up] > 0 || up > 0 && r.IntN(20) == 0 {
			up = parent[up]
		}
		parent[v], own[v] = up, int64(r.ExpFloat64()*1000)
	}
	t := sums(parent, own)
	t.Order = t.Weight
	return t
}

func BenchmarkLayout(b *testing.B) {
	t := big(1_000_000)
	b.Run("layout", func(b *testing.B) {
		for b.Loop() {
			New(t, 0)
		}
	})
	l := New(t, 0)
	b.Run("pieces", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = 0
			for k := range min(l.Depth(), 20) {
				l.Pieces(k, 0, 1, 1/(2*math.Pi*25*float64(k+1)), func(Piece) { n++ })
			}
		}
		b.ReportMetric(float64(n), "pieces")
	})
}
