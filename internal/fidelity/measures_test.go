package fidelity

import (
	"math"
	"math/rand/v2"
	"testing"
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
