package columns

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// laid lays out a program.
func laid(t fataler, s *script, least float64) (*Graph, *Rows, *Columns) {
	t.Helper()
	g := build(t, s)
	r := NewRows(g, least)
	return g, r, Arrange(g, r)
}

// TestRows checks the rows of a small program against section 4.1, worked out by hand.
func TestRows(t *testing.T) {
	worker := &script{last: 10}
	quick := &script{last: 1}
	main := &script{steps: []step{{2, worker, 0}, {3, quick, 0}, {4, nil, 1}, {1, nil, 0}}, last: 5}
	g, r, _ := laid(t, main, 0)
	// main: start 0, forks at 2 and 5, b-join and a-join at 9 (quick ends at 6), b-join at 10, a-join at 12 (worker
	// ends at 12), end 17. worker: 2 to 12. quick: 5 to 6.
	want := []float64{0, 2, 5, 9, 9, 10, 12, 17, 2, 12, 5, 6}
	if !slices.Equal(r.Y, want) || r.Height != 17 {
		t.Errorf("rows %v, height %g, want %v", r.Y, r.Height, want)
	}
	if m := []int{4}; !slices.Equal(where(r.Merged), m) {
		t.Errorf("merged %v, want %v: a wait of no time", where(r.Merged), m)
	}
	// Edges of at least 4: forks at 4 and 8, joins at 12 (quick ends at 12), b-join at 16, a-join at 20, end at 25.
	r = NewRows(g, 4)
	want = []float64{0, 4, 8, 12, 12, 16, 20, 25, 4, 14, 8, 12}
	if !slices.Equal(r.Y, want) {
		t.Errorf("rows with a least length %v, want %v", r.Y, want)
	}
	// An a-join stands at the later of its two predecessors. With edges of at least 6, quick ends at 18, as does the
	// b-join that takes no time; a worker that runs for 30 decides the other a-join.
	worker.last = 30
	_, r, _ = laid(t, main, 0)
	if r.Y[6] != 32 {
		t.Errorf("the a-join is at %g, want 32, where the worker ends", r.Y[6])
	}
	// Delays move later nodes down.
	g = build(t, main)
	g.Delay = make([]float64, len(g.Length))
	g.Delay[8] = 7 // the worker starts late
	if r = NewRows(g, 0); r.Y[8] != 9 || r.Y[9] != 39 || r.Y[6] != 39 || r.Y[7] != 44 {
		t.Errorf("with a late start rows are %v", r.Y)
	}
	// An edge from another thread delays a node.
	g = build(t, main)
	g.Free = []Link{{9, 11}}
	g.Order = sorted(g)
	if r = NewRows(g, 0); r.Y[11] != 32 || r.Y[4] != 32 {
		t.Errorf("with an edge from the worker's end rows are %v", r.Y)
	}
}

func where(b []bool) (list []int) {
	for i, x := range b {
		if x {
			list = append(list, i)
		}
	}
	return list
}

// TestCritical compares the critical path of a small program with one found by hand, also where the other thread takes
// longer.
func TestCritical(t *testing.T) {
	worker := &script{last: 10}
	main := &script{steps: []step{{2, worker, 0}, {3, &script{last: 1}, 0}, {4, nil, 1}, {1, nil, 0}}, last: 5}
	for _, c := range []struct {
		last, least float64
		want        []int32
	}{
		{10, 0, []int32{0, 1, 8, 9, 6, 7}},
		{10, 50, []int32{0, 1, 8, 9, 6, 7}},
		{8, 0, []int32{0, 1, 2, 3, 4, 5, 6, 7}}, // both end at the same time: the path stays in its thread
		{7, 0, []int32{0, 1, 2, 3, 4, 5, 6, 7}},
	} {
		worker.last = c.last
		g, r, _ := laid(t, main, c.least)
		if got := Critical(g, r); !slices.Equal(got, c.want) {
			t.Errorf("worker of %g: %v, want %v", c.last, got, c.want)
		}
	}
	worker.last = 30
	g := build(t, main)
	g.Free = []Link{{9, 11}} // from the end of worker to the end of quick
	g.Order = sorted(g)
	if got, want := Critical(g, NewRows(g, 0)), []int32{0, 1, 8, 9, 11, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("with a free edge %v, want %v", got, want)
	}
}

// TestLabelled checks that the shortest edge has the requested share of the height, and that many edges leave half of
// the height for time.
func TestLabelled(t *testing.T) {
	g := build(t, rsa(4, true))
	r := Labelled(g, 0.03)
	if got := r.Least / r.Height; got < 0.028 || got > 0.032 {
		t.Errorf("the least edge has %.3f of the height, want 0.03", got)
	}
	long := &script{steps: []step{{1, &script{last: 1}, 0}}, last: 100}
	for range 200 {
		long.steps = append(long.steps, step{0.01, &script{last: 1}, 0})
	}
	for i := range 201 {
		long.steps = append(long.steps, step{0.01, nil, 200 - i})
	}
	g = build(t, long)
	r = Labelled(g, 0.03)
	exact := NewRows(g, 0)
	if r.Height < 1.4*exact.Height || r.Height > 2.2*exact.Height {
		t.Errorf("a height of %g, want about twice %g", r.Height, exact.Height)
	}
	if r = Labelled(build(t, &script{}), 0.1); r.Height <= 0 {
		t.Error("the rows of a thread that takes no time have no height")
	}
}

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

// TestSharedColumns checks that threads share a column only if one ends before the other begins.
func TestSharedColumns(t *testing.T) {
	one := func() *script { return &script{last: 5} }
	_, _, c := laid(t, &script{steps: []step{{1, one(), 0}, {1, nil, 0}, {1, one(), 0}, {1, nil, 1}, {1, one(), 0}, {1, nil, 2}}}, 0)
	if c.N != 3 {
		t.Errorf("%d columns %v, want 3: one thread at a time on both sides", c.N, c.X)
	}
	// The first thread leaves a running thread behind.
	first := &script{steps: []step{{1, &script{last: 100}, 0}}, last: 1}
	g, r, c := laid(t, &script{steps: []step{{1, first, 0}, {1, nil, 0}, {1, one(), 0}, {1, nil, 1}, {1, one(), 0}, {1, nil, 2}, {1, one(), 0}, {1, nil, 3}}}, 0)
	if c.N < 4 || c.Unjoined != 1 || c.SeriesParallel() {
		t.Errorf("%d columns %v, %d unjoined threads", c.N, c.X, c.Unjoined)
	}
	apart(t, g, r, c)
}

// apart fails if two threads share a column at the same time, or if a box is too small.
func apart(t fataler, g *Graph, r *Rows, c *Columns) {
	t.Helper()
	type bar struct {
		from, to float64
		thread   int
	}
	columns := make([][]bar, c.N)
	for i := range g.Parent {
		from, to := g.First[i], g.First[i+1]
		top, bottom := r.Y[from], r.Y[to-1]
		if g.Fork[i] >= 0 {
			top = min(top, r.Y[g.Fork[i]])
		}
		if g.Join[i] >= 0 {
			bottom = max(bottom, r.Y[g.Join[i]])
		}
		columns[c.X[i]] = append(columns[c.X[i]], bar{top, bottom, i})
		for up := int32(i); up >= 0; up = g.Parent[up] {
			if c.X[i] < c.Left[up] || c.X[i] > c.Right[up] || top < c.Top[up] || bottom > c.Bottom[up] {
				t.Fatalf("thread %d is outside the box of thread %d", i, up)
			}
		}
	}
	for x, bars := range columns {
		if len(bars) == 0 {
			t.Fatalf("column %d of %d is empty", x, c.N)
		}
		slices.SortFunc(bars, func(a, b bar) int {
			if a.from != b.from {
				return int(a.from - b.from)
			}
			return int(a.to - b.to)
		})
		for i := 1; i < len(bars); i++ {
			if bars[i].from < bars[i-1].to {
				t.Fatalf("threads %d and %d are both in column %d: %v, %v", bars[i-1].thread, bars[i].thread, x, bars[i-1], bars[i])
			}
		}
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

// TestNested lays out random series-parallel programs: nothing overlaps or crosses, no column holds two threads at a
// time, and time never goes back along a thread. Exchanging two joins is detected.
func TestNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.SampledFrom([]float64{0, 1, 7}).Draw(t, "least")
		s := drawn(t, true)
		g, r, c := laid(t, s, least)
		if !c.SeriesParallel() || c.Crossings != 0 || c.Guessed != 0 {
			t.Fatalf("series-parallel %v with %d crossings, want true with 0", c.SeriesParallel(), c.Crossings)
		}
		apart(t, g, r, c)
		downwards(t, g, r, least)
		straight(t, g, r, c)
		if len(s.steps) > 0 {
			s.steps = append(s.steps, step{1, &script{}, 0}, step{1, &script{}, 0}, step{1, nil, 0}, step{1, nil, 0})
			forks := 0
			for _, st := range s.steps {
				if st.fork != nil {
					forks++
				}
			}
			k := len(s.steps)
			s.steps[k-2].join, s.steps[k-1].join = forks-2, forks-1
			if _, _, c := laid(t, s, least); c.SeriesParallel() || c.Overlaps != 2 || c.Crossings != 0 {
				t.Fatalf("the overlap of two threads is not detected: %+v", c)
			}
		}
	})
}

// TestAnyProgram lays out random programs with joins in any order, or with none.
func TestAnyProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.SampledFrom([]float64{0, 1, 7}).Draw(t, "least")
		g, r, c := laid(t, drawn(t, false), least)
		apart(t, g, r, c)
		downwards(t, g, r, least)
		if crossings, overlaps := crossed(g, c); c.Unjoined == 0 && (crossings != c.Crossings || overlaps != c.Overlaps) {
			t.Fatalf("%d crossings and %d overlaps, want %d and %d", c.Crossings, c.Overlaps, crossings, overlaps)
		}
		if guessed := arrange(g, r, 0); guessed.Crossings < c.Crossings {
			t.Fatalf("greed and exchange find %d crossings, branch and bound %d", guessed.Crossings, c.Crossings)
		}
	})
}

// downwards fails if a node stands above its predecessor or if an edge is too short.
func downwards(t *rapid.T, g *Graph, r *Rows, least float64) {
	for i := range g.Parent {
		for v := g.First[i] + 1; v < g.First[i+1]; v++ {
			want := g.Length[v]
			if !r.Merged[v] {
				want = max(want, least)
			}
			if r.Y[v] < r.Y[v-1]+want {
				t.Fatalf("node %d is at %g, %g below its predecessor, want at least %g", v, r.Y[v], r.Y[v]-r.Y[v-1], want)
			}
		}
		if f := g.Fork[i]; f >= 0 && r.Y[g.First[i]] != r.Y[f] {
			t.Fatalf("thread %d starts at %g and is forked at %g", i, r.Y[g.First[i]], r.Y[f])
		}
		if j := g.Join[i]; j >= 0 && r.Y[j] != max(r.Y[g.First[i+1]-1], r.Y[j-1]) && !(least > 0 && !r.Merged[j] && r.Y[j] == r.Y[j-1]+least) {
			t.Fatalf("the join of thread %d is at %g; it ends at %g, the b-join is at %g", i, r.Y[j], r.Y[g.First[i+1]-1], r.Y[j-1])
		}
	}
}

// straight fails if a horizontal edge of a series-parallel graph crosses the column of another thread.
func straight(t *rapid.T, g *Graph, r *Rows, c *Columns) {
	const eps = 1e-9
	for i := range g.Parent {
		p := g.Parent[i]
		if p < 0 {
			continue
		}
		for _, node := range [2]int32{g.Fork[i], g.Join[i]} {
			y, x0, x1 := r.Y[node], min(c.X[p], c.X[i]), max(c.X[p], c.X[i])
			for k := range g.Parent {
				if x := c.X[k]; x0 < x && x < x1 && r.Y[g.First[k]]+eps < y && y < r.Y[g.First[k+1]-1]-eps {
					t.Fatalf("the edge of thread %d at %g crosses thread %d", i, y, k)
				}
			}
		}
	}
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

func TestCheck(t *testing.T) {
	g := func() *Graph { return build(t, rsa(3, false)) }
	for i, spoil := range []func(*Graph){
		func(g *Graph) { g.Parent[2] = 1 }, func(g *Graph) { g.Size[0] = 9 }, func(g *Graph) { g.First[2] = 40 }, func(g *Graph) { g.Fork[1] = 30 },
		func(g *Graph) { g.Order[0] = g.Order[1] }, func(g *Graph) { g.Free = []Link{{0, 900}} }, func(g *Graph) { g.Edge = g.Edge[1:] },
		func(g *Graph) { g.Join = nil },
	} {
		x := g()
		spoil(x)
		if x.Check() == nil {
			t.Errorf("case %d: no error", i)
		}
	}
}

// TestWidth checks that a thread with columns of its own keeps its neighbours away from them.
func TestWidth(t *testing.T) {
	g := &Graph{
		Parent: []int32{-1, 0, 0}, Size: []int32{3, 1, 1}, First: []int32{0, 4, 6, 8}, Fork: []int32{-1, 1, 2}, Join: []int32{-1, -1, -1},
		Width: []int32{1, 5, 4}, Length: []float64{0, 1, 1, 1, 0, 9, 0, 9}, Edge: make([]Edge, 8), Order: []int32{0, 1, 2, 3, 4, 5, 6, 7},
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	c := Arrange(g, NewRows(g, 0))
	if c.N != 10 || c.Right[1]-c.Left[1] != 4 || c.Right[2]-c.Left[2] != 3 || c.Left[0] != 0 || c.Right[0] != 9 {
		t.Errorf("%+v", c)
	}
	for _, k := range []int{1, 2} {
		if c.Left[k] <= c.X[0] && c.Right[k] >= c.X[0] || c.X[k] < c.Left[k] || c.X[k] > c.Right[k] {
			t.Errorf("thread %d has columns %d to %d, its parent %d", k, c.Left[k], c.Right[k], c.X[0])
		}
	}
	g.Width = g.Width[:2]
	if g.Check() == nil {
		t.Error("two widths of three threads")
	}
}
