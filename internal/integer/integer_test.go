package integer

import (
	"math"
	"testing"
)

func TestGCD(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {0, 5, 5}, {12, 18, 6}, {-12, 18, 6}, {12, -18, 6}, {-7, 0, 7}, {17, 5, 1}} {
		if got := GCD(c[0], c[1]); got != c[2] {
			t.Errorf("%d and %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestQuotients(t *testing.T) {
	for a := -12; a <= 12; a++ {
		for b := -4; b <= 4; b++ {
			if b == 0 {
				continue
			}
			q := float64(a) / float64(b)
			if Floor(a, b) != int(math.Floor(q)) || Ceil(int64(a), int64(b)) != int64(math.Ceil(q)) {
				t.Errorf("%d/%d: %d and %d", a, b, Floor(a, b), Ceil(a, b))
			}
		}
	}
}

// TestMix compares two numbers with those of the reference implementation of SplitMix64 with the seed 0.
func TestMix(t *testing.T) {
	const step = 0x9e3779b97f4a7c15
	if a, b := Mix(step), Mix(0x3c6ef372fe94f82a); a != 0xe220a8397b1dcdaf || b != 0x6e789e6aa1b965f4 {
		t.Errorf("%x and %x", a, b)
	}
}
