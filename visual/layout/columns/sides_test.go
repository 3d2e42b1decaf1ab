package columns

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFibonacci checks Figure 3: 729 threads are not series-parallel but need no crossing; joined in reverse they are
// series-parallel.
func TestFibonacci(t *testing.T) {
	g, _, c := laid(t, fibonacci(12, false), 0)
	if g.Len() != 729 || c.SeriesParallel() || c.Crossings != 0 || c.Overlaps != 728 {
		t.Errorf("%d threads, series-parallel %v, %d overlap, %d crossings; want 729, false, 728, 0", g.Len(), c.SeriesParallel(), c.Overlaps, c.Crossings)
	}
	if _, _, c = laid(t, fibonacci(12, true), 0); !c.SeriesParallel() || c.Crossings != 0 || c.Overlaps != 0 {
		t.Errorf("joined in reverse: series-parallel %v, %d crossings", c.SeriesParallel(), c.Crossings)
	}
	// The calls of the main thread follow each other and share columns. They need the columns of the last call,
	// 1 + T(11) with T(n) = 2 + T(n-1) + T(n-2).
	if c.N != 287 {
		t.Errorf("%d columns, want 287", c.N)
	}
}

// TestRSA checks Figure 4: 12 workers joined in fork order all overlap; the best division, 6 on a side, has 2 * 15
// crossings. Joined in reverse they are nested.
func TestRSA(t *testing.T) {
	for _, c := range []struct {
		workers   int
		crossings int64
	}{{1, 0}, {2, 0}, {3, 1}, {12, 30}, {13, 36}, {40, 380}, {41, 400}, {5000, 2 * 2500 * 2499 / 2}} {
		_, _, got := laid(t, rsa(c.workers, false), 0)
		if got.Crossings != c.crossings || c.workers > 1 && got.Overlaps != int64(c.workers) || (got.Guessed > 0) != (c.workers > mostExact) {
			t.Errorf("%d workers: %d overlap, %d crossings, guessed %d; want %d crossings", c.workers, got.Overlaps, got.Crossings, got.Guessed, c.crossings)
		}
		if _, _, got = laid(t, rsa(c.workers, true), 0); got.Crossings != 0 || !got.SeriesParallel() {
			t.Errorf("%d workers joined in reverse: %d crossings", c.workers, got.Crossings)
		}
	}
}

// TestFigure2 checks the sides of the paper's figure: the outermost thread, four columns wide, goes left, the second,
// two wide, right, and the third right. With a second thread five wide, the third goes left.
func TestFigure2(t *testing.T) {
	wide := func(n int) *script { // a thread with all others nested in it
		s := &script{last: 1}
		for range n - 1 {
			s.steps = append(s.steps, step{1, &script{last: 1}, 0})
		}
		for i := range n - 1 {
			s.steps = append(s.steps, step{1, nil, n - 2 - i})
		}
		return s
	}
	program := func(second int) *script {
		return &script{steps: []step{
			{0.4, wide(4), 0}, {0.01, wide(second), 0}, {0.01, wide(1), 0}, {3.14, nil, 2}, {0.01, nil, 1}, {0.01, nil, 0},
		}, last: 1}
	}
	g, _, c := laid(t, program(2), 0)
	var sides []int32
	for t := int32(1); t < int32(g.Len()); t += g.Size[t] {
		sides = append(sides, min(max(c.X[t]-c.X[0], -1), 1))
	}
	if want := []int32{-1, 1, 1}; !slices.Equal(sides, want) || c.N != 8 || c.X[0] != 4 {
		t.Errorf("sides %v, main in column %d of %d; want %v, 4 of 8", sides, c.X[0], c.N, want)
	}
	// The third thread stands between the second and the main thread.
	if second, third := int32(5), int32(7); !(c.X[0] < c.X[third] && c.X[third] < c.Left[second]) {
		t.Errorf("columns %v: the third thread is not inside the second", c.X)
	}
	g, _, c = laid(t, program(5), 0)
	if third := int32(g.Len()) - 1; c.X[third] > c.X[0] {
		t.Error("the third thread does not go to the narrower side")
	}
}

// crossed counts overlaps and crossings by their definition: f1 < f2 < j1 < j2, and on one side for a crossing.
func crossed(g *Graph, c *Columns) (crossings, overlaps int64) {
	for a := range g.Parent {
		any := false
		for b := range g.Parent {
			if a == b || g.Parent[a] != g.Parent[b] || g.Parent[a] < 0 || min(g.Join[a], g.Join[b]) < 0 {
				continue
			}
			p := g.Parent[a]
			first := g.Fork[a] < g.Fork[b] && g.Fork[b] < g.Join[a] && g.Join[a] < g.Join[b]
			second := g.Fork[b] < g.Fork[a] && g.Fork[a] < g.Join[b] && g.Join[b] < g.Join[a]
			any = any || first || second
			if first && (c.X[a] < c.X[p]) == (c.X[b] < c.X[p]) {
				crossings++
			}
		}
		if any {
			overlaps++
		}
	}
	return crossings, overlaps
}

// TestExact compares branch and bound with all divisions of small random graphs, and with the greedy heuristic on
// larger ones.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 3 + r.IntN(10)
		adj := noise(r, n)
		want := 1 << 30
		e := exact{adj: make([]uint64, n)}
		for i := range adj {
			e.adj[i] = adj[i][0]
		}
		for side := range uint64(1) << (n - 1) {
			want = min(want, e.crossings(side, 1<<n-1))
		}
		side := make([]int8, n)
		if left := divide(adj, side, 1_000_000); left <= 0 {
			t.Fatal("out of steps")
		}
		var right uint64
		for i, s := range side {
			right |= uint64(s) << i
		}
		if got := e.crossings(right, 1<<n-1); got != want {
			t.Fatalf("%d vertices: %d crossings, want %d", n, got, want)
		}
	}
}

func noise(r *rand.Rand, n int) [][]uint64 {
	adj := make([][]uint64, n)
	for i := range adj {
		adj[i] = make([]uint64, 1)
	}
	p := 1 + r.IntN(4)
	for i := range n {
		for j := range i {
			if r.IntN(5) < p {
				adj[i][0] |= 1 << j
				adj[j][0] |= 1 << i
			}
		}
	}
	return adj
}
