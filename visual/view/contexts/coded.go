package contexts

// coded lists the nodes of each code of a tree.
type coded struct {
	codes []uint32         // in the order of their first nodes
	place map[uint32]int32 // in codes
	start []int32          // in nodes, by place
	nodes []int32
}

// newCoded lists the nodes below the root, which have the given codes.
func newCoded(code []uint32) *coded {
	c := &coded{place: map[uint32]int32{}, nodes: make([]int32, len(code)-1)}
	at := make([]int32, len(code)) // by node: the place of its code
	var count []int32
	for v, k := range code[1:] {
		p, ok := c.place[k]
		if !ok {
			p = int32(len(c.codes))
			c.place[k] = p
			c.codes, count = append(c.codes, k), append(count, 0)
		}
		at[v+1] = p
		count[p]++
	}
	c.start = make([]int32, len(count)+1)
	for p, n := range count {
		c.start[p+1] = c.start[p] + n
	}
	next := append([]int32(nil), c.start...)
	for v := 1; v < len(at); v++ {
		c.nodes[next[at[v]]] = int32(v)
		next[at[v]]++
	}
	return c
}

// of returns the nodes of a code in preorder, nil if it has none. The caller must not change them.
func (c *coded) of(code uint32) []int32 {
	p, ok := c.place[code]
	if !ok {
		return nil
	}
	return c.nodes[c.start[p]:c.start[p+1]:c.start[p+1]]
}
