package nbody

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func fast(index int) Moment    { return Moment{Index: index, Fast: true, Up: true} }
func slump(index int) Moment   { return Moment{Index: index, Fast: true} }
func reached(index int) Moment { return Moment{Index: index, Up: true} }
func sunk(index int) Moment    { return Moment{Index: index} }

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		w      Watch
		want   []Moment
	}{
		{"nothing asked", []float64{0, 5, 0, 5}, Watch{Window: 1}, nil},
		{"no values", nil, Watch{Fast: 1, Reach: 1}, nil},
		{"a leap", []float64{1, 1, 4, 4, 4}, Watch{Fast: 3, Window: 1}, []Moment{fast(2)}},
		{"a leap just too small", []float64{1, 1, 3.9, 3.9}, Watch{Fast: 3, Window: 1}, nil},
		{"slow for one step, fast for 3", []float64{0, 1, 2, 3, 4, 5, 6, 6, 6, 6}, Watch{Fast: 3, Window: 3}, []Moment{fast(3)}},
		{"down is one of its own", []float64{0, 5, 0, 0}, Watch{Fast: 4, Window: 1}, []Moment{fast(1), slump(2)}},
		{"it stays fast", []float64{0, 5, 10, 14, 19, 22}, Watch{Fast: 4, Window: 1}, []Moment{fast(1)}},
		{"and is so again", []float64{0, 5, 6, 11}, Watch{Fast: 4, Window: 1}, []Moment{fast(1), fast(3)}},
		{"but not after half as fast", []float64{0, 5, 7, 12}, Watch{Fast: 4, Window: 1}, []Moment{fast(1)}},
		{"a value from below", []float64{0, 1, 2, 3}, Watch{Reach: 2}, []Moment{reached(2)}},
		{"from above", []float64{3, 2.5, 1.9, 1}, Watch{Reach: 2}, []Moment{sunk(2)}},
		{"there and back", []float64{0, 3, 0, 3}, Watch{Reach: 2}, []Moment{reached(1), sunk(2), reached(3)}},
		{"it trembles", []float64{0, 2, 1.95, 2.05, 1.92, 2, 1}, Watch{Reach: 2}, []Moment{reached(1)}},
		{"it begins there", []float64{2, 2, 2, 3, 2}, Watch{Reach: 2}, []Moment{sunk(4)}},
		{"below zero", []float64{0, -2, -4}, Watch{Reach: -3}, []Moment{sunk(2)}},
		{"no number", []float64{0, math.NaN(), 3, math.NaN(), 0}, Watch{Fast: 1, Window: 2, Reach: 2}, []Moment{fast(2), reached(2), slump(4), sunk(4)}},
		{"both", []float64{0, 3, 3}, Watch{Fast: 2, Window: 1, Reach: 1}, []Moment{fast(1), reached(1)}},
	} {
		if got := Moments(c.values, c.w); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestMomentsOfWaves checks that a wave has one moment of each kind for each rise and each fall, wherever it starts. A
// level that the wave never reaches, and a change half as large again as its steepest, have none.
func TestMomentsOfWaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		waves, long := rapid.IntRange(1, 9).Draw(t, "waves"), rapid.IntRange(40, 90).Draw(t, "long")
		high := rapid.Float64Range(0.5, 1e6).Draw(t, "high")
		tremble := rapid.SliceOfN(rapid.Float64Range(-0.01, 0.01), waves*long, waves*long).Draw(t, "tremble")
		values := make([]float64, waves*long)
		for i := range values {
			values[i] = high * (2 - math.Cos(2*math.Pi*float64(i)/float64(long)) + tremble[i])
		}
		count := func(w Watch) (n int) { return len(Moments(values, w)) }
		if n := count(Watch{Reach: high * rapid.Float64Range(1.2, 2.7).Draw(t, "reach")}); n != 2*waves {
			t.Fatalf("%d times there, want %d", n, 2*waves)
		}
		steepest := high * 2 * math.Sin(math.Pi*5/float64(long)) // over 5 values, without the noise
		if n := count(Watch{Fast: 0.7 * steepest, Window: 5}); n != 2*waves {
			t.Fatalf("%d times fast, want %d", n, 2*waves)
		}
		if n := count(Watch{Fast: 1.2*steepest + 0.03*high, Window: 5, Reach: 3.1 * high}); n != 0 {
			t.Fatalf("%d moments of thresholds that are never reached", n)
		}
		part := rapid.IntRange(0, len(values)).Draw(t, "part")
		w := Watch{Fast: 0.7 * steepest, Window: 5, Reach: 2 * high}
		whole := Moments(values, w)
		for i, m := range Moments(values[:part], w) {
			if m != whole[i] {
				t.Fatalf("the first %d values have %+v, all have %+v", part, m, whole[i])
			}
		}
	})
}
