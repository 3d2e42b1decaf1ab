// Package whatif has the panel that runs a simulated run again with other settings while the user moves its sliders, and the Trials that make these
// runs.
package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/sim/machines"
)

// A setting is something of a run that the user can change.
type setting struct {
	name, label, doc string
	group            string // the heading above it
	choices          []experiment.Item
	steps            []string // of the slider, in increasing order; nil for a choice
	number           func(value string) (float64, error)
	value            func(r *experiment.Run) string
	set              func(r *experiment.Run, value string) error
}

// Headings of groups.
const (
	groupRun     = "Run"
	groupMachine = "Times of the machine"
	groupProgram = "Arguments of the program"
	groupSpeed   = "Speed of a part of the program"
	groupZero    = "Waits that are left out"
)

// Apply returns a run with other settings: names with their values as text. An error names the setting.
func Apply(base experiment.Run, settings map[string]string) (experiment.Run, error) {
	r := base
	r.Args, r.Speeds, r.Zero = slices.Clone(base.Args), slices.Clone(base.Speeds), slices.Clone(base.Zero)
	all := settingsOf(&base, partsOf(settings))
	var known []string
	for _, s := range all {
		known = append(known, s.name)
		if value, ok := settings[s.name]; ok {
			if err := s.set(&r, value); err != nil {
				return r, fmt.Errorf("%s: %w", s.label, err)
			}
		}
	}
	for name := range settings {
		if !slices.Contains(known, name) {
			return r, nearest.Unknown("setting", name, known)
		}
	}
	return r, r.Check()
}

// settingsOf returns the settings of a run in the order of the panel, with those of some parts of its program (partsOf). They apply in the same order.
func settingsOf(base *experiment.Run, parts []string) []setting {
	substrate, err := base.Substrate()
	scheduled := err == nil && (substrate != "hpf" || base.Recorded != nil)
	policies := experiment.Policies()
	if base.Recorded != nil {
		policies = experiment.ReplayPolicies()
	}
	all := []setting{pes(base)}
	if scheduled {
		all = append(all, choice("policy", "Policy", "How PEs get work", policies, func(r *experiment.Run) *string { return &r.Policy }))
	}
	all = append(all, machine(base), network())
	if scheduled {
		all = append(all, seed(base))
	}
	preset, err := base.Preset()
	measured := base.Recorded != nil && base.Recorded.Measured
	for i := range machines.Options {
		o := &machines.Options[i]
		if measured && (o.Name == "instruction" || o.Name == "fork") { // the durations of a recording of real PEs include them
			continue
		}
		all = append(all, machineTime(o, preset, err, measured))
	}
	all = append(all, arguments(base)...)
	for _, part := range parts {
		if name, ok := strings.CutPrefix(part, speedPrefix); ok {
			all = append(all, speed(name))
		} else if name, ok = strings.CutPrefix(part, zeroPrefix); ok && base.Recorded != nil {
			all = append(all, zero(name))
		}
	}
	return all
}

func pes(base *experiment.Run) setting {
	return setting{
		name: "pes", label: "PEs", doc: "Processing elements", group: groupRun, steps: counts(1, max(1024, int64(base.PEs))), number: wholeNumber,
		value: func(r *experiment.Run) string { return strconv.Itoa(r.PEs) },
		set: func(r *experiment.Run, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("%s is not a number of PEs: expected 1 to %d", nearest.Quote(value), experiment.MaxPEs)
			}
			r.PEs = n
			return experiment.CheckPEs(n)
		},
	}
}

func seed(base *experiment.Run) setting {
	var steps []string
	for n := range uint64(100) {
		steps = append(steps, strconv.FormatUint(n+1, 10))
	}
	return setting{
		name: "seed", label: "Seed", doc: "Of all random decisions: another seed shows what is chance", group: groupRun, steps: steps, number: wholeNumber,
		value: func(r *experiment.Run) string { return strconv.FormatUint(r.Seed, 10) },
		set: func(r *experiment.Run, value string) (err error) {
			if r.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
				err = fmt.Errorf("%s is not a whole number from 0", nearest.Quote(value))
			}
			return err
		},
	}
}

// choice returns a setting that is one of some items, or the value that the run has.
func choice(name, label, doc string, items []experiment.Item, field func(r *experiment.Run) *string) setting {
	return setting{
		name: name, label: label, doc: doc, group: groupRun, choices: items,
		value: func(r *experiment.Run) string { return *field(r) },
		set:   func(r *experiment.Run, value string) error { *field(r) = value; return nil },
	}
}

// machine returns the choice of the machine, whose times can be changed by settings of their own.
func machine(base *experiment.Run) setting {
	s := choice("machine", "Machine", "The machine whose times the simulation takes", experiment.Machines(), func(r *experiment.Run) *string { return &r.Machine })
	s.value = func(r *experiment.Run) string {
		if name, _, _ := strings.Cut(r.Machine, ":"); name != base.Machine {
			return name
		}
		return base.Machine
	}
	return s
}

// ownNetwork is the choice of the network that a machine comes with.
const ownNetwork = "machine's own"

func network() setting {
	items := append([]experiment.Item{{Name: ownNetwork}}, experiment.Networks()...)
	s := choice("network", "Network", "The wires between the PEs", items, func(r *experiment.Run) *string { return &r.Network })
	s.value = func(r *experiment.Run) string { return cmp.Or(r.Network, ownNetwork) }
	s.set = func(r *experiment.Run, value string) error {
		if r.Network = value; value == ownNetwork {
			r.Network = ""
		}
		return nil
	}
	return s
}

// machineTime returns the setting of a time of a machine, or of one that is not known because of an error. measured is set for a machine whose
// instructions take no time.
func machineTime(o *machines.Option, preset machines.Preset, unknown error, measured bool) setting {
	text := func(r *experiment.Run) string {
		preset, err := r.Preset()
		if err != nil {
			return ""
		}
		return o.Text(preset.Model)
	}
	s := setting{
		name: o.Name, label: strings.ToUpper(o.Name[:1]) + o.Name[1:], doc: o.Doc, group: groupMachine, number: machines.ParseTime, value: text,
		set: func(r *experiment.Run, value string) error {
			r.Machine = machines.With(r.Machine, o.Name, value)
			_, err := r.Preset()
			return err
		},
	}
	if unknown != nil {
		return s
	}
	instruction := float64(preset.Model.InstructionPs) / 1000
	if measured {
		instruction = 1000
	}
	middle := cmp.Or(o.Ns(preset.Model), instruction)
	least := middle / 1000
	if o.Whole() {
		least = max(least, 1)
	}
	if o.Name != "instruction" {
		s.steps = append(s.steps, machines.TimeText(0))
	}
	for _, ns := range round(max(least, 0.001), min(middle*1000, float64(o.Most))) {
		if !o.Whole() || ns == math.Trunc(ns) {
			s.steps = append(s.steps, machines.TimeText(ns))
		}
	}
	return s
}

// arguments returns the settings of the arguments of a benchmark.
func arguments(base *experiment.Run) (all []setting) {
	i := slices.IndexFunc(benchmarks.All, func(b *benchmarks.Benchmark) bool { return b.Name == base.Program })
	if i < 0 || base.Goal != "" || base.Text != "" || base.Recorded != nil {
		return nil
	}
	b := benchmarks.All[i]
	sizes, err := b.Sizes(base.Args)
	if err != nil {
		return nil
	}
	for k, p := range b.Params {
		most := max(4*p.Default, 2*sizes[k], 10)
		if p.Max > p.Min {
			most = min(most, p.Max)
		}
		all = append(all, setting{
			name: "argument " + p.Name, label: p.Name, doc: p.Doc, group: groupProgram, steps: counts(p.Min, most), number: wholeNumber,
			value: func(r *experiment.Run) string {
				if now, err := b.Sizes(r.Args); err == nil {
					return strconv.FormatInt(now[k], 10)
				}
				return ""
			},
			set: func(r *experiment.Run, value string) error {
				now, err := b.Sizes(r.Args)
				if err != nil {
					return err
				}
				args := make([]string, len(now))
				for i, n := range now {
					args[i] = strconv.FormatInt(n, 10)
				}
				args[k] = value
				if _, err = b.Sizes(args); err == nil {
					r.Args = args
				}
				return err
			},
		})
	}
	return all
}

func wholeNumber(value string) (float64, error) { return strconv.ParseFloat(value, 64) }

// mostCounts is the largest number of steps of a slider of whole numbers that has all of them.
const mostCounts = 64

// counts returns whole numbers from least to most: all of them, or round ones in growing distances.
func counts(least, most int64) (steps []string) {
	if most-least < mostCounts {
		for n := least; n <= most; n++ {
			steps = append(steps, strconv.FormatInt(n, 10))
		}
		return steps
	}
	if least < 1 {
		steps = append(steps, strconv.FormatInt(least, 10))
	}
	step := int64(1)
	for n := max(least, 1); n <= most; n += step {
		for n >= 16*step {
			step *= 2
		}
		if n%step != 0 {
			n += step - n%step
		}
		steps = append(steps, strconv.FormatInt(n, 10))
	}
	return steps
}

// round returns round numbers from least to most, ten in each decade.
func round(least, most float64) (all []float64) {
	for decade := math.Floor(math.Log10(least)); ; decade++ {
		for _, m := range []float64{1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000} {
			x := m * math.Pow(10, decade) / 1000
			if x = math.Round(x*1000) / 1000; x > most {
				return all
			}
			if x >= least {
				all = append(all, x)
			}
		}
	}
}

// slide returns the steps of a slider with values among them, and the index of the last value.
func (s *setting) slide(values ...string) (steps []string, chosen int) {
	steps = slices.Clone(s.steps)
	compare := func(a, b string) int {
		x, _ := s.number(a)
		y, _ := s.number(b)
		return cmp.Compare(x, y)
	}
	for _, value := range values {
		i, found := slices.BinarySearchFunc(steps, value, compare)
		if !found {
			steps = slices.Insert(steps, i, value)
		}
		chosen = i
	}
	return steps, chosen
}
