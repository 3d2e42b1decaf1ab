package policy

import "whorl/sim"

// Random puts new work on a uniformly random PE other than the one that spawned it: the random load distribution of the
// dynamic-system animation paper (section 4).
type Random struct{ waits }

// Place returns a random other PE.
func (Random) Place(v sim.View, s *sim.Self, _ int) int { return s.Rand.Other(int(s.PE), v.PEs()) }
