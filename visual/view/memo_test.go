package view

import "testing"

// TestMemo checks that a memo computes an answer once while it is among the last ones, and again after that.
func TestMemo(t *testing.T) {
	var m Memo[int, int]
	computed := 0
	square := func(n int) int {
		return m.Get(n, func(a, b int) bool { return a == b }, func() int {
			computed++
			return n * n
		})
	}
	for _, c := range []struct{ n, computed int }{{1, 1}, {2, 2}, {1, 2}, {3, 3}, {4, 4}, {5, 5}, {1, 5}, {6, 6}, {1, 6}, {2, 7}} {
		if got := square(c.n); got != c.n*c.n || computed != c.computed {
			t.Errorf("%d: %d after %d computations, want %d after %d", c.n, got, computed, c.n*c.n, c.computed)
		}
	}
}
