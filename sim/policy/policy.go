// Package policy holds the scheduling policies: where new work goes and what an idle PE does. Each policy is one file
// and one line in All.
//
// A policy has no state of its own. It keeps its state of a PE in that PE's sim.Self, and learns about other PEs from
// the sim.View, so that the same value schedules a million simulated PEs or a few real workers.
package policy

import (
	"errors"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/sim"
)

// A Kind is a scheduling policy with its name.
type Kind struct {
	Name, Doc string
	New       func() sim.Policy
}

// All lists the policies, the default first.
var All = []Kind{
	{"on-demand", "new work stays; an idle PE asks a busy one, which gives its oldest work, or several of a long queue", func() sim.Policy { return OnDemand{} }},
	{"steal", "new work stays; an idle PE steals the oldest work of a random victim", func() sim.Policy { return Steal{} }},
	{"steal-half", "new work stays; an idle PE steals the older half of a random victim's queue", func() sim.Policy { return StealHalf{} }},
	{"steal-near", "new work stays; an idle PE steals, trying victims by their distance in the network", func() sim.Policy { return StealNear{} }},
	{"steal-lifeline", "new work stays; an idle PE steals from random victims, then from its neighbours in a hypercube, then sleeps", func() sim.Policy { return StealLifeline{} }},
	{"breadth-first", "all new work goes to one queue; an idle PE takes the oldest", func() sim.Policy { return BreadthFirst{} }},
	{"depth-first", "new work stays and no PE steals it: no load balancing", func() sim.Policy { return DepthFirst{} }},
	{"round-robin", "new work goes to PE + 1, PE + 2, ... in turn", func() sim.Policy { return RoundRobin{} }},
	{"random", "new work goes to a random other PE", func() sim.Policy { return Random{} }},
	{"ring", "new work goes to the next PE of a ring", func() sim.Policy { return Ring{} }},
	{"least-loaded", "new work goes to the neighbour with the shortest queue, if that is shorter than the PE's own", func() sim.Policy { return LeastLoaded{} }},
	{"static", "new work goes to the PE that the program names, and stays if it names none", func() sim.Policy { return Static{} }},
}

// Default is the name of the default policy.
const Default = "on-demand"

// Named returns the policy with a name, which for on-demand may have options. The error for an unknown name suggests
// similar ones.
func Named(name string) (sim.Policy, error) {
	base, options, configured := strings.Cut(name, ":")
	if configured && base == Default {
		return configure(options)
	}
	known := make([]string, len(All))
	for i, k := range All {
		if k.Name == name {
			return k.New(), nil
		}
		known[i] = k.Name
	}
	if configured && slices.Contains(known, base) {
		return nil, errors.New("the policy " + base + " has no options; " + Default + " has some (whorl list policies)")
	}
	return nil, nearest.Unknown("policy", base, known)
}

// keeps is embedded in policies that keep new work on the PE that spawned it.
type keeps struct{}

func (keeps) Traits() sim.Traits                       { return sim.Traits{LIFO: true, Stays: true} }
func (keeps) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }

// waits is embedded in policies whose idle PEs wait for work that others place on them.
type waits struct{}

func (waits) Traits() sim.Traits               { return sim.Traits{} }
func (waits) Idle(sim.View, *sim.Self) sim.Ask { return sim.Ask{From: sim.Nobody} }
