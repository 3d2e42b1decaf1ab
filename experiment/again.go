package experiment

import (
	"errors"
	"fmt"
	"slices"

	"whorl/benchmarks"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/tracer"
)

// Again returns the simulated run that reproduces the trace with some metadata: of a benchmark, or of the text of a program in FGHC in the trace. The
// error is the reason why there is none.
func Again(m *tracer.Meta) (Run, error) {
	switch {
	case m.Mode == tracer.Live:
		return Run{}, errors.New("the run was on real cores: other settings cannot be computed for it, and no second run is the same")
	case !slices.Contains([]string{"fghc", "dts", "hpf"}, m.Substrate):
		return Run{}, errors.New("the program is not in the trace")
	}
	r, ok := benchmarkAgain(m)
	if !ok {
		if m.Substrate != "fghc" || m.Mode != tracer.Sim || len(m.Source) != 1 || m.Source[0].Text == "" {
			return Run{}, errors.New("the trace does not have the whole text of its program: there is nothing to run again")
		}
		r = Edited(m, m.Source[0].Text)
	}
	if _, err := machines.Named(r.Machine); err != nil {
		return Run{}, fmt.Errorf("the file of the machine %s is not known here", r.Machine)
	}
	return r, nil
}

// Edited returns the run of a trace with another text of its program. It leaves out a network that is the machine's own, so that a run on another
// machine has the network of that machine.
func Edited(m *tracer.Meta, text string) Run {
	r := Run{Text: text, Goal: m.Goal, PEs: m.PEs, Policy: m.Policy, Machine: m.Machine, Network: m.Network, Seed: m.Seed}
	if len(m.Source) > 0 {
		r.Program = m.Source[0].Name
	}
	if preset, err := machines.Named(m.Machine); err == nil && preset.Network == m.Network {
		r.Network = ""
	}
	for _, kv := range m.Extra {
		if kv.Key == sim.SpeedKey {
			r.Speeds = append(r.Speeds, kv.Value)
		}
	}
	return r
}

// benchmarkAgain returns the run of a benchmark that recorded a trace with some metadata. ok is false for another program, and for a benchmark in FGHC
// whose text was another one.
func benchmarkAgain(m *tracer.Meta) (r Run, ok bool) {
	i := slices.IndexFunc(benchmarks.All, func(b *benchmarks.Benchmark) bool { return b.Name == m.Program })
	if i < 0 || m.Mode != tracer.Sim {
		return Run{}, false
	}
	r = Edited(m, "")
	r.Program, r.Args, r.Goal = m.Program, slices.Clone(m.Args), ""
	b := benchmarks.All[i]
	if own, fghc := b.Program.(benchmarks.FGHC); fghc {
		if len(m.Source) == 0 || m.Source[0].Text != own.Source {
			return Run{}, false
		}
		if sizes, err := b.Sizes(m.Args); err != nil || own.Goal(sizes) != m.Goal {
			r.Goal, r.Args = m.Goal, nil
		}
	}
	return r, true
}
