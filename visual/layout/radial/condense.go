package radial

import (
	"slices"

	"whorl/internal/packed"
)

// A Condensed tree is a tree without its condensed levels. Children of a removed node hang from their nearest
// remaining ancestor, in the original order. Level is the ordinal among the levels drawn, so that the result is a tree
// like any other.
type Condensed struct {
	Tree
	from []int32 // index in the original, ascending; nil if nothing is condensed
}

// Condense removes the condensed levels of t. It does not change t. If nothing is condensed, the result shares the
// arrays of t.
func Condense(t Tree, c Condensing) *Condensed {
	if !c.Needed() {
		return &Condensed{Tree: t}
	}
	ordinal := make([]int32, c.Height+1) // -1 for a condensed level
	for l := range ordinal {
		o, drawn := c.Drawn(int32(l))
		if ordinal[l] = o; !drawn {
			ordinal[l] = -1
		}
	}
	kept := 0
	for _, l := range t.Level.All() {
		if ordinal[l] >= 0 {
			kept++
		}
	}
	out := &Condensed{
		Tree: Tree{Parent: make([]int32, kept), Size: make([]int32, kept), Level: packed.New(kept, 0, c.Levels())},
		from: make([]int32, kept),
	}
	above := make([]int32, c.Height+2) // by level of the path: the nearest remaining node above it
	above[0] = -1
	k := int32(0)
	for i, l := range t.Level.All() {
		up := above[l]
		if ordinal[l] < 0 {
			above[l+1] = up
			continue
		}
		out.Parent[k], out.from[k] = up, int32(i)
		out.Level.Set(int(k), ordinal[l])
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

// Original returns the index of a remaining node in the original tree.
func (c *Condensed) Original(node int32) int32 {
	if c.from == nil {
		return node
	}
	return c.from[node]
}

// Before returns the number of remaining nodes before a node of the original tree.
func (c *Condensed) Before(node int32) int32 {
	if c.from == nil {
		return node
	}
	n, _ := slices.BinarySearch(c.from, node)
	return int32(n)
}

// Find returns the node that represents a node of the original tree t: itself if it remains, otherwise its nearest
// remaining ancestor.
func (c *Condensed) Find(t Tree, node int32) int32 {
	i := c.Before(node+1) - 1
	for up := c.Original(i); up+t.Size[up] <= node; up = c.Original(i) {
		i = c.Parent[i]
	}
	return i
}
