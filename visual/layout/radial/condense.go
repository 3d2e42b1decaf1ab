package radial

import (
	"sort"
	"sync"
)

// A Condensed tree is a tree without its condensed levels. Children of a removed node hang from their nearest
// remaining ancestor, in the original order. Level is the ordinal among the levels drawn, so that the result is a tree
// like any other.
type Condensed struct {
	Tree
	From []int32 // index in the original, ascending
}

// Numbers holds 0, 1, 2, ... once for all trees without condensed levels. The zero value is ready for use by several
// goroutines.
type Numbers struct {
	mu  sync.Mutex
	all []int32
}

// First returns the first n numbers.
func (s *Numbers) First(n int) []int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > cap(s.all) {
		s.all = append(make([]int32, 0, n+n/8), s.all...)
	}
	for i := len(s.all); i < n; i++ { // no returned slice contains these yet
		s.all = append(s.all, int32(i))
	}
	return s.all[:n:n]
}

// Condense removes the condensed levels of t. It does not change t. If nothing is condensed, the result shares the
// arrays of t and of numbers.
func Condense(t Tree, c Condensing, numbers *Numbers) *Condensed {
	if !c.Needed() {
		return &Condensed{Tree: t, From: numbers.First(t.Len())}
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
		From: make([]int32, kept),
	}
	above := make([]int32, c.Height+2) // by level of the path: the nearest remaining node above it
	above[0] = -1
	k := int32(0)
	for i, l := range t.Level {
		up := above[l]
		if ordinal[l] < 0 {
			above[l+1] = up
			continue
		}
		out.Parent[k], out.Level[k], out.From[k] = up, ordinal[l], int32(i)
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

// Find returns the node that represents a node of the original tree t: itself if it remains, otherwise its nearest
// remaining ancestor.
func (c *Condensed) Find(t Tree, node int32) int32 {
	i := int32(sort.Search(len(c.From), func(k int) bool { return c.From[k] > node })) - 1
	for c.From[i]+t.Size[c.From[i]] <= node {
		i = c.Parent[i]
	}
	return i
}
