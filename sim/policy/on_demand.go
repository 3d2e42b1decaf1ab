package policy

import "whorl/sim"

// OnDemand keeps new work where it was spawned. An idle PE asks the next PE, in cyclic order, that has work to give, and gets its oldest:
// the scheduling of Panda, the FGHC system under VISTA.
type OnDemand struct{ keeps }

// Idle asks the next busy PE.
func (OnDemand) Idle(v sim.View, s *sim.Self) sim.Ask { return askBusy(v, s, int(s.PE), false) }

// askBusy asks the first PE after the given one that offers work, and sleeps while there is none.
func askBusy(v sim.View, s *sim.Self, after int, half bool) sim.Ask {
	if b := v.Offered(after); b >= 0 && b != int(s.PE) {
		return sim.Ask{From: b, Half: half}
	}
	return sim.Ask{From: sim.Later}
}
