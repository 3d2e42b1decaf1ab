package policy

import "whorl/sim"

// OnDemand keeps new work where it was spawned. An idle PE takes the oldest work of the first PE with work to give, in
// cyclic order from a random PE on: the scheduling of Panda, the FGHC system under VISTA.
type OnDemand struct{ keeps }

// Idle asks a busy PE.
func (OnDemand) Idle(v sim.View, s *sim.Self) sim.Ask { return askBusy(v, s, s.Rand.N(v.PEs()), false) }

// askBusy asks the first PE after the given one that offers work. It sleeps while none does.
func askBusy(v sim.View, s *sim.Self, after int, half bool) sim.Ask {
	if b := v.Offered(after); b >= 0 && b != int(s.PE) {
		return sim.Ask{From: b, Half: half}
	}
	return sim.Ask{From: sim.Later}
}
