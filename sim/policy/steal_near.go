package policy

import "whorl/sim"

// StealNear keeps new work where it was spawned. An idle PE tries victims by their distance, the nearest first.
type StealNear struct{ keeps }

// nearTries is how many victims a thief tries in order of distance before it looks who has work.
const nearTries = 16

// Idle tries the next victim outwards. Self.Mem is how far it has come.
func (StealNear) Idle(v sim.View, s *sim.Self) sim.Ask {
	if s.Tries == 0 {
		s.Mem = 0
	}
	if s.Tries < nearTries && v.Offered(int(s.PE)) >= 0 {
		if q := v.Outward(int(s.PE), &s.Mem); q >= 0 {
			return sim.Ask{From: q}
		}
	}
	return askBusy(v, s, int(s.PE), false)
}
