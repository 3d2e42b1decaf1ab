package profile

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTree compares a tree with a map from paths to numbers, and checks that parents precede their children.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type child struct{ parent, label uint32 }
		want := map[child]uint32{}
		var tree Tree
		labels := rapid.SampledFrom([]uint32{0, 1, 2, 3, 1 << 31}) // includes the keys of an empty table
		for range rapid.IntRange(1, 60).Draw(t, "paths") {
			at := uint32(0)
			for _, label := range rapid.SliceOfN(labels, 1, 60).Draw(t, "path") {
				n, ok := want[child{at, label}]
				if tree.HasChild(at, label) != ok {
					t.Fatalf("HasChild(%d, %d) is %v", at, label, !ok)
				}
				if !ok {
					n = uint32(len(want)) + 1
					want[child{at, label}] = n
				}
				if got := tree.Child(at, label); got != n {
					t.Fatalf("Child(%d, %d) is %d, want %d", at, label, got, n)
				}
				at = n
			}
		}
		if tree.Len() != len(want)+1 {
			t.Errorf("%d nodes, want %d", tree.Len(), len(want)+1)
		}
	})
}
