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
