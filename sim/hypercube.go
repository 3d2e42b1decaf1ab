package sim

import "math/bits"

// A hypercube has as many dimensions as the largest PE number has bits. If the number of PEs is not a power of two, the
// corners past the last PE are missing; a shortest path that first clears bits and then sets them avoids them.
type hypercube struct{ pes, dims int }

func newHypercube(pes int) Network { return hypercube{pes, bits.Len(uint(pes - 1))} }

func (n hypercube) Name() string            { return "hypercube" }
func (n hypercube) PEs() int                { return n.pes }
func (n hypercube) Shared() bool            { return false }
func (n hypercube) Distance(a, b int) int   { return bits.OnesCount(uint(a ^ b)) }
func (n hypercube) Near(s *Self, k int) int { return near(n, int(s.PE), k) }
func (n hypercube) diameter() int           { return n.dims }

func (n hypercube) Coords(pe int) []int32 {
	c := make([]int32, n.dims)
	for i := range c {
		c[i] = int32(pe >> i & 1)
	}
	return c
}

// shell enumerates the sets of d dimensions in the order of the numbers with those bits (the combinatorial number system).
func (n hypercube) shell(pe, d, k int) int {
	if k >= choose(n.dims, d) {
		return past
	}
	mask := 0
	for bit := n.dims - 1; d > 0; bit-- {
		if c := choose(bit, d); k >= c {
			mask |= 1 << bit
			k -= c
			d--
		}
	}
	if q := pe ^ mask; q < n.pes {
		return q
	}
	return absent
}

func choose(n, k int) int {
	if k > n {
		return 0
	}
	c := 1
	for i := 1; i <= k; i++ {
		c = c * (n - k + i) / i
	}
	return c
}

func (n hypercube) Outward(pe int, cursor *uint64) int { return walk(n, pe, cursor) }
