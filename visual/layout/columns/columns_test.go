package columns

import (
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
