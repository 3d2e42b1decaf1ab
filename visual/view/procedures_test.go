package view

import (
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
)

// TestRanks: the functions of threads with most time have the first colours, as do the procedures with most reductions.
func TestRanks(t *testing.T) {
	run := &Run{}
	for _, name := range []string{"", "often", "long", "idle"} {
		run.Codes = append(run.Codes, tracer.Code{Type: tracer.Function, Name: name})
	}
	nodes := &spawntree.Tally{Code: []spawntree.Total{{}, {Nodes: 9, Cost: 10}, {Nodes: 1, Cost: 700}, {Nodes: 3}, {}}}
	run.Counts[tracer.Start] = 13
	if p := NewProcedures(run, nodes); !slices.Equal(p.Owners, []uint32{2, 1, 3}) {
		t.Errorf("functions: %v", p.Owners)
	}
	run.Counts[tracer.Reduce] = 13
	if p := NewProcedures(run, nodes); !slices.Equal(p.Owners, []uint32{1, 3, 2}) {
		t.Errorf("procedures: %v", p.Owners)
	}
}
