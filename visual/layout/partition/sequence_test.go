package partition

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSequence shows the levels of a sequence: main calls f, g, and f again; amounts of another root, and amounts of nothing, are left out.
func TestSequence(t *testing.T) {
	parent := []int32{-1, 0, 1, 1, 3, 0} // program, main, f, g, f in g, another
	for _, c := range []struct {
		root int32
		runs []Run
		want string
	}{
		{0, []Run{{2, 2}, {2, 1}, {1, 1}, {4, 2}, {3, 1}, {2, 1}, {5, 2}}, "0:0-10 | 1:0-8 5:8-10 | 2:0-3 3:4-7 2:7-8 | 4:4-6"},
		{1, []Run{{5, 9}, {2, 2}, {5, 3}, {2, 2}, {3, 0}, {4, -1}, {1, 4}}, "1:0-8 | 2:0-4"},
		{3, []Run{{2, 9}}, ""},
	} {
		l := Sequence(parent, c.root, c.runs)
		whole := 0.0
		for _, r := range c.runs {
			if r.Amount > 0 && below(parent, c.root, r.Node) {
				whole += float64(r.Amount)
			}
		}
		var levels []string
		for k := range l.Depth() {
			var parts []string
			for a := l.Levels[k]; a < l.Levels[k+1]; a++ {
				parts = append(parts, fmt.Sprintf("%d:%g-%g", l.Node[a], math.Round(l.From[a]*whole), math.Round(l.To[a]*whole)))
			}
			levels = append(levels, strings.Join(parts, " "))
		}
		if got := strings.Join(levels, " | "); got != c.want {
			t.Errorf("from %d: %s, want %s", c.root, got, c.want)
		}
	}
}

// TestSequenceSums checks for random runs that the parts of a node are as wide as its share, in order, and within one of its parent's.
func TestSequenceSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, parent := tree(t)
		runs := make([]Run, rapid.IntRange(0, 60).Draw(t, "runs"))
		share, whole := make([]float64, len(parent)), 0.0
		for k := range runs {
			runs[k] = Run{Node: int32(rapid.IntRange(0, len(parent)-1).Draw(t, "node")), Amount: rapid.Int64Range(-1, 9).Draw(t, "amount")}
			if x := float64(runs[k].Amount); x > 0 {
				whole += x
				for v := runs[k].Node; v >= 0; v = parent[v] {
					share[v] += x
				}
			}
		}
		l := Sequence(parent, 0, runs)
		parts := 0
		for v := range int32(len(parent)) {
			sum, before := 0.0, 0.0
			for a := l.Part(v); a >= 0; a = l.Next(a) {
				parts++
				sum += l.To[a] - l.From[a]
				if l.Node[a] != v || l.From[a] < before || l.To[a] <= l.From[a] {
					t.Fatalf("node %d has part %d of node %d, from %g to %g, after %g", v, a, l.Node[a], l.From[a], l.To[a], before)
				}
				before = l.To[a]
				if v > 0 {
					if p := l.PartAt(l.Level(a)-1, l.From[a]); p < 0 || l.Node[p] != parent[v] || l.To[p] < l.To[a] {
						t.Fatalf("part %d of node %d does not lie in a part of its parent", a, v)
					}
				}
			}
			if whole > 0 && math.Abs(sum-share[v]/whole) > close {
				t.Fatalf("node %d has %g of the width, want %g", v, sum, share[v]/whole)
			}
		}
		if parts != len(l.Node) || !slices.IsSorted(l.Levels) {
			t.Fatalf("%d of %d parts belong to nodes", parts, len(l.Node))
		}
	})
}
