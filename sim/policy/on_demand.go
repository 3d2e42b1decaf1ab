package policy

import "whorl/sim"

// OnDemand keeps new work where it was spawned. An idle PE asks the first PE with work to give, in cyclic order from a
// random PE on: the scheduling of Panda, the FGHC system under VISTA. The asked PE gives its oldest work, which is the
// largest part of a recursion. Of a queue of twelve works or more, such as the rounds of a parallel loop, it gives half of
// those beyond eight, so that a loop of small works is not moved one by one.
//
// The paper on VISTA does not say which PE is asked, nor the order of goals. The fields hold these choices; see Options.
type OnDemand struct {
	Victim Victim
	Goals  sim.Goals
}

// A Victim is the PE that an idle PE asks under on-demand.
type Victim uint8

const (
	FromRandom Victim = iota // the first PE with work from a random one on
	FromNext                 // the first PE with work after the idle one
	Longest                  // the first of the PEs with the longest queue
)

// Traits returns the traits of a policy that keeps work, with the order of goals.
func (d OnDemand) Traits() sim.Traits {
	t := keeps{}.Traits()
	t.Goals = d.Goals
	return t
}

// Place returns the PE that spawned the work.
func (OnDemand) Place(v sim.View, s *sim.Self, hint int) int { return keeps{}.Place(v, s, hint) }

// Idle asks a busy PE.
func (d OnDemand) Idle(v sim.View, s *sim.Self) sim.Ask {
	after := int(s.PE)
	switch d.Victim {
	case FromRandom:
		after = s.Rand.N(v.PEs())
	case Longest:
		after = longest(v) - 1
	}
	return askBusy(v, s, after, sim.Surplus)
}

// longest returns the first PE with the longest queue among those that offer work, or PE 0 if none does.
func longest(v sim.View) (pe int) {
	most := 0
	for q := v.Offered(-1); q >= 0; {
		if n := v.Load(q); n > most {
			pe, most = q, n
		}
		next := v.Offered(q)
		if next <= q {
			break
		}
		q = next
	}
	return pe
}

// askBusy asks the first PE after the given one that offers work. It sleeps while none does.
func askBusy(v sim.View, s *sim.Self, after int, share sim.Share) sim.Ask {
	if b := v.Offered(after); b >= 0 && b != int(s.PE) {
		return sim.Ask{From: b, Share: share}
	}
	return sim.Ask{From: sim.Later}
}
