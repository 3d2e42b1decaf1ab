package sim

// A ring joins each PE to the next, and the last to the first.
type ring struct{ pes int }

func newRing(pes int) Network { return ring{pes} }

func (n ring) Name() string            { return "ring" }
func (n ring) PEs() int                { return n.pes }
func (n ring) Shared() bool            { return false }
func (n ring) Coords(pe int) []int32   { return []int32{int32(pe)} }
func (n ring) diameter() int           { return n.pes / 2 }
func (n ring) Near(s *Self, k int) int { return near(n, int(s.PE), k) }

func (n ring) Distance(a, b int) int {
	d := max(a, b) - min(a, b)
	return min(d, n.pes-d)
}

// shell enumerates one PE on either side, or the single one opposite.
func (n ring) shell(pe, d, k int) int {
	switch {
	case d > n.diameter() || k > 1 || k == 1 && 2*d == n.pes:
		return past
	case k == 0:
		return (pe + d) % n.pes
	default:
		return (pe - d + n.pes) % n.pes
	}
}

func (n ring) Outward(pe int, cursor *uint64) int { return walk(n, pe, cursor) }
