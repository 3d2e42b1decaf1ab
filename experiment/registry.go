package experiment

import (
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
)

// An Item is one of the things there are to choose from.
type Item struct{ Name, Doc string }

// Policies lists the scheduling policies, the default first.
func Policies() []Item {
	return items(policy.All, func(k policy.Kind) Item { return Item{k.Name, k.Doc} })
}

// Machines lists the built-in machines, the default first.
func Machines() []Item {
	return items(machines.All(), func(p machines.Preset) Item { return Item{p.Name, p.Doc} })
}

// Networks lists the topologies.
func Networks() []Item {
	return items(sim.Networks, func(k sim.NetworkKind) Item { return Item{k.Name, k.Doc} })
}

func items[T any](all []T, item func(T) Item) []Item {
	out := make([]Item, len(all))
	for i, t := range all {
		out[i] = item(t)
	}
	return out
}

func itemNames(all []Item) []string {
	out := make([]string, len(all))
	for i, it := range all {
		out[i] = it.Name
	}
	return out
}
