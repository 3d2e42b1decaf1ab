// Package radial lays a tree out in polar coordinates around its root: the kaleidoscope of E. Tick and D.-Y. Park, "Kaleidescope
// Visualization of Fine-Grain Parallel Programs" (University of Oregon, CIS-TR-91-18, 1991), sections 3.1 to 3.3.
//
// A tree too high for its window loses whole levels (Fit, Condense). The weight of a node is the sum of its children's
// weights and its own height; a node divides its sector among its children by their weights (New). A node stands in
// the middle of its sector, on the circle of its level. Items selects what a picture needs: it skips parts outside the
// window and merges neighbours too thin to be distinguished into one spoke with their count.
//
// Trees are arrays in preorder. A node's subtree follows the node, so every pass is one loop with an array of one
// entry for each level: without recursion or work list, in linear time for stars and chains alike.
//
// Several roots stand on circle 1 around an undrawn centre and share the circle by their weights. A single root stands
// in the centre.
package radial

import (
	"fmt"

	"whorl/internal/packed"
)

// A Tree holds one or more trees in preorder. All arrays have one entry for each node.
type Tree struct {
	Parent []int32              // index of the parent, -1 for a root
	Size   []int32              // nodes of the subtree including the root: the subtree of i is i, ..., i+Size[i]-1
	Level  packed.Column[int32] // length of the path from the root, 0 for a root
	Stands []int64              // number of nodes, each equally heavy, that a node represents; nil if each represents itself
}

// Len returns the number of nodes.
func (t Tree) Len() int { return len(t.Parent) }

// Height returns the largest level, -1 for a tree without nodes. (The paper's definition counts one more; its first
// pass does not.)
func (t Tree) Height() int32 {
	h := int32(-1)
	for _, l := range t.Level.All() {
		h = max(h, l)
	}
	return h
}

// Center returns the circle of the roots: 0, the centre itself, for a single root, and 1 for several.
func (t Tree) Center() int32 {
	if len(t.Size) > 0 && int(t.Size[0]) < len(t.Size) {
		return 1
	}
	return 0
}

// Check returns an error that names the first node at which the arrays are not a tree in preorder. The other functions
// require a valid tree.
func (t Tree) Check() error {
	n := len(t.Parent)
	if len(t.Size) != n || t.Level.Len() != n {
		return fmt.Errorf("radial: %d parents, %d sizes and %d levels: expected equal numbers", n, len(t.Size), t.Level.Len())
	}
	ends := make([]int32, 0, 64) // ends of the subtrees on the path to the previous node
	for i := range n {
		for len(ends) > 0 && int(ends[len(ends)-1]) == i {
			ends = ends[:len(ends)-1]
		}
		level, end := int32(len(ends)), int64(i)+int64(t.Size[i])
		switch {
		case t.Level.At(i) != level:
			return fmt.Errorf("radial: node %d has level %d, its place in preorder gives %d", i, t.Level.At(i), level)
		case t.Size[i] < 1 || end > int64(n) || level > 0 && end > int64(ends[level-1]):
			return fmt.Errorf("radial: node %d has size %d, which is below 1 or exceeds its parent's subtree", i, t.Size[i])
		case level == 0 && t.Parent[i] != -1, level > 0 && !t.parentOf(i, level):
			return fmt.Errorf("radial: node %d has parent %d, which differs from the parent by its place in preorder", i, t.Parent[i])
		}
		ends = append(ends, int32(end))
	}
	return nil
}

// parentOf reports whether the recorded parent of node i, whose level is above 0, is one level up and has i in its
// subtree.
func (t Tree) parentOf(i int, level int32) bool {
	p := t.Parent[i]
	return p >= 0 && int(p) < i && t.Level.At(int(p)) == level-1 && int(p)+int(t.Size[p]) > i
}
