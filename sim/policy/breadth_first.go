package policy

import "whorl/sim"

// BreadthFirst puts all new work into one central queue, from which PEs take the oldest.
type BreadthFirst struct{}

// Traits are those of one queue, first in, first out.
func (BreadthFirst) Traits() sim.Traits { return sim.Traits{Central: true} }

// Place is the central queue.
func (BreadthFirst) Place(sim.View, *sim.Self, int) int { return sim.Central }

// Idle takes from the central queue if it holds work that nobody has come for.
func (BreadthFirst) Idle(v sim.View, _ *sim.Self) sim.Ask {
	if v.Load(sim.Central) > 0 {
		return sim.Ask{From: sim.Central}
	}
	return sim.Ask{From: sim.Later}
}
