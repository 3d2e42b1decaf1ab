package dts

import "whorl/sim"

// Load returns the approximate number of threads that a PE offers to thieves.
func (e *stacked) Load(pe int) int {
	if pe == sim.Central {
		return 0
	}
	bounds := e.workers[pe].bounds.Load()
	return max(0, int(uint32(bounds))-int(bounds>>32))
}

// PEs, Distance, Near and Outward describe the network.
func (e *stacked) PEs() int                           { return e.system.PEs }
func (e *stacked) Distance(a, b int) int              { return e.net.Distance(a, b) }
func (e *stacked) Near(s *sim.Self, k int) int        { return e.net.Near(s, k) }
func (e *stacked) Outward(pe int, cursor *uint64) int { return e.net.Outward(pe, cursor) }

// Offered returns the first PE after the given one that has threads to steal, or -1.
func (e *stacked) Offered(after int) int {
	n := len(e.workers)
	for k := 1; k <= n; k++ {
		if i := (after + k) % n; !e.workers[i].nothing.Load() {
			return i
		}
	}
	return -1
}

var _ sim.View = (*stacked)(nil)
