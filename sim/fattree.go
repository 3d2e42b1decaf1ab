package sim

// A fatTree has up to four PEs at each leaf switch and four switches below each other switch (Leiserson 1985). The PEs
// are distributed evenly over the leaves. A hop is a switch that a message passes: 1 within a leaf, 3 through the
// switch above, and so on.
type fatTree struct{ pes, leaves int }

func newFatTree(pes int) Network { return fatTree{pes, (pes + 3) / 4} }

func (n fatTree) Name() string            { return "fattree" }
func (n fatTree) PEs() int                { return n.pes }
func (n fatTree) Shared() bool            { return false }
func (n fatTree) Near(s *Self, k int) int { return near(n, int(s.PE), k) }

func (n fatTree) leaf(pe int) int    { return pe * n.leaves / n.pes }
func (n fatTree) first(leaf int) int { return (leaf*n.pes + n.leaves - 1) / n.leaves }

// Coords returns the number of the leaf switch and the place at it.
func (n fatTree) Coords(pe int) []int32 {
	l := n.leaf(pe)
	return []int32{int32(l), int32(pe - n.first(l))}
}

func (n fatTree) Distance(a, b int) int {
	if a == b {
		return 0
	}
	d := 1
	for x, y := n.leaf(a), n.leaf(b); x != y; x, y = x/4, y/4 {
		d += 2
	}
	return d
}

func (n fatTree) diameter() int {
	d := 1
	for x := n.leaves - 1; x > 0; x /= 4 {
		d += 2
	}
	return d
}

// span returns the PEs from lo to hi-1 that are within d hops of pe.
func (n fatTree) span(pe, d int) (lo, hi int) {
	if d < 1 {
		return pe, pe + 1
	}
	level := d - 1 // a level is 2 bits of the switch number, and 2 hops
	l := n.leaf(pe) >> level << level
	return n.first(l), n.first(min(l+1<<level, n.leaves))
}

func (n fatTree) shell(pe, d, k int) int {
	if d%2 == 0 {
		return past
	}
	lo, hi := n.span(pe, d)
	in, out := n.span(pe, d-2)
	q := lo + k
	if q >= in {
		q += out - in
	}
	if q >= hi {
		return past
	}
	return q
}

func (n fatTree) Outward(pe int, cursor *uint64) int { return walk(n, pe, cursor) }
