package live

import "whorl/sim"

// PEs returns the number of workers.
func (c *Crew) PEs() int { return len(c.workers) }

// Load returns the number of works that a worker had at its last safe point; for sim.Central, the current number.
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

// Offered returns the first worker after the given one that had more works than requests for them, -1 for none. See sim.View.
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
