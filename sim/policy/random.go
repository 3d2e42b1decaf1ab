package policy

import "whorl/sim"

// Random puts new work on a random PE other than the one that spawned it, each as likely: the random load distribution of the
// dynamic-system animation paper (section 4).
type Random struct{ waits }

// Place is a random other PE.
func (Random) Place(v sim.View, s *sim.Self, _ int) int { return s.Rand.Other(int(s.PE), v.PEs()) }
