package policy

import "whorl/sim"

// Steal keeps new work where it was spawned. An idle PE steals the oldest work of a random victim (Blumofe, Leiserson 1999).
type Steal struct{ keeps }

// Idle picks a random victim.
func (Steal) Idle(v sim.View, s *sim.Self) sim.Ask { return rob(v, s, sim.One) }

// blindTries is the number of random victims that a thief tries before it chooses among PEs with work. Without a limit,
// thieves would ask a million times for each work of a program that is too small for its machine.
const blindTries = 2

// rob asks random victims, then a PE that offers work. It sleeps while none does.
func rob(v sim.View, s *sim.Self, share sim.Share) sim.Ask {
	if v.PEs() > 1 && s.Tries < blindTries && v.Offered(int(s.PE)) >= 0 {
		return sim.Ask{From: s.Rand.Other(int(s.PE), v.PEs()), Share: share}
	}
	return askBusy(v, s, s.Rand.N(v.PEs()), share)
}
