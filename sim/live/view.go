package live

import "whorl/sim"

// PEs is the number of workers.
func (c *Crew) PEs() int { return len(c.workers) }

// Load is the number of works that waited at a worker when it was last at a safe point; for sim.Central, what waits now.
func (c *Crew) Load(pe int) int {
	if pe == sim.Central {
		return len(c.central) - c.taken
	}
	return int(c.workers[pe].load.Load())
}

// Distance, Near and Outward are those of the network.
func (c *Crew) Distance(a, b int) int              { return c.net.Distance(a, b) }
func (c *Crew) Near(s *sim.Self, k int) int        { return c.net.Near(s, k) }
func (c *Crew) Outward(pe int, cursor *uint64) int { return c.net.Outward(pe, cursor) }

// Offered is the first worker after the given one that had more works waiting than others have asked for. See sim.View.
func (c *Crew) Offered(after int) int {
	n := len(c.workers)
	for k := 1; k <= n; k++ {
		i := (after + k) % n
		if w := &c.workers[i]; !w.sleeping && int(w.load.Load()) > len(w.asked) {
			return i
		}
	}
	return -1
}

var _ sim.View = (*Crew)(nil)
