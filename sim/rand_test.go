package sim

import (
	"testing"

	"whorl/testdata/testenv"
)

// The reference implementation of PCG32 prints these for state 42 and sequence 54.
func TestPCGReference(t *testing.T) {
	r := Rand{inc: 54<<1 | 1}
	r.Uint32()
	r.state += 42
	r.Uint32()
	for i, want := range []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e} {
		if got := r.Uint32(); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestDrawsAreEven(t *testing.T) {
	// 99.9 % points of chi-squared for 6 and 99 degrees of freedom.
	for _, c := range []struct {
		n     int
		bound float64
	}{{7, 22.46}, {100, 148.23}} {
		counts, other, tilted := make([]int, c.n), make([]int, c.n), make([]int, c.n)
		r := NewRand(1, 5)
		for range 100 * c.n {
			counts[r.N(c.n)]++
			other[r.Other(2, c.n)]++
			tilted[max(r.N(c.n), r.N(c.n))]++
		}
		if x := testenv.ChiSquared(counts); x > c.bound {
			t.Errorf("N(%d): chi-squared %.1f above %.1f", c.n, x, c.bound)
		}
		if other[2] != 0 {
			t.Errorf("Other(2, %d) was 2", c.n)
		}
		if x := testenv.ChiSquared(tilted); x <= c.bound {
			t.Errorf("chi-squared %.1f of a biased draw passes", x)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(30) {
		for pe := range uint64(30) {
			r := NewRand(seed, pe)
			x := r.Uint64()
			if seen[x] {
				t.Fatalf("seed %d, PE %d begins like another", seed, pe)
			}
			seen[x] = true
		}
	}
	a, b := NewRand(3, 4), NewRand(3, 4)
	if a.Uint64() != b.Uint64() {
		t.Error("the same seed and PE differ")
	}
}

func TestDrawBounds(t *testing.T) {
	r := NewRand(1, 1)
	if r.N(0) != 0 || r.N(1) != 0 || r.N(-3) != 0 || r.Other(0, 1) != 0 {
		t.Error("a draw from fewer than two numbers is not 0")
	}
	big := 0
	for range 1000 {
		if x := r.N(1 << 32); x < 0 || x >= 1<<32 {
			t.Fatalf("%d out of 2^32", x)
		} else if x >= 1<<31 {
			big++
		}
	}
	if big < 400 || big > 600 {
		t.Errorf("%d of 1000 in the upper half", big)
	}
}
