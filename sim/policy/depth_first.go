package policy

import "whorl/sim"

// DepthFirst keeps new work where it was spawned, and no PE ever asks another.
type DepthFirst struct{ keeps }

// Idle waits.
func (DepthFirst) Idle(v sim.View, s *sim.Self) sim.Ask { return waits{}.Idle(v, s) }
