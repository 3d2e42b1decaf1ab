// Package lineprofile counts where in the text of a program its PEs spent their ticks: for each source line, procedure and instruction and
// each PE. It is the array of PerfVisS, lines by processors, for samples of program counters, and also for reductions, whose clauses have
// lines, and for threads, whose functions have.
//
// A profile keeps sites (the different places of the program that were met, each with the stack above it), cells (a site on a PE) and, in
// the order of the events, when each cell was met. A Table is what the cells add up to for a query, with a row for each line, procedure or
// instruction that was met at all: a program of a million lines on a thousand PEs takes the space of what was executed of it.
package lineprofile

import (
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// Kinds are the events a profile is made from.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Start)

// Bounds against damaged traces.
const (
	maxPEs  = 1 << 20 // the largest machine
	somePEs = 1 << 14 // where the trace does not say how many there are
)

// A Profile says what was met where. It does not change, and many may read it at once.
type Profile struct {
	PEs       int
	Metrics   []Metric // those of samples first; empty where nothing was counted
	Files     []File   // those whose text the trace holds, in their order, then others, and a bare one last
	Functions []Function
	From, To  int64 // ns of the first and the last event that is counted
	Stacks    bool  // sites have callers, so that inclusive counts say more than exclusive ones
	Dropped   int64 // events at no known place, or on no PE

	codes    []tracer.Code
	contexts []tracer.Context
	places
	series []series // as they are now
	next   *onward.State[reader]

	mu    sync.Mutex
	deals map[dealKey]*deal // those that were asked for
}

// A Metric is something that is counted: what samples measure; reductions, the time of these, suspensions; threads that start.
type Metric struct {
	Name, Unit string
	Scale      float64 // what one is worth in Unit
	Total      int64   // over all PEs

	series int
	values bool // the values of the events count, not the events
}

// Metric returns the place in Metrics of a name, else that of the first, 0.
func (p *Profile) Metric(name string) int {
	for i := range p.Metrics {
		if p.Metrics[i].Name == name {
			return i
		}
	}
	return 0
}

// Grow reads a trace. prev, which may be nil, is the profile of the same trace when it was shorter: Grow reads only what has come since.
// The result never depends on prev, which is not changed. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Profile, tick func(done, total int64) error) (*Profile, error) {
	pes := min(max(src.Meta().PEs, 0), maxPEs)
	var r *reader
	rest := src
	if prev != nil {
		r, rest = prev.next.Take(src)
	}
	if r == nil || r.pes != pes {
		r, rest = &reader{pes: pes}, src
	}
	r.dict = src.Dict()
	if err := onward.Scan(rest, Kinds, tick, r.take); err != nil {
		return nil, err
	}
	p := r.profile(src)
	p.next = onward.Keep(src, r)
	return p, nil
}
