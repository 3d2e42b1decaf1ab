// Package lineprofile counts the ticks of each PE in each source line, procedure and instruction. It is the array of lines by processors of
// PerfVisS, for samples of program counters, and also for reductions, whose clauses have lines, and threads, whose functions have lines.
//
// The metric time sums the costs of reductions by line. It is not the work of the account of time (package account), which also has the tries that
// ended in suspension: the line of a try is unknown, because no clause was chosen.
//
// A profile holds sites (a place of the program with the stack above it), cells (a site on a PE) and the cell and time of each event. A Table
// adds up the cells for a query and has a row for each line, procedure or instruction with events. So the memory depends on the code that was
// executed, not on the size of the program.
package lineprofile

import (
	"sync"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
)

// Kinds are the kinds of events that a profile is made from.
var Kinds = tracer.Kinds(tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Start)

// A Profile counts events by place and PE. It is immutable and safe for concurrent use.
type Profile struct {
	PEs       int
	Metrics   []Metric // metrics of samples first; empty without counted events
	Files     []File   // the source files in the trace, then others, and a bare one last
	Functions []Function
	From, To  int64 // ns of the first and the last counted event
	Stacks    bool  // sites have callers, so that inclusive and exclusive counts differ
	Dropped   int64 // events without a known place or without a PE

	codes    []tracer.Code
	contexts []tracer.Context
	places
	series []series // of the events so far
	next   *onward.State[reader]

	mu    sync.Mutex
	deals map[dealKey]*deal // those made so far
}

// A Metric is a counted quantity: a metric of samples; reductions, their time, suspensions; starts of threads.
type Metric struct {
	Name, Unit string
	Scale      float64 // the amount of a value of 1, in Unit
	Total      int64   // over all PEs
	Costs      bool    // it sums the costs of reductions, which are not the work of the account of time

	series int
	values bool // it counts the values of events, not the events
}

// Metric returns the index in Metrics of a name. An error lists the known names.
func (p *Profile) Metric(name string) (int, error) {
	names := make([]string, len(p.Metrics))
	for i := range p.Metrics {
		if names[i] = p.Metrics[i].Name; names[i] == name {
			return i, nil
		}
	}
	return 0, nearest.Unknown("metric", name, names)
}

// Grow reads a trace. prev, which may be nil, is the profile of an earlier part of the same trace: Grow then reads only the later events. The
// result does not depend on prev, and prev does not change. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Profile, tick func(done, total int64) error) (*Profile, error) {
	pes := bounds.Machine(src)
	var r *reader
	rest := src
	if prev != nil {
		r, rest = prev.next.Resume(src)
	}
	if r == nil || r.pes != pes {
		r, rest = &reader{pes: pes}, src
	}
	r.dict = src.Dict()
	if err := onward.Scan(rest, Kinds, tick, r.count); err != nil {
		return nil, err
	}
	p := r.profile(src)
	p.next = onward.Keep(src, r)
	return p, nil
}
