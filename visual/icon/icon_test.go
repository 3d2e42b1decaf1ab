package icon

import (
	"fmt"
	"testing"
)

// TestShapes checks that each icon but None has a unique shape within the grid.
func TestShapes(t *testing.T) {
	seen := map[string]Icon{}
	for i := Play; int(i) < Count; i++ {
		s := fmt.Sprint(shapes[i])
		if other, ok := seen[s]; ok || len(shapes[i]) == 0 {
			t.Errorf("icon %d is empty or the same as %d", i, other)
		}
		seen[s] = i
		for _, k := range shapes[i] {
			for _, v := range k.points {
				if v < 0.8 || v > 15.2 && !k.circle {
					t.Errorf("icon %d has a point outside the grid: %g", i, v)
				}
			}
		}
	}
}
