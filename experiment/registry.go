package experiment

import (
	"fmt"

	"whorl/benchmarks"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
)

// An Item is a choice of the user, with a line about it.
type Item struct{ Name, Doc string }

// Policies lists the scheduling policies, the default first.
func Policies() []Item {
	return items(policy.All, func(k policy.Kind) Item { return Item{k.Name, k.Doc} })
}

// PolicyOptions lists on-demand with each value of its options that is not the default.
func PolicyOptions() (out []Item) {
	for _, o := range policy.Options {
		for _, v := range o.Values[1:] {
			out = append(out, Item{policy.Default + ":" + o.Name + "=" + v.Name, v.Doc + " (default " + o.Name + "=" + o.Values[0].Name + ")"})
		}
	}
	return out
}

// Machines lists the built-in machines, the default first.
func Machines() []Item {
	return items(machines.All(), func(p machines.Preset) Item { return Item{p.Name, p.Doc} })
}

// MachineOptions lists the default machine with each of its options.
func MachineOptions() []Item {
	p, err := machines.Named(machines.Default)
	if err != nil {
		panic(err) // a test reads all of them
	}
	return items(machines.Options, func(o machines.Option) Item {
		return Item{p.Name + ":" + o.Name + "=" + o.Text(p.Model), "option: " + o.Doc + "; any machine may have it"}
	})
}

// Networks lists the topologies.
func Networks() []Item {
	return items(sim.Networks, func(k sim.NetworkKind) Item { return Item{k.Name, k.Doc} })
}

// Benchmarks lists the programs that come with Whorl, with their sizes.
func Benchmarks() []Item {
	return items(benchmarks.All, func(b *benchmarks.Benchmark) Item {
		doc := b.Doc
		for _, p := range b.Params {
			doc += fmt.Sprintf(" [%s=%d: %s]", p.Name, p.Default, p.Doc)
		}
		return Item{b.Name, doc}
	})
}

func items[T any](all []T, item func(T) Item) []Item {
	out := make([]Item, len(all))
	for i, t := range all {
		out[i] = item(t)
	}
	return out
}
