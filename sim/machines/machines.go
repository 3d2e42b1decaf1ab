// Package machines reads files that describe simulated machines, and contains some machines.
package machines

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/internal/nesting"
	"whorl/sim"
)

// A Preset describes a machine: its model, and its default number of PEs and network.
type Preset struct {
	Name    string
	Doc     string // one sentence
	Source  string // of the figures
	PEs     int
	Network string // one of sim.Networks
	Model   sim.Model
}

//go:embed *.toml
var files embed.FS

// names lists the built-in machines in display order.
var names = []string{"symmetry", "cenju3", "alpha-farm", "cluster", "modern", "loggopsim"}

// Default is the name of the default machine.
const Default = "symmetry"

// presets holds the built-in machines in display order. Their files are read once: the viewer asks for machines in each frame.
var presets = sync.OnceValue(func() []Preset {
	all := make([]Preset, len(names))
	for i, name := range names {
		file := name + ".toml"
		text, err := files.ReadFile(file)
		if err == nil {
			all[i], err = Read(file, text)
		}
		if err != nil {
			panic(err) // a test reads all of them
		}
	}
	return all
})

// All lists the built-in machines.
func All() []Preset { return slices.Clone(presets()) }

func builtin(name string) (Preset, error) {
	if i := slices.Index(names, name); i >= 0 {
		return presets()[i], nil
	}
	return Preset{}, nearest.Unknown("machine", name, names)
}

// A field is a key of a machine file.
type field struct {
	key      string
	optional bool
	text     func(*Preset) *string
	whole    func(*Preset) *int // 1 to MaxPEs
	time     func(*sim.Model) *sim.Time
	ps       func(*sim.Model) *int64 // in ns in the file
	flag     func(*sim.Model) *bool
}

var fields = []field{
	{key: "name", text: func(p *Preset) *string { return &p.Name }},
	{key: "doc", optional: true, text: func(p *Preset) *string { return &p.Doc }},
	{key: "source", optional: true, text: func(p *Preset) *string { return &p.Source }},
	{key: "pes", whole: func(p *Preset) *int { return &p.PEs }},
	{key: "network", text: func(p *Preset) *string { return &p.Network }},
	{key: "instruction_ns", ps: func(m *sim.Model) *int64 { return &m.InstructionPs }},
	{key: "overhead_ns", time: func(m *sim.Model) *sim.Time { return &m.Overhead }},
	{key: "latency_ns", time: func(m *sim.Model) *sim.Time { return &m.Latency }},
	{key: "gap_ns", time: func(m *sim.Model) *sim.Time { return &m.Gap }},
	{key: "byte_ns", ps: func(m *sim.Model) *int64 { return &m.BytePs }},
	{key: "fork_ns", optional: true, time: func(m *sim.Model) *sim.Time { return &m.Fork }},
	{key: "steal_ns", optional: true, time: func(m *sim.Model) *sim.Time { return &m.Steal }},
	{key: "wake_ns", optional: true, time: func(m *sim.Model) *sim.Time { return &m.Wake }},
	{key: "hold_ns", optional: true, time: func(m *sim.Model) *sim.Time { return &m.Hold }},
	{key: "loggops", optional: true, flag: func(m *sim.Model) *bool { return &m.LogGOPS }},
}

// maxFile limits the size of a machine file in bytes.
const maxFile = 1 << 16

// maxNesting limits the depth of tables, which a machine file has none of.
const maxNesting = 16

// Read reads a machine file. The error lists all problems, one a line, with the file name, the line, the key and the
// expected value.
//
//	name           = "mine"
//	doc            = "one sentence"       # optional
//	source         = "where the figures come from" # optional
//	pes            = 16
//	network        = "torus2d"
//	instruction_ns = 2.5   # time of one abstract instruction, at least 0.001
//	overhead_ns    = 300   # processor time to send a message, and to receive one
//	latency_ns     = 1000  # latency of a hop
//	gap_ns         = 100   # least time between two messages of a sender
//	byte_ns        = 0.1   # time for each byte
//	fork_ns        = 0     # time of a fork beside its instructions; optional
//	steal_ns       = 0     # time of an attempt to steal beside its messages; optional
//	wake_ns        = 0     # time until a PE that is woken looks for work (sim.Model); optional
//	hold_ns        = 0     # time for which another PE is left its newest work (sim.Model); optional
//	loggops        = false # whether messages cost what they do in LogGOPSim (sim.Model); optional
func Read(name string, text []byte) (Preset, error) {
	if len(text) > maxFile {
		return Preset{}, fmt.Errorf("%s: the file has %d bytes, expected at most %d", name, len(text), maxFile)
	}
	if nesting.TOML(string(text)) > maxNesting {
		return Preset{}, fmt.Errorf("%s: the file has nested tables, expected only the keys of a machine", name)
	}
	var values map[string]any
	md, err := toml.Decode(string(text), &values)
	if err != nil {
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			return Preset{}, fmt.Errorf("%s:%d: %s", name, syntax.Position.Line, syntax.Message)
		}
		return Preset{}, fmt.Errorf("%s: %w", name, err)
	}
	var p Preset
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s: %s", name, nesting.Line(string(text), key), key, fmt.Sprintf(format, args...)))
	}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
		v, ok := values[f.key]
		if !ok {
			if !f.optional {
				errs = append(errs, fmt.Errorf("%s: %s is missing", name, f.key))
			}
			continue
		}
		if msg := f.set(&p, v); msg != "" {
			bad(f.key, "%s", msg)
		}
	}
	for _, k := range md.Keys() {
		if len(k) == 1 && !slices.Contains(known, k[0]) {
			bad(k[0], "%v", nearest.Unknown("key", k[0], known))
		}
	}
	if p.Network != "" {
		if _, err := sim.NetworkNamed(p.Network, 1); err != nil {
			bad("network", "%v", err)
		}
	}
	if len(errs) > 0 {
		return Preset{}, errors.Join(errs...)
	}
	return p, nil
}

// set sets a field of p to a value of the file. It returns a message if the value is invalid.
func (f field) set(p *Preset, v any) string {
	switch {
	case f.text != nil:
		s, ok := v.(string)
		if !ok || !f.optional && s == "" {
			return fmt.Sprintf("%v: expected a quoted text", v)
		}
		*f.text(p) = strings.TrimSpace(s)
	case f.whole != nil:
		n, ok := v.(int64)
		if !ok || n < 1 || n > sim.MaxPEs {
			return fmt.Sprintf("%v: expected a whole number from 1 to %s", v, figures.Count(sim.MaxPEs))
		}
		*f.whole(p) = int(n)
	case f.flag != nil:
		b, ok := v.(bool)
		if !ok {
			return fmt.Sprintf("%v: expected true or false", v)
		}
		*f.flag(&p.Model) = b
	case f.time != nil:
		n, ok := v.(int64)
		if !ok || n < 0 || n > sim.MaxModelTime {
			return fmt.Sprintf("%v: expected a whole number of ns from 0 to %d", v, sim.Time(sim.MaxModelTime))
		}
		*f.time(&p.Model) = n
	default:
		ns, ok := v.(float64)
		if n, whole := v.(int64); whole {
			ns, ok = float64(n), true
		}
		least := int64(0)
		if f.key == "instruction_ns" {
			least = 1
		}
		// The negated comparison also rejects NaN.
		if ps := math.Round(ns * 1000); !ok || !(ps >= float64(least) && ps <= sim.MaxModelPs) {
			return fmt.Sprintf("%v: expected ns from %g to %d", v, float64(least)/1000, int64(sim.MaxModelPs/1000))
		}
		*f.ps(&p.Model) = int64(math.Round(ns * 1000))
	}
	return ""
}
