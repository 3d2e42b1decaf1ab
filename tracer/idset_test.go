package tracer

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIDSet compares a set with a map.
func TestIDSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s idSet
		want := map[uint64]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "runs") {
			first := rapid.OneOf(rapid.Uint64Range(0, 5000), rapid.Uint64()).Draw(t, "first")
			step := rapid.SampledFrom([]uint64{1, 3, 64}).Draw(t, "step")
			for i := range rapid.SampledFrom([]uint64{1, 64, 5000}).Draw(t, "ids") {
				id := first + i*step
				if added := s.add(id); added == want[id] {
					t.Fatalf("adding %d gives %v", id, added)
				}
				want[id] = true
			}
		}
		for id := range uint64(1 << 14) {
			if s.contains(id) != want[id] {
				t.Fatalf("%d: %v, want %v", id, s.contains(id), want[id])
			}
		}
	})
}

// TestIDSetOfManyIDs checks that a set takes no memory for ids whose neighbours it has too.
func TestIDSetOfManyIDs(t *testing.T) {
	var s idSet
	const n = 10_000_000
	for id := range uint64(n) {
		if id%4096 != 4095 { // an id that is never used
			s.add(id)
		}
	}
	slots := 0
	for set := &s; set != nil; set = set.whole {
		slots += len(set.slots)
	}
	if most := 4 * n / 4096; slots > most {
		t.Errorf("the set has %d slots for %d ids, want at most %d", slots, n, most)
	}
	for id := range uint64(3 * 4096) {
		if s.contains(id) != (id%4096 != 4095) {
			t.Fatalf("%d: %v", id, s.contains(id))
		}
	}
}
