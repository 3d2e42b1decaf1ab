package hashtable

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTable compares a table with a map, also for more keys than the table has at first.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table
		want := map[uint64]uint32{}
		keys := rapid.OneOf(rapid.Uint64Range(0, 3000), rapid.Uint64Range(0, 1<<64-2))
		for i := range uint32(rapid.SampledFrom([]int{0, 10, 4000}).Draw(t, "keys")) {
			key := keys.Draw(t, "key")
			n, known := want[key]
			if got, ok := table.Get(key); ok != known || ok && got != n {
				t.Fatalf("key %d is %d, %v, want %d, %v", key, got, ok, n, known)
			}
			if !known {
				n, want[key] = i, i
			}
			if got, added := table.Add(key, i); added == known || got != n {
				t.Fatalf("Add(%d) is %d, %v, want %d, %v", key, got, added, n, !known)
			}
			if gone := keys.Draw(t, "removed"); i%3 == 0 {
				n, known := want[gone]
				if got, ok := table.Remove(gone); ok != known || ok && got != n {
					t.Fatalf("Remove(%d) is %d, %v, want %d, %v", gone, got, ok, n, known)
				}
				delete(want, gone)
			}
			if table.Len() != len(want) {
				t.Fatalf("%d keys, want %d", table.Len(), len(want))
			}
		}
	})
}
