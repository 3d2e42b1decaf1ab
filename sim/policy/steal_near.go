package policy

import "whorl/sim"

// StealNear keeps new work where it was spawned. An idle PE tries victims by distance, nearest first.
type StealNear struct{ keeps }

// nearTries is the number of victims that a thief tries by distance before it chooses among PEs with work.
const nearTries = 16

// Idle tries the next nearest victim. Self.Mem is the cursor of View.Outward.
func (StealNear) Idle(v sim.View, s *sim.Self) sim.Ask {
	if s.Tries == 0 {
		s.Mem = 0
	}
	if s.Tries < nearTries && v.Offered(int(s.PE)) >= 0 {
		if q := v.Outward(int(s.PE), &s.Mem); q >= 0 {
			return sim.Ask{From: q}
		}
	}
	return askBusy(v, s, int(s.PE), sim.One)
}
