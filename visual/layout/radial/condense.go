package radial

import "sort"

// A Condensed tree is what level condensing leaves of a tree: nodes of condensed levels are gone, and what hung from them hangs from the
// nearest ancestor left, in the order of the original. A node's Level is the ordinal of its level among those drawn, so that the result
// is a tree like any other.
type Condensed struct {
	Tree
	From   []int32 // index in the original, ascending
	Stands []int32 // original nodes that each stands for: itself and the condensed ones whose nearest ancestor left it is
}

// Condense removes the condensed levels of t. It never changes t, but shares its arrays where nothing is condensed.
func Condense(t Tree, c Condensing) *Condensed {
	n := t.Len()
	if !c.Needed() {
		out := &Condensed{Tree: t, From: make([]int32, n), Stands: make([]int32, n)}
		for i := range n {
			out.From[i], out.Stands[i] = int32(i), 1
		}
		return out
	}
	ordinal := make([]int32, c.Height+1) // -1 for a condensed level
	for l := range ordinal {
		o, drawn := c.Drawn(int32(l))
		if ordinal[l] = o; !drawn {
			ordinal[l] = -1
		}
	}
	kept := 0
	for _, l := range t.Level {
		if ordinal[l] >= 0 {
			kept++
		}
	}
	out := &Condensed{
		Tree: Tree{Parent: make([]int32, kept), Size: make([]int32, kept), Level: make([]int32, kept)},
		From: make([]int32, kept), Stands: make([]int32, kept),
	}
	above := make([]int32, c.Height+2) // for each level of the path: the nearest node left above it
	above[0] = -1
	k := int32(0)
	for i, l := range t.Level {
		up := above[l]
		if ordinal[l] < 0 {
			above[l+1] = up
			out.Stands[up]++
			continue
		}
		out.Parent[k], out.Level[k], out.From[k] = up, ordinal[l], int32(i)
		out.Stands[k]++
		above[l+1] = k
		k++
	}
	for i := kept - 1; i >= 0; i-- {
		out.Size[i]++
		if p := out.Parent[i]; p >= 0 {
			out.Size[p] += out.Size[i]
		}
	}
	return out
}

// Find returns the node that stands for a node of the original t: itself where it was left, else its nearest ancestor left.
func (c *Condensed) Find(t Tree, node int32) int32 {
	i := int32(sort.Search(len(c.From), func(k int) bool { return c.From[k] > node })) - 1
	for c.From[i]+t.Size[c.From[i]] <= node {
		i = c.Parent[i]
	}
	return i
}
