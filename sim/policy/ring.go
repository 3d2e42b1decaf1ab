package policy

import "whorl/sim"

// Ring puts new work on the next PE, modulo their number: the ring-like load distribution of the dynamic-system
// animation paper (section 4).
type Ring struct{ waits }

// Place returns the next PE.
func (Ring) Place(v sim.View, s *sim.Self, _ int) int { return (int(s.PE) + 1) % v.PEs() }
