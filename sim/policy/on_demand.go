package policy

import "whorl/sim"

// OnDemand keeps new work where it was spawned. An idle PE asks a PE that has work to give, the first from a random one on in cyclic order,
// and gets its oldest: the scheduling of Panda, the FGHC system under VISTA.
type OnDemand struct{ keeps }

// Idle asks a busy PE.
func (OnDemand) Idle(v sim.View, s *sim.Self) sim.Ask { return askBusy(v, s, s.Rand.N(v.PEs()), false) }

// askBusy asks the first PE after the given one that offers work, and sleeps while there is none.
func askBusy(v sim.View, s *sim.Self, after int, half bool) sim.Ask {
	if b := v.Offered(after); b >= 0 && b != int(s.PE) {
		return sim.Ask{From: b, Half: half}
	}
	return sim.Ask{From: sim.Later}
}
