package policy

import "whorl/sim"

// BreadthFirst puts all new work into the central queue, from which PEs take the oldest.
type BreadthFirst struct{}

// Traits returns the traits of a central queue.
func (BreadthFirst) Traits() sim.Traits { return sim.Traits{Central: true} }

// Place returns the central queue.
func (BreadthFirst) Place(sim.View, *sim.Self, int) int { return sim.Central }

// Idle asks the central queue if it holds unclaimed work.
func (BreadthFirst) Idle(v sim.View, _ *sim.Self) sim.Ask {
	if v.Load(sim.Central) > 0 {
		return sim.Ask{From: sim.Central}
	}
	return sim.Ask{From: sim.Later}
}
