package policy

import "whorl/sim"

// StealLifeline keeps new work where it was spawned. An idle PE asks random victims, then its lifelines, its neighbours
// in a hypercube of PE numbers, and then sleeps. When it wakes it asks its lifelines first (Saraswat, Kambadur, Kodali,
// Grove, Krishnamoorthy, "Lifeline-based Global Load Balancing", 2011). In the paper a lifeline without work remembers
// who asked and sends work when it has some. Here the machine wakes sleeping PEs, the longest asleep first, and a PE
// whose lifelines have no work then asks any PE that has.
type StealLifeline struct{ keeps }

// lifelineTries is the number of random victims before the lifelines: w of the paper.
const lifelineTries = 2

// Idle picks a random victim or a lifeline. Self.Mem is 1 if the PE has slept since it last had work.
func (StealLifeline) Idle(v sim.View, s *sim.Self) sim.Ask {
	n := v.PEs()
	if v.Offered(int(s.PE)) < 0 || n == 1 {
		s.Mem = 1
		return sim.Ask{From: sim.Later}
	}
	if s.Mem == 0 && s.Tries < lifelineTries {
		return sim.Ask{From: s.Rand.Other(int(s.PE), n)}
	}
	for bit := 1; bit < n; bit <<= 1 {
		// Only lifelines that offer work: others would be asked again and again, at one instant if asking takes no time.
		if q := int(s.PE) ^ bit; q < n && v.Offered((q+n-1)%n) == q {
			s.Mem = 0
			return sim.Ask{From: q}
		}
	}
	if s.Mem == 0 {
		s.Mem = 1
		return sim.Ask{From: sim.Later}
	}
	s.Mem = 0
	return askBusy(v, s, s.Rand.N(n), sim.One)
}
