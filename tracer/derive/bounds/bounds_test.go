package bounds

import (
	"math"
	"testing"
)

func TestEntry(t *testing.T) {
	var table []int
	for _, c := range []struct {
		pe   int32
		size int // of the table afterwards
		ok   bool
	}{{-1, 0, false}, {2, 3, true}, {1, 3, true}, {MaxPEs, 3, false}, {math.MinInt32, 3, false}, {MaxPEs - 1, MaxPEs, true}} {
		entry := Entry(&table, c.pe)
		if (entry != nil) != c.ok || len(table) != c.size || c.ok && entry != &table[c.pe] {
			t.Errorf("PE %d: %v in a table of %d", c.pe, entry, len(table))
		}
	}
}
