package policy

import "whorl/sim"

// StealLifeline keeps new work where it was spawned. An idle PE asks some random victims, and then its lifelines, which are its neighbours in a
// hypercube of the PEs' numbers, before it goes to sleep; when it is woken its lifelines come first (Saraswat, Kambadur, Kodali, Grove,
// Krishnamoorthy, "Lifeline-based Global Load Balancing", 2011). There a lifeline that had nothing remembers who asked and sends work when it
// has some. Here the machine wakes those who sleep, the longest asleep first, and one whose lifelines have nothing then asks who has.
type StealLifeline struct{ keeps }

// lifelineTries is how many random victims are asked before the lifelines: w of the paper.
const lifelineTries = 2

// Idle picks a random victim, or a lifeline. Self.Mem is 1 in a PE that has slept since it last had work.
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
		// One that has work but does not offer it would be asked again and again, at one instant where that takes no time.
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
	return askBusy(v, s, s.Rand.N(n), false)
}
