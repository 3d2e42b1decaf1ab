package calibrate

import (
	"fmt"
	"math"
	"slices"

	"whorl/internal/figures"
	"whorl/sim/machines"
)

// free is a machine on which nothing but instructions takes time.
var free = other + ":overhead=0ns:latency=0ns:gap=0ns:byte=0ns"

// option returns the option of machines with a name.
func option(cost string) *machines.Option {
	i := slices.IndexFunc(machines.Options, func(o machines.Option) bool { return o.Name == cost })
	return &machines.Options[i]
}

// mostOf returns the largest value of a cost in ns.
func mostOf(cost string) float64 { return float64(option(cost).Most) }

// machineWith returns the name of a machine with a cost in ns, rounded to the precision of machines.
func machineWith(machine, cost string, ns float64) string {
	o := option(cost)
	if ns = math.Round(ns*1000) / 1000; o.Whole() {
		ns = math.Round(ns)
	}
	if cost == "instruction" {
		ns = max(ns, leastInstruction)
	}
	return machines.With(machine, cost, machines.TimeText(min(ns, mostOf(cost))))
}

// machineNamed returns a machine that machineWith has named.
func machineNamed(name string) machines.Preset {
	p, err := machines.Named(name)
	if err != nil {
		panic(err) // all costs are within their limits
	}
	return p
}

// costsOf returns a name of a machine with the costs of p.
func costsOf(p machines.Preset) string {
	name := other
	for i := range machines.Options {
		o := &machines.Options[i]
		name = machines.With(name, o.Name, o.Text(p.Model))
	}
	return name
}

// Text returns the machine file of the report: its costs, each with its 95 % interval. name is that of the machine.
func (r *Report) Text(name string) string {
	p, notes := r.Machine, map[string]string{}
	p.Name = name
	if r.Overloaded() {
		p.Source += fmt.Sprintf("; other programs had %s of the cores, so that costs are too large", figures.Share(r.Lost, 0))
	}
	for _, f := range r.Figures {
		if f.Part {
			continue
		}
		note := r.unmeasured(f.Name)
		if f.Rounds > 0 {
			note = "in " + figures.Counted(int64(f.Rounds), "round")
			if f.Rounds > 1 {
				note = fmt.Sprintf("%s to %s ns (95 %%) ", shortly(f.Live.Low), shortly(f.Live.High)) + note
			}
		}
		notes[f.Name+"_ns"] = note
	}
	return p.Text(notes)
}

// unmeasured says why a cost was not measured.
func (r *Report) unmeasured(cost string) string {
	if cost == "wake" || cost == "hold" {
		return "not measured: replays of Go programs have those of their traces"
	}
	if r.Cores == 1 {
		return "not measured with one core: that of the machine " + other
	}
	if r.Substrate == "" {
		return "not found: with every value the simulated run is shorter than the live one"
	}
	return "not measured: programs of " + r.Substrate + " do not have it apart from other costs"
}

// shortly returns a number with three digits, or all that its whole part has.
func shortly(x float64) string {
	decimals := 0
	if x >= 0.0005 && x < 100 {
		decimals = min(3, max(0, 2-int(math.Floor(math.Log10(x)))))
	}
	return figures.Fixed(x, decimals)
}
