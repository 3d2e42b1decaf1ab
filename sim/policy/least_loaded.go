package policy

import "whorl/sim"

// LeastLoaded puts new work on the neighbour with the shortest queue, or keeps it if no neighbour's queue is shorter
// than its own.
type LeastLoaded struct{ waits }

// Place returns the first of the least loaded neighbours.
func (LeastLoaded) Place(v sim.View, s *sim.Self, _ int) int {
	best := int(s.PE)
	least := v.Load(best)
	for k := 0; ; k++ {
		q := v.Near(s, k)
		if q < 0 {
			return best
		}
		if n := v.Load(q); n < least {
			best, least = q, n
		}
	}
}
