package policy

import "whorl/sim"

// OnDemand keeps new work where it was spawned. An idle PE asks the first PE with work to give, in cyclic order from a
// random PE on: the scheduling of Panda, the FGHC system under VISTA. The asked PE gives its oldest work, which is the
// largest part of a recursion. Of a queue of twelve works or more, such as the rounds of a parallel loop, it gives half of
// those beyond eight, so that a loop of small works is not moved one by one.
type OnDemand struct{ keeps }

// Idle asks a busy PE.
func (OnDemand) Idle(v sim.View, s *sim.Self) sim.Ask {
	return askBusy(v, s, s.Rand.N(v.PEs()), sim.Surplus)
}

// askBusy asks the first PE after the given one that offers work. It sleeps while none does.
func askBusy(v sim.View, s *sim.Self, after int, share sim.Share) sim.Ask {
	if b := v.Offered(after); b >= 0 && b != int(s.PE) {
		return sim.Ask{From: b, Share: share}
	}
	return sim.Ask{From: sim.Later}
}
