package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/internal/nesting"
	"whorl/sim"
	"whorl/sim/policy"
)

// Limits of files with grids.
const (
	maxFile    = 1 << 20 // bytes
	maxNesting = 16

	mostCounted = 1_000_000_000_000 // runs of a grid that is too large are counted up to here
)

// settings are the keys of a file.
type settings struct {
	Programs      []any               `toml:"programs"` // each a text, or a list with the program and its arguments
	Arguments     []any               `toml:"arguments"`
	Goal          string              `toml:"goal"`
	Mode          string              `toml:"mode"`
	PEs           []int               `toml:"pes"`
	Policies      []string            `toml:"policies"`
	Machines      []string            `toml:"machines"`
	Networks      []string            `toml:"networks"`
	Instruction   []string            `toml:"instruction"`
	Overhead      []string            `toml:"overhead"`
	Latency       []string            `toml:"latency"`
	Gap           []string            `toml:"gap"`
	Byte          []string            `toml:"byte"`
	Fork          []string            `toml:"fork"`
	Steal         []string            `toml:"steal"`
	Wake          []string            `toml:"wake"`
	Hold          []string            `toml:"hold"`
	Seed          *int64              `toml:"seed"`
	Seeds         *int                `toml:"seeds"`
	MaxTime       string              `toml:"max_time"`
	MaxReductions int64               `toml:"max_reductions"`
	Traces        int64               `toml:"traces"`
	Plots         []map[string]string `toml:"plot"`
}

// A list holds the values of a key.
type list struct {
	key    string
	values []string
}

// times returns the lists of the times that machines have, by machines.Option.Name.
func (f *settings) times() []list {
	return []list{
		{"instruction", f.Instruction},
		{"overhead", f.Overhead},
		{"latency", f.Latency},
		{"gap", f.Gap},
		{"byte", f.Byte},
		{"fork", f.Fork},
		{"steal", f.Steal},
		{"wake", f.Wake},
		{"hold", f.Hold},
	}
}

// Read reads the file of a grid. The error names the file, the line and the key, and the nearest known names.
//
//	programs = ["fghc/pascal 35", "fghc/queens 6"] # a program and its arguments; ["own.fghc", "a file.fghc"] for names with blanks
//	arguments = ["10", "20"]                       # optional: added to the arguments of each program
//	goal     = "main(X)"                           # of source files in FGHC
//	pes      = [1, 2, 4, 8]                        # default 4
//	policies = ["on-demand", "steal"]              # default on-demand
//	machines = ["symmetry", "cluster"]             # default symmetry; a name may have options, as in symmetry:gap=0ns
//	networks = ["bus", "mesh2d"]                   # default the machine's own, which "" stands for
//	latency  = ["1us", "10us"]                     # an option of all machines; so are instruction, overhead, gap, byte, fork, steal, wake and hold
//	seed     = 1                                   # the first seed
//	seeds    = 20                                  # their number
//	mode     = "sim"                               # or live, on real cores
//	max_time = "10s"                               # of each run, by the clock
//	max_reductions = 1000000                       # of each run
//	traces   = 1000000                             # keep each trace of at most so many bytes
//
//	[[plot]]                                       # a picture of the table, drawn when all runs are made
//	file     = "scaling.pdf"
//	chart    = "scaling"
func Read(name, text string) (*Grid, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: longer than %s, the limit for sweeps", name, figures.Size(maxFile))
	}
	if nesting.TOML(text) > maxNesting {
		return nil, fmt.Errorf("%s: the file has nested tables, expected only the keys of a sweep", name)
	}
	r := &reader{name: name, text: text}
	var values map[string]any
	md, err := toml.Decode(text, &values)
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("%s:%d: %s", name, syntax.Position.Line, syntax.Message)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, k := range md.Keys() { // the decoder takes Pes for pes
		if len(k) == 1 && !slices.Contains(keys(), k[0]) {
			r.wrong(k[0], nearest.Unknown("key", k[0], keys()))
		}
		if v, ok := values[k[0]].([]any); len(k) == 1 && ok && len(v) == 0 && k[0] != "programs" {
			r.wrong(k[0], errors.New("the list is empty: without the key it has its default"))
		}
	}
	var f settings
	if _, err := toml.Decode(text, &f); err != nil {
		line, key := 1, ""
		if n, _ := fmt.Sscanf(err.Error(), "toml: line %d (last key %q)", &line, &key); n == 2 {
			err = fmt.Errorf("%s:%d: %s: expected %s", name, line, key, expected(key))
		}
		return nil, errors.Join(append(r.errs, err)...)
	}
	g := r.grid(&f)
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return g, nil
}

// keys returns the keys of a file.
func keys() []string {
	return []string{
		"programs", "arguments", "goal", "mode", "pes", "policies", "machines", "networks", "instruction", "overhead", "latency", "gap", "byte", "fork", "steal",
		"wake", "hold", "seed", "seeds", "max_time", "max_reductions", "traces", "plot",
	}
}

// expected describes the value of a key.
func expected(key string) string {
	if strings.HasPrefix(key, "plot.") {
		return "a quoted text"
	}
	switch key {
	case "pes":
		return "a list of whole numbers, as in [1, 2, 4]"
	case "goal", "mode", "max_time":
		return "a quoted text"
	case "seed", "seeds", "max_reductions", "traces":
		return "a whole number"
	}
	return "a list of quoted texts"
}

// A reader collects the errors of a file.
type reader struct {
	name, text string
	errs       []error
}

func (r *reader) wrong(key string, err error) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s: %w", r.name, nesting.Line(r.text, key), key, err))
}

// grid makes a grid of a file.
func (r *reader) grid(f *settings) *Grid {
	g := &Grid{Name: r.name, Text: r.text, Traces: f.Traces, Plots: f.Plots, Live: f.Mode == string(experiment.Live)}
	base := experiment.Defaults("")
	base.Goal, base.Mode, base.Limits.Reductions = f.Goal, experiment.Mode(f.Mode), f.MaxReductions
	if f.MaxTime != "" {
		var err error
		if base.Limits.Time, err = time.ParseDuration(f.MaxTime); err != nil || base.Limits.Time <= 0 {
			r.wrong("max_time", fmt.Errorf("%s: expected a duration such as 100ms or 10s", nearest.Quote(f.MaxTime)))
		}
	}
	if f.MaxReductions < 0 {
		r.wrong("max_reductions", fmt.Errorf("%d: expected a number of reductions of at least 1", f.MaxReductions))
	}
	if f.Traces < 0 {
		r.wrong("traces", fmt.Errorf("%d: expected a number of bytes", f.Traces))
	}
	if f.Mode != "" && f.Mode != string(experiment.Sim) && !g.Live {
		r.wrong("mode", nearest.Unknown("mode", f.Mode, []string{string(experiment.Sim), string(experiment.Live)}))
	}
	if g.Live {
		for _, x := range append(f.times(), list{"machines", f.Machines}, list{"networks", f.Networks}) {
			if len(x.values) > 0 {
				r.wrong(x.key, errors.New(`simulated machines alone have it, and mode = "live" runs on real cores`))
			}
		}
	}
	dims := r.dimensions(f, &base)
	arguments := r.arguments(f)
	if len(f.Programs) == 0 {
		r.wrong("programs", errors.New(`a sweep needs a program, as in programs = ["fghc/pascal 35"]`))
	}
	total := int64(0)
	var programs [][]string
	for _, v := range f.Programs {
		words, err := words(v)
		switch {
		case err != nil:
		case len(words) == 0:
			err = errors.New("a program has no name")
		case listed(programs, words):
			err = fmt.Errorf("%s is listed twice", nearest.Quote(strings.Join(words, " ")))
		}
		if err != nil {
			r.wrong("programs", err)
			continue
		}
		programs = append(programs, words)
		b := block{base: base, dims: dims, size: 1}
		b.base.Program, b.base.Args = words[0], words[1:]
		substrate, err := b.base.Substrate()
		if substrate != "hpf" && isRecording(words[0]) {
			substrate, err = g.replay(&b.base)
		}
		if err != nil {
			r.wrong("programs", err)
			continue
		}
		b.dims = slices.DeleteFunc(slices.Concat(arguments, dims), func(d dimension) bool {
			return substrate == "hpf" && !b.base.Trace && (d.key == "policies" || d.key == "seeds") // which touch no program in HPF
		})
		for _, d := range b.dims {
			b.size = min(b.size, mostCounted) * int64(d.values) // a dimension has at most a million values
		}
		total = min(total+b.size, mostCounted)
		g.blocks = append(g.blocks, b)
	}
	if total > MaxRuns && len(r.errs) == 0 {
		number := figures.Count(total)
		if total == mostCounted {
			number = "more than " + number
		}
		r.errs = append(r.errs, fmt.Errorf("%s: the grid has %s runs; a sweep has at most %s", r.name, number, figures.Count(MaxRuns)))
	}
	return g
}

// words returns the words of a text, or the elements of a list of texts.
func words(v any) ([]string, error) {
	switch v := v.(type) {
	case string:
		return strings.Fields(v), nil
	case []any:
		var all []string
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return nil, fmt.Errorf("%v: expected a quoted text", x)
			}
			all = append(all, s)
		}
		return all, nil
	}
	return nil, fmt.Errorf("%v: expected a quoted text or a list of texts", v)
}

// listed reports whether one of the lists equals list.
func listed(lists [][]string, list []string) bool {
	return slices.ContainsFunc(lists, func(l []string) bool { return slices.Equal(l, list) })
}

// arguments returns the dimension of arguments, none if the file has none.
func (r *reader) arguments(f *settings) []dimension {
	var lists [][]string
	for _, v := range f.Arguments {
		list, err := words(v)
		if err == nil && listed(lists, list) {
			err = fmt.Errorf("%s is listed twice", nearest.Quote(strings.Join(list, " ")))
		}
		if err != nil {
			r.wrong("arguments", err)
		}
		lists = append(lists, list)
	}
	if len(lists) == 0 {
		return nil
	}
	return []dimension{{"arguments", len(lists), func(r *experiment.Run, i int) { r.Args = append(slices.Clip(r.Args), lists[i]...) }}}
}

// dimensions returns the dimensions that all programs have. It sets the settings of base that have one value.
func (r *reader) dimensions(f *settings, base *experiment.Run) (dims []dimension) {
	texts := func(key string, values []string, check func(string) error, set func(run *experiment.Run, value string)) {
		for i, v := range values {
			err := check(v)
			if slices.Contains(values[:i], v) {
				err = fmt.Errorf("%s is listed twice", nearest.Quote(v))
			}
			if err != nil {
				r.wrong(key, err)
			}
		}
		if len(values) > 0 {
			dims = append(dims, dimension{key, len(values), func(run *experiment.Run, i int) { set(run, values[i]) }})
		}
	}
	named := f.Machines
	if len(named) == 0 {
		named = []string{base.Machine}
	}
	known := slices.DeleteFunc(slices.Clone(named), func(name string) bool { _, err := experiment.Machine(name); return err != nil })
	texts("machines", f.Machines, func(name string) error { _, err := experiment.Machine(name); return err }, func(run *experiment.Run, v string) { run.Machine = v })
	for _, o := range f.times() {
		texts(o.key, o.values, func(v string) error {
			for _, name := range known {
				if _, err := experiment.Machine(name + ":" + o.key + "=" + v); err != nil {
					return err
				}
			}
			return nil
		}, func(run *experiment.Run, v string) { run.Machine += ":" + o.key + "=" + v })
	}
	texts("networks", f.Networks, func(name string) error {
		if name == "" {
			return nil
		}
		_, err := sim.NetworkNamed(name, 1)
		return err
	}, func(run *experiment.Run, v string) { run.Network = v })
	texts("policies", f.Policies, func(name string) error {
		if slices.ContainsFunc(experiment.ReplayPolicies(), func(i experiment.Item) bool { return i.Name == name }) {
			return nil // a run says if it is none that is replayed
		}
		_, err := policy.Named(name)
		return err
	}, func(run *experiment.Run, v string) { run.Policy = v })
	for i, n := range f.PEs {
		if err := experiment.CheckPEs(n); err != nil {
			r.wrong("pes", err)
		}
		if slices.Contains(f.PEs[:i], n) {
			r.wrong("pes", fmt.Errorf("%d is listed twice", n))
		}
	}
	if len(f.PEs) > 0 {
		dims = append(dims, dimension{"pes", len(f.PEs), func(run *experiment.Run, i int) { run.PEs = f.PEs[i] }})
	}
	if f.Seed != nil {
		if *f.Seed < 0 {
			r.wrong("seed", fmt.Errorf("%d: expected a whole number of at least 0", *f.Seed))
		}
		base.Seed = uint64(*f.Seed)
	}
	if f.Seeds != nil {
		n := *f.Seeds
		if n < 1 || n > MaxRuns || base.Seed+uint64(n)-1 > math.MaxInt64 {
			r.wrong("seeds", fmt.Errorf("%d: expected the number of seeds from %d on, 1 to %s", n, base.Seed, figures.Count(MaxRuns)))
			n = 1
		}
		dims = append(dims, dimension{"seeds", n, func(run *experiment.Run, i int) { run.Seed += uint64(i) }})
	}
	return dims
}
