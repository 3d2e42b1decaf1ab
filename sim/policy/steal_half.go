package policy

import "whorl/sim"

// StealHalf is Steal, but a thief takes the older half of its victim's queue, rounded up (Hendler, Shavit 2002).
type StealHalf struct{ keeps }

// Idle picks a random victim.
func (StealHalf) Idle(v sim.View, s *sim.Self) sim.Ask { return rob(v, s, sim.Half) }
