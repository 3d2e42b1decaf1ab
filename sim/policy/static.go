package policy

import "whorl/sim"

// Static puts new work on the PE that the program names, modulo their number. Work without a hint stays.
type Static struct{ keeps }

// Place returns the hint.
func (Static) Place(v sim.View, s *sim.Self, hint int) int {
	if hint < 0 {
		return int(s.PE)
	}
	return hint % v.PEs()
}

// Idle waits.
func (Static) Idle(v sim.View, s *sim.Self) sim.Ask { return waits{}.Idle(v, s) }
