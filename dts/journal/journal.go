// Package journal writes the traces of live runs of package dts. A Journal holds what the PEs of a run share. Each PE
// has a Writer, which fills in the time and the PE of its events and records when the PE had no core.
package journal

import (
	"os"

	"whorl/dts/clock"
	"whorl/dts/symbol"
	"whorl/tracer"
)

// A Reason says why a PE is idle or a thread moves.
type Reason uint8

// The reasons.
const (
	NoWork Reason = iota
	Steal
	Place
	OffCPU
	numReasons
)

// A Journal writes the trace of a live run, or describes the functions and places of a simulated one.
type Journal struct {
	Clock   clock.Clock // of a live run
	Symbols *symbol.Table
	rec     tracer.Recorder
	host    uint32 // dictionary entry
	why     [numReasons]uint32
}

// New returns the journal of a run with the given source files. named returns the registered name of the function with
// the given entry point, "" for none.
func New(rec tracer.Recorder, live bool, sources []tracer.SourceFile, named func(entry uintptr) string) *Journal {
	d := rec.Dict()
	j := &Journal{rec: rec, Symbols: symbol.NewTable(d, sources, named)}
	for r, name := range [numReasons]string{NoWork: tracer.ReasonNoWork, Steal: tracer.ReasonSteal, Place: "place", OffCPU: tracer.ReasonOffCPU} {
		j.why[r] = d.Add(tracer.Code{Type: tracer.Reason, Name: name})
	}
	if live {
		j.Clock = clock.New()
		host, err := os.Hostname()
		if err != nil {
			host = "localhost"
		}
		j.host = d.Add(tracer.Code{Type: tracer.Host, Name: host})
	}
	return j
}
