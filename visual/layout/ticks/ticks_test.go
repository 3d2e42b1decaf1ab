package ticks

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStep(t *testing.T) {
	for _, c := range []struct {
		least float64
		want  int64
	}{
		{-3, 1}, {0, 1}, {0.7, 1}, {1, 1}, {1.5, 2}, {3, 5}, {5, 5}, {6, 10}, {11, 20}, {21, 50}, {51, 100}, {12345, 20000}, {math.NaN(), 1},
	} {
		if got := Step(c.least); got != c.want {
			t.Errorf("step of at least %g: %d, want %d", c.least, got, c.want)
		}
	}
	if got := Step(math.Inf(1)); got <= 0 {
		t.Errorf("step of at least infinity: %d", got)
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		from, to, step int64
		want           []int64
	}{{0, 10, 5, []int64{0, 5, 10}}, {1, 9, 5, []int64{5}}, {-7, 7, 5, []int64{-5, 0, 5}}, {6, 9, 5, nil}, {9, 3, 1, nil}} {
		if got := Values(c.from, c.to, c.step); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := Values(math.MaxInt64-1, math.MaxInt64, 1); len(got) != 2 {
		t.Errorf("values at the end of the range: %v", got)
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		values []int64
		step   int64
		want   []string
	}{
		{[]int64{0, 500, 1000}, 500, []string{"0", "0.5 µs", "1.0 µs"}},
		{[]int64{0, 1_000_000, 2_000_000}, 1_000_000, []string{"0", "1 ms", "2 ms"}},
		{[]int64{4_661_020, 4_661_040}, 20, []string{"4.66102 ms", "4.66104 ms"}},
		{[]int64{10, 20}, 10, []string{"10 ns", "20 ns"}},
		{[]int64{-1500, 0, 1500}, 1500, []string{"-1.5 µs", "0", "1.5 µs"}},
		{[]int64{2_000_000_000_000}, 1_000_000_000_000, []string{"2,000 s"}},
		{[]int64{math.MinInt64 + 1}, 1, []string{"-9,223,372,036.854775807 s"}},
	} {
		if got := Times(c.values, c.step); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
}

// TestTextsDiffer checks that no two labels of an axis are equal.
func TestTextsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(0, 1<<50).Draw(t, "from")
		span := rapid.Int64Range(1, 1<<50).Draw(t, "span")
		step := Step(float64(span) / float64(rapid.IntRange(1, 12).Draw(t, "ticks")))
		seen := map[string]bool{}
		for _, s := range Times(Values(from, from+span, step), step) {
			if seen[s] {
				t.Fatalf("two ticks have the label %q", s)
			}
			seen[s] = true
		}
	})
}
