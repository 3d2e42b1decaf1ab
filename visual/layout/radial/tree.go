// Package radial lays a tree out in polar coordinates around its root: the kaleidoscope of E. Tick and D.-Y. Park, "Kaleidescope
// Visualization of Fine-Grain Parallel Programs" (University of Oregon, CIS-TR-91-18, 1991), sections 3.1 to 3.3.
//
// A tree too high for its window loses whole levels (Fit, Condense). Every node left has a weight, the sum of its children's weights and
// its own height, and shares its sector of the circle among its children by their weights (New). A node stands in the middle of its
// sector, on the circle of its level. What a picture needs of this is a question of its own (Items): parts of the tree that lie off the
// window are left out, and neighbours too thin to be told apart become one spoke that says how many it stands for.
//
// Trees are arrays in preorder. As a node's subtree follows it in the arrays, every pass here is one loop with an array of one entry for
// each level: no recursion, no work list, linear time, whether the tree is a star or a chain.
//
// Several roots stand on circle 1, around a centre that is not drawn; each has a share of the whole circle by its weight. A single root
// stands in the centre.
package radial

import "fmt"

// A Tree is one or more trees in preorder. All arrays are as long as there are nodes.
type Tree struct {
	Parent []int32 // index of the parent, -1 for a root
	Size   []int32 // nodes of the subtree, the node itself included: the subtree of i is i, ..., i+Size[i]-1
	Level  []int32 // length of the path from the root, 0 for a root
	Stands []int64 // nodes that each node stands for, all of them as heavy as itself; nil where each stands for itself alone
}

// Len is the number of nodes.
func (t Tree) Len() int { return len(t.Parent) }

// Height is the largest level, -1 for a tree of no nodes. (The paper's definition counts one more, its first pass does not.)
func (t Tree) Height() int32 {
	h := int32(-1)
	for _, l := range t.Level {
		h = max(h, l)
	}
	return h
}

// Center is the circle on which the roots stand: 0, the centre itself, for a single root, and 1 for several.
func (t Tree) Center() int32 {
	if len(t.Size) > 0 && int(t.Size[0]) < len(t.Size) {
		return 1
	}
	return 0
}

// Check returns an error that names the first node at which the arrays are no tree in preorder. The other functions of the package take
// this for granted.
func (t Tree) Check() error {
	n := len(t.Parent)
	if len(t.Size) != n || len(t.Level) != n {
		return fmt.Errorf("radial: %d parents, %d sizes and %d levels: want as many of each", n, len(t.Size), len(t.Level))
	}
	ends := make([]int32, 0, 64) // where the subtrees of the path to the node before end
	for i := range n {
		for len(ends) > 0 && int(ends[len(ends)-1]) == i {
			ends = ends[:len(ends)-1]
		}
		level, end := int32(len(ends)), int64(i)+int64(t.Size[i])
		switch {
		case t.Level[i] != level:
			return fmt.Errorf("radial: node %d has level %d, its place in preorder says %d", i, t.Level[i], level)
		case t.Size[i] < 1 || end > int64(n) || level > 0 && end > int64(ends[level-1]):
			return fmt.Errorf("radial: node %d has size %d, which reaches beyond its parent's subtree or holds nothing", i, t.Size[i])
		case level == 0 && t.Parent[i] != -1, level > 0 && !t.parentOf(i, level):
			return fmt.Errorf("radial: node %d has parent %d, which is not the node its place in preorder hangs from", i, t.Parent[i])
		}
		ends = append(ends, int32(end))
	}
	return nil
}

// parentOf says whether the stated parent of node i, a node of a level above 0, is one level up and reaches over i.
func (t Tree) parentOf(i int, level int32) bool {
	p := t.Parent[i]
	return p >= 0 && int(p) < i && t.Level[p] == level-1 && int(p)+int(t.Size[p]) > i
}
