package machines

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/sim"
)

// An Option is a time of a machine that can be changed. Options follow the name of a machine, as in symmetry:latency=10us:gap=0ns.
type Option struct {
	Name string
	Doc  string
	Most sim.Time // ns
	key  string   // in machine files
}

// Options lists the options of all machines.
var Options = []Option{
	{"instruction", "the time of an abstract instruction", sim.MaxModelPs / 1000, "instruction_ns"},
	{"overhead", "the processor time to send a message, and to receive one", sim.MaxModelTime, "overhead_ns"},
	{"latency", "the latency of a hop", sim.MaxModelTime, "latency_ns"},
	{"gap", "the least time between two messages of a sender", sim.MaxModelTime, "gap_ns"},
	{"byte", "the time for each byte of a message", sim.MaxModelPs / 1000, "byte_ns"},
	{"fork", "the time of a fork, beside its instructions", sim.MaxModelTime, "fork_ns"},
	{"steal", "the time of an attempt to take work from another PE, beside its messages", sim.MaxModelTime, "steal_ns"},
	{"wake", "the time until a PE that is woken looks for work; the one that wakes it spends half of that", sim.MaxModelTime, "wake_ns"},
	{"hold", "the time for which a PE that looks for work leaves another one what that has made ready last", sim.MaxModelTime, "hold_ns"},
}

// Named returns the built-in machine with a name, which options may follow. The error for an unknown name suggests similar ones.
func Named(name string) (Preset, error) { return Find(name, nil) }

// Find returns the machine with a name: a built-in one, or that of a machine file NAME.toml. read, which is nil where names cannot be those of
// files, returns the text of the file. Options may follow the name. They are part of the name of the machine that Find returns, in the order of
// Options.
func Find(name string, read func(file string) ([]byte, error)) (Preset, error) {
	base, options, configured := strings.Cut(name, ":")
	p, err := find(base, read)
	if err != nil || !configured {
		return p, err
	}
	return Configure(p, name, options)
}

// Configure returns a machine with options, as they follow its name. The whole name is for errors.
func Configure(p Preset, name, options string) (Preset, error) {
	values := map[string]any{}
	for _, option := range strings.Split(options, ":") {
		key, value, ok := strings.Cut(option, "=")
		o, err := optionNamed(key)
		switch {
		case err != nil:
			return p, fmt.Errorf("machine %s: %w", name, err)
		case !ok:
			return p, fmt.Errorf("machine %s: %s has no value; expected a time, as in %s=10us", name, key, key)
		case values[o.key] != nil:
			return p, fmt.Errorf("machine %s: the option %s is given twice", name, key)
		}
		ns, err := ParseTime(value)
		if err != nil {
			return p, fmt.Errorf("machine %s: %s: %w", name, option, err)
		}
		values[o.key] = ns
	}
	for _, f := range fields {
		v, given := values[f.key]
		if !given {
			continue
		}
		if whole := v.(float64); f.time != nil && whole == float64(int64(whole)) {
			v = int64(whole)
		}
		if problem := f.set(&p, v); problem != "" {
			return p, fmt.Errorf("machine %s: %s: %s", name, strings.TrimSuffix(f.key, "_ns"), problem)
		}
	}
	for _, o := range Options {
		if values[o.key] != nil {
			p.Name += ":" + o.Name + "=" + o.Text(p.Model)
		}
	}
	return p, nil
}

func find(name string, read func(file string) ([]byte, error)) (Preset, error) {
	if read == nil || !strings.HasSuffix(name, ".toml") {
		return builtin(name)
	}
	text, err := read(name)
	if err != nil {
		return Preset{}, err
	}
	return Read(name, text)
}

func optionNamed(name string) (*Option, error) {
	known := make([]string, len(Options))
	for i := range Options {
		if known[i] = Options[i].Name; known[i] == name {
			return &Options[i], nil
		}
	}
	return nil, nearest.Unknown("option", name, known)
}

// Ns returns the value of the option in a model, in ns.
func (o *Option) Ns(m sim.Model) float64 {
	for _, f := range fields {
		switch {
		case f.key != o.key:
		case f.time != nil:
			return float64(*f.time(&m))
		default:
			return float64(*f.ps(&m)) / 1000
		}
	}
	return 0
}

// Whole reports whether the values of the option are whole numbers of ns.
func (o *Option) Whole() bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.key == o.key && f.time != nil })
}

// Text returns the value of the option in a model as it stands after the name of a machine: 1500ns, 10us.
func (o *Option) Text(m sim.Model) string { return TimeText(o.Ns(m)) }

// With returns the name of a machine with a value of an option, in place of the one that the name may have. A value is checked by Find.
func With(name, option, value string) string {
	all := strings.Split(name, ":")
	kept := slices.DeleteFunc(all[1:], func(o string) bool { return strings.HasPrefix(o, option+"=") })
	return strings.Join(append(append(all[:1:1], kept...), option+"="+value), ":")
}

// TimeText returns a time in ns as the value of an option.
func TimeText(ns float64) string {
	for i := len(units) - 1; i > 0; i-- {
		if x := ns / units[i].ns; ns > 0 && x == float64(int64(x)) {
			return strconv.FormatInt(int64(x), 10) + units[i].name
		}
	}
	return strconv.FormatFloat(ns, 'f', -1, 64) + "ns"
}

var units = []struct {
	name string
	ns   float64
}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// ParseTime reads a number with a unit of time, as the value of an option, and returns ns.
func ParseTime(text string) (float64, error) {
	digits := strings.TrimRight(text, "µnums")
	for _, u := range units {
		if unit := strings.Replace(text[len(digits):], "µ", "u", 1); unit != u.name {
			continue
		}
		if x, err := strconv.ParseFloat(digits, 64); err == nil && x >= 0 && x*u.ns <= sim.MaxModelTime {
			return x * u.ns, nil
		}
	}
	return 0, errors.New("expected a time from 0ns to " + figures.Duration(sim.MaxModelTime) + ", such as 10us")
}
