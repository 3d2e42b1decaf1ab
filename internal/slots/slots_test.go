package slots

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSlots compares Slots with a search from the first slot on.
func TestSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 4
		var s Slots
		var holders [most]int
		high := 0
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			if k := rapid.IntRange(0, 2*most).Draw(t, "release"); k < most && holders[k] > 0 {
				holders[k]--
				s.Release(k)
				continue
			}
			want, free := most-1, false
			for k, n := range holders {
				if n == 0 {
					want, free = k, true
					break
				}
			}
			holders[want]++
			high = max(high, want+1)
			if got, ok := s.Acquire(most); got != want || ok != free || s.Len() != high {
				t.Fatalf("slot %d, %t, of %d; want %d, %t, of %d", got, ok, s.Len(), want, free, high)
			}
		}
	})
}
