package heap_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/heap"
)

func before(a, b *int) bool { return *a < *b }

// Elements whose first one grows or goes leave in the order of a sort.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "elements")
		want := slices.Clone(h)
		heap.Make(h, before)
		var got []int
		for len(h) > 0 {
			if slices.Min(h) != h[0] {
				t.Fatalf("%d is the first of %v", h[0], h)
			}
			got = append(got, h[0])
			if grown := rapid.IntRange(-10, 10).Draw(t, "grows by"); grown > 0 {
				got = got[:len(got)-1]
				want[slices.Index(want, h[0])] += grown
				h[0] += grown
				heap.Down(h, 0, before)
				continue
			}
			h = heap.RemoveFirst(h, before)
		}
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// Elements that are added one by one leave in the order of a sort.
func TestAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "elements")
		var h, got []int
		for _, x := range want {
			h = heap.Add(h, x, before)
		}
		for len(h) > 0 {
			got = append(got, h[0])
			h = heap.RemoveFirst(h, before)
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
