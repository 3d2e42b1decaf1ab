package sim

// PEs returns the number of PEs.
func (m *Machine) PEs() int { return len(m.pes) }

// Load returns the number of works that wait at a PE or are on their way to it. For Central it is the number of
// unclaimed works. See View.
func (m *Machine) Load(pe int) int {
	if pe == Central {
		return int(max(0, m.central.n-m.claimed))
	}
	p := &m.pes[pe]
	return int(p.ready.n + p.last.n + p.due)
}

// Distance returns the number of hops from a to b.
func (m *Machine) Distance(a, b int) int { return m.net.Distance(a, b) }

// Near returns the k-th neighbour of s.PE, -1 past the last. See View.
func (m *Machine) Near(s *Self, k int) int { return m.net.Near(s, k) }

// Outward iterates over all other PEs by their distance from pe. See View.
func (m *Machine) Outward(pe int, cursor *uint64) int { return m.net.Outward(pe, cursor) }

// Offered returns the first PE after the given one, in cyclic order, with more works than asks for them, -1 for none. See View.
func (m *Machine) Offered(after int) int {
	if i := m.offers.from(after + 1); i >= 0 {
		return i
	}
	return m.offers.from(0)
}
