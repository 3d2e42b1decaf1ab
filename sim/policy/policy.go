// Package policy holds the scheduling policies: where new work goes and what an idle PE does. Each is one file and one line in All.
//
// A policy keeps nothing of its own. What it remembers of a PE lies in that PE's sim.Self, and what it may know of the others it asks the
// sim.View, so that the same value schedules a million simulated PEs or a few real workers.
package policy

import (
	"whorl/internal/nearest"
	"whorl/sim"
)

// A Kind is one of All.
type Kind struct {
	Name, Doc string
	New       func() sim.Policy
}

// All lists the policies, the default first.
var All = []Kind{
	{"on-demand", "new work stays; an idle PE asks a busy one, which gives its oldest work", func() sim.Policy { return OnDemand{} }},
	{"steal", "new work stays; an idle PE steals the oldest work of a random victim", func() sim.Policy { return Steal{} }},
	{"steal-half", "new work stays; an idle PE steals the older half of a random victim's queue", func() sim.Policy { return StealHalf{} }},
	{"steal-near", "new work stays; an idle PE steals, trying victims by their distance in the network", func() sim.Policy { return StealNear{} }},
	{"steal-lifeline", "new work stays; an idle PE steals from random victims, then from its neighbours in a hypercube, then sleeps", func() sim.Policy { return StealLifeline{} }},
	{"breadth-first", "all new work goes to one queue, and is taken in the order of its creation", func() sim.Policy { return BreadthFirst{} }},
	{"depth-first", "new work stays and nobody asks for it: what no balancing means", func() sim.Policy { return DepthFirst{} }},
	{"round-robin", "new work goes to PE + 1, PE + 2, ... in turn", func() sim.Policy { return RoundRobin{} }},
	{"random", "new work goes to a random other PE", func() sim.Policy { return Random{} }},
	{"ring", "new work goes to the next PE of a ring", func() sim.Policy { return Ring{} }},
	{"least-loaded", "new work goes to the neighbour with the shortest queue, if it is shorter than one's own", func() sim.Policy { return LeastLoaded{} }},
	{"static", "new work goes where the program says, and stays where it says nothing", func() sim.Policy { return Static{} }},
}

// Default is the name of the policy that is used where none is named.
const Default = "on-demand"

// Named returns the policy of that name. Its error names the nearest names.
func Named(name string) (sim.Policy, error) {
	known := make([]string, len(All))
	for i, k := range All {
		if k.Name == name {
			return k.New(), nil
		}
		known[i] = k.Name
	}
	return nil, nearest.Unknown("policy", name, known)
}

// keeps places new work on the PE that spawned it.
type keeps struct{}

func (keeps) Traits() sim.Traits                       { return sim.Traits{LIFO: true, Stays: true} }
func (keeps) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }

// waits has an idle PE wait for work that others place on it.
type waits struct{}

func (waits) Traits() sim.Traits               { return sim.Traits{} }
func (waits) Idle(sim.View, *sim.Self) sim.Ask { return sim.Ask{From: sim.Nobody} }
