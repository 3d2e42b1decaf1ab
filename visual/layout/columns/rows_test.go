package columns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
