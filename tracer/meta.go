package tracer

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Meta describes the run: the program, the machine and the policy. Every field is optional.
type Meta struct {
	Program   string   // as the command line names it: fghc/pascal, life.fghc
	Args      []string // its arguments
	Substrate string   // fghc, dts, hpf, or the foreign format it came from
	Mode      string   // Sim or Live
	Policy    string   // scheduling policy
	Network   string   // topology: bus, all, ring, mesh2d, ...
	Machine   string   // machine preset
	CostModel string   // name and version of the cost formulas
	Goal      string   // the query of a logic program
	Seed      uint64
	PEs       int
	PEInfo    []PE   // by PE; may be empty
	Clock     string // kind of clock of the streams without a Clock
	Source    []SourceFile
	Extra     []KV // other metadata, in order
}

// Modes.
const (
	Sim  = "sim"  // on a simulated machine, in virtual time
	Live = "live" // on real cores, in real time
)

// Kinds of clocks.
const (
	Virtual   = "virtual"
	Monotonic = "monotonic"
	Aligned   = "aligned" // monotonic clocks of several hosts, aligned afterwards (tracer/derive/clocks)
	Process   = "process" // processor time used by all threads of a process: the clocks of two streams are not comparable
)

// A PE describes the place of a processing element.
type PE struct {
	Host    string
	Process string
	Thread  string  // thread of the process, if each thread is a processing element
	Coords  []int32 // in the topology
}

// Node returns the host and the process of the PE, "" if neither is known.
func (p *PE) Node() string { return strings.TrimSpace(p.Host + " " + p.Process) }

// A SourceFile is the text of a source file of the program. The trace holds it so that views can show it on any host.
type SourceFile struct {
	Name, Text string
}

// MissingKey is the key in Meta.Extra of a sentence about the data that the file of the trace lacked.
const MissingKey = "missing"

// Missing returns the value of MissingKey, "" if nothing is missing.
func (m *Meta) Missing() string { return m.extra(MissingKey) }

// costErrorKey is the key in Meta.Extra of the relative error of the costs of reductions.
const costErrorKey = "cost error"

// SetCostError notes that costs of reductions are parts of measured times, and how well they predict these: the mean relative difference.
func (m *Meta) SetCostError(relative float64) {
	m.Extra = append(slices.Clip(m.Extra), KV{costErrorKey, strconv.FormatFloat(relative, 'f', 3, 64)})
}

// CostError returns the error set by SetCostError, false if there is none.
func (m *Meta) CostError() (relative float64, ok bool) {
	relative, err := strconv.ParseFloat(m.extra(costErrorKey), 64)
	return relative, err == nil && relative >= 0 && relative < math.MaxInt32
}

// resolutionKey is the key in Meta.Extra of the resolution of times.
const resolutionKey = "resolution, ns"

// SetResolution notes that times are rounded down to multiples of some ns.
func (m *Meta) SetResolution(ns int64) {
	m.Extra = append(slices.Clip(m.Extra), KV{resolutionKey, strconv.FormatInt(ns, 10)})
}

// Resolution returns the ns set by SetResolution, 0 if there are none. An event is less than that later than its time.
func (m *Meta) Resolution() int64 {
	ns, err := strconv.ParseInt(m.extra(resolutionKey), 10, 64)
	if err != nil || ns < 1 || ns > mostResolution {
		return 0
	}
	return ns
}

// mostResolution bounds the resolution in a damaged trace: 1,000 s.
const mostResolution = 1e12

// lacks adds what the file of the trace lacked to what Missing returns.
func (m *Meta) lacks(what string) {
	m.Extra = slices.Clone(m.Extra)
	for i, x := range m.Extra {
		if x.Key == MissingKey {
			m.Extra[i].Value += "; " + what
			return
		}
	}
	m.Extra = append(m.Extra, KV{MissingKey, what})
}

// extra returns the value of a key in Extra, "" if there is none.
func (m *Meta) extra(key string) string {
	for _, x := range m.Extra {
		if x.Key == key {
			return x.Value
		}
	}
	return ""
}

// A KV is a key with a value, for metadata without a field in Meta.
type KV struct {
	Key, Value string
}

// A StreamInfo describes a stream: its writer and its clock.
type StreamInfo struct {
	Name   string
	Clock  string // "" for Meta.Clock
	Offset int64  // ns to add to the stream's times to get times of the run; Source.Scan adds it
}
