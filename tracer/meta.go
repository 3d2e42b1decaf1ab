package tracer

// Meta says what was run and on what. Everything is optional.
type Meta struct {
	Program   string   // as the command line names it: fghc/pascal, life.fghc
	Args      []string // its arguments
	Substrate string   // fghc, dts, hpf, or the foreign format it came from
	Mode      string   // Sim or Live
	Policy    string   // scheduling policy
	Network   string   // topology: bus, all, ring, mesh2d, ...
	Machine   string   // machine preset
	CostModel string   // name and version of the formulas that costs came from
	Goal      string   // the query, where the substrate has one
	Seed      uint64
	PEs       int
	PEInfo    []PE   // by PE; empty where there is nothing to say
	Clock     string // one of those below, for streams that say nothing else
	Source    []SourceFile
	Extra     []KV // whatever else is worth keeping, in order
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
	Aligned   = "aligned" // monotonic on several hosts, and made one clock since (tracer/derive/clocks)
	Process   = "process" // the processor time that all threads of a process have used: clocks of two streams have nothing to do with each other
)

// A PE tells where a processing element is.
type PE struct {
	Host    string
	Process string
	Thread  string  // where a processing element is one of a process
	Coords  []int32 // in the topology
}

// A SourceFile is the text of a source file of the program, kept in the trace so that it can be shown wherever the trace goes.
type SourceFile struct {
	Name, Text string
}

// MissingKey is the key in Meta.Extra of what the file lacked that the trace was read from, in words.
const MissingKey = "missing"

// Missing returns the value of MissingKey, "" where nothing is missing.
func (m *Meta) Missing() string {
	for _, x := range m.Extra {
		if x.Key == MissingKey {
			return x.Value
		}
	}
	return ""
}

// A KV is a pair of metadata that has no field of its own.
type KV struct {
	Key, Value string
}

// A StreamInfo tells of a stream: who writes it and what its times mean.
type StreamInfo struct {
	Name   string
	Clock  string // "" for that of Meta
	Offset int64  // ns to add to the stream's times for the time of the run; Source.Scan has added it
}
