package fidelity

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestCorrelationKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		a    []int64
		b    []float64
		want float64
	}{
		{"rising", []int64{1, 2, 3, 4}, []float64{0.1, 0.2, 30, 400}, 1},
		{"falling", []int64{1, 2, 3, 4}, []float64{9, 8, 7, -6}, -1},
		{"one swap of five", []int64{1, 2, 3, 4, 5}, []float64{2, 1, 3, 4, 5}, 0.9},  // 1 - 6*2/(5*24)
		{"two swaps of five", []int64{1, 2, 3, 4, 5}, []float64{2, 1, 3, 5, 4}, 0.8}, // 1 - 6*4/(5*24)
		{"nothing in common", []int64{1, 2, 3, 4}, []float64{2, 4, 1, 3}, 0},         // 1 - 6*10/(4*15)
		{"ties", []int64{1, 1, 2, 2}, []float64{1, 2, 3, 4}, 4 / math.Sqrt(4*5)},     // ranks 1.5 1.5 3.5 3.5
		{"all but one equal", []int64{7, 7, 7, 8}, []float64{1, 1, 1, 5}, 1},
		{"constant", []int64{5, 5, 5}, []float64{1, 2, 3}, math.NaN()},
		{"single", []int64{5}, []float64{1}, math.NaN()},
		{"lengths", []int64{5, 6}, []float64{1}, math.NaN()},
	} {
		got := correlation(c.a, c.b)
		if math.Abs(got-c.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCorrelationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		a := rapid.SliceOfN(rapid.Int64Range(-20, 20), n, n).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(-5, 5), n, n).Draw(t, "b")
		c := correlation(a, b)
		if math.IsNaN(c) {
			return
		}
		back := make([]float64, n)
		stretched := make([]int64, n)
		for i := range b {
			back[i], stretched[i] = -b[i], a[i]*a[i]*a[i]
		}
		if c < -1-1e-12 || c > 1+1e-12 {
			t.Fatalf("correlation %v", c)
		}
		if d := correlation(b, a); math.Abs(c-d) > 1e-12 {
			t.Fatalf("%v one way, %v the other", c, d)
		}
		if d := correlation(a, back); math.Abs(c+d) > 1e-12 {
			t.Fatalf("%v, and %v turned round", c, d)
		}
		if d := correlation(stretched, b); math.Abs(c-d) > 1e-12 {
			t.Fatalf("%v, and %v of the cubes", c, d)
		}
	})
}

// TestPartial uses two quantities that both follow a third with independent errors: they are strongly correlated, but not given the third. If one
// follows the other directly, the correlation stays.
func TestPartial(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 5000
	cause, a, b, after := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range cause {
		cause[i] = r.NormFloat64()
		a[i] = cause[i] + 0.4*r.NormFloat64()
		b[i] = cause[i] + 0.4*r.NormFloat64()
		after[i] = a[i] + 0.1*r.NormFloat64()
	}
	if c, p := correlation(a, b), partial(a, b, cause); c < 0.75 || math.Abs(p) > 0.08 {
		t.Errorf("by a common cause: %.3f, given it %.3f", c, p)
	}
	if p := partial(a, after, cause); p < 0.9 {
		t.Errorf("directly: %.3f given the common cause", p)
	}
	// By hand: ranks 1 2 3 4, 2 1 4 3 and 1 3 2 4 correlate by 0.6, 0.8 and 0.
	if p := partial([]int64{1, 2, 3, 4}, []int64{2, 1, 4, 3}, []int64{1, 3, 2, 4}); math.Abs(p-1) > 1e-12 {
		t.Errorf("by hand: %v, want 0.6/0.6", p)
	}
	if p := partial(a, b, a); !math.IsNaN(p) {
		t.Errorf("given one of the two: %v", p)
	}
}

// tree returns a complete tree of the given fan-out in preorder, with the angles of its nodes: the middle of an even share of the circle.
func tree(fan, height int) (parent, level []int32, angle []float64) {
	var grow func(p, l int32, from, to float64)
	grow = func(p, l int32, from, to float64) {
		me := int32(len(parent))
		parent, level, angle = append(parent, p), append(level, l), append(angle, (from+to)/2)
		if int(l) == height {
			return
		}
		for k := range fan {
			d := (to - from) / float64(fan)
			grow(me, l+1, from+float64(k)*d, from+float64(k+1)*d)
		}
	}
	grow(-1, 0, 0, 360)
	return parent, level, angle
}

// TestTimeRunsOutwardsOrAround checks the paper's statement about Pascal's triangle: time follows the level under a breadth-first schedule, the
// angle under a depth-first one, and neither under a random one.
func TestTimeRunsOutwardsOrAround(t *testing.T) {
	parent, level, angle := tree(3, 7)
	n := len(parent)
	depth, breadth := make([]int64, n), make([]int64, n)
	order := make([]int, 0, n)
	for l := int32(0); l <= 7; l++ {
		for i := range level {
			if level[i] == l {
				order = append(order, i)
			}
		}
	}
	for at, i := range order {
		breadth[i] = int64(at)
		depth[at] = int64(at) // preorder is the depth-first order
	}
	random := make([]int64, n)
	for i, v := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		random[i] = int64(v)
	}
	for _, c := range []struct {
		name            string
		time            []int64
		outwards, round func(r float64) bool
	}{
		{"breadth-first", breadth, func(r float64) bool { return r > 0.8 }, func(r float64) bool { return math.Abs(r) < 0.75 }},
		{"depth-first", depth, func(r float64) bool { return math.Abs(r) < 0.2 }, func(r float64) bool { return r > 0.95 }},
		{"random", random, func(r float64) bool { return math.Abs(r) < 0.1 }, func(r float64) bool { return math.Abs(r) < 0.1 }},
	} {
		out, round := correlation(c.time, level), correlation(c.time, angle)
		if !c.outwards(out) || !c.round(round) {
			t.Errorf("%s: time with level %.3f, with angle %.3f", c.name, out, round)
		}
	}
	if correlation(breadth, level) <= correlation(breadth, angle) || correlation(depth, level) >= correlation(depth, angle) {
		t.Error("the measures do not separate the two schedules")
	}
}

func TestTogether(t *testing.T) {
	parent := []int32{-1, 0, 1, 1, 0}
	for _, c := range []struct {
		name              string
		pe                []int32
		same, edges, runs int64
	}{
		{"one PE", []int32{2, 2, 2, 2, 2}, 4, 4, 1},
		{"every edge a move", []int32{0, 1, 0, 2, 3}, 0, 4, 5},
		{"some", []int32{0, 0, 0, 1, 1}, 2, 4, 3},
		{"unknown", []int32{0, -1, -1, 0, 0}, 1, 1, 3},
		{"short", []int32{0, 0}, 1, 1, 4},
	} {
		same, edges := together(parent, c.pe)
		if same != c.same || edges != c.edges {
			t.Errorf("%s: %d of %d, want %d of %d", c.name, same, edges, c.same, c.edges)
		}
		if runs := stretches(parent, c.pe); runs != c.runs {
			t.Errorf("%s: %d runs, want %d", c.name, runs, c.runs)
		}
	}
}

// TestTogetherByPlacement compares keeping children at home with sending them to any PE: the share is 1 against about 1 in 8.
func TestTogetherByPlacement(t *testing.T) {
	parent, _, _ := tree(2, 14)
	r := rand.New(rand.NewPCG(5, 6))
	home, anywhere := make([]int32, len(parent)), make([]int32, len(parent))
	for i, p := range parent {
		anywhere[i] = r.Int32N(8)
		if p >= 0 {
			home[i] = home[p]
			if r.IntN(20) == 0 {
				home[i] = (home[p] + 1 + r.Int32N(7)) % 8 // stolen
			}
		}
	}
	for _, c := range []struct {
		name   string
		pe     []int32
		lo, hi float64
	}{{"at home, one in 20 stolen", home, 0.94, 0.96}, {"anywhere", anywhere, 0.11, 0.14}} {
		same, edges := together(parent, c.pe)
		if share := float64(same) / float64(edges); share < c.lo || share > c.hi {
			t.Errorf("%s: share %.3f, want %.2f to %.2f", c.name, share, c.lo, c.hi)
		}
	}
}

func BenchmarkCorrelation(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	time, level := make([]int64, n), make([]int32, n)
	for i := range time {
		time[i], level[i] = int64(i), r.Int32N(200)
	}
	for b.Loop() {
		correlation(time, level)
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}
