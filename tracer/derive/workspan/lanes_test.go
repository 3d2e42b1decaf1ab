package workspan_test

import (
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/workspan"
)

// The reasons of TestStandstill.
const (
	noWork = iota + 1
	gc
	offCPU
)

// TestStandstill checks that the burden of a live run counts from the instant at which the thread is ready, its new PE is free, and both PEs have gone
// on after they stood still: PE 0 reduces goal 1 until 10, and goal 2 starts on PE 1 at 100. PE 1 has worked before, until 30.
func TestStandstill(t *testing.T) {
	state := func(now int64, pe int32, kind tracer.Kind, code uint32) tracer.Event {
		return tracer.Event{Kind: kind, Time: now, PE: pe, Code: code}
	}
	seen := []tracer.Event{
		state(20, 1, tracer.Busy, 0),
		{Kind: tracer.Reduce, Time: 20, Task: 9, Value: 10, PE: 1, Peer: tracer.None},
		state(30, 1, tracer.Idle, noWork),
	}
	with := func(more ...tracer.Event) []tracer.Event { return append(seen[:len(seen):len(seen)], more...) }
	for _, c := range []struct {
		name    string
		live    bool
		unnamed bool           // the reasons
		before  []tracer.Event // the start
		want    int64
	}{
		{"its PE is free later than the thread is ready", true, false, seen, 70},
		{"its PE was without a core", true, false, with(state(40, 1, tracer.Idle, offCPU), state(60, 1, tracer.Idle, noWork)), 40},
		{"the same without names of reasons", true, true, with(state(40, 1, tracer.Idle, offCPU), state(60, 1, tracer.Idle, noWork)), 70},
		{"its PE had a collection", true, false, with(state(40, 1, tracer.Overhead, gc), state(65, 1, tracer.Busy, 0)), 35},
		{"the other PE was without a core", true, false, with(state(11, 0, tracer.Idle, offCPU), state(90, 0, tracer.Busy, 0)), 10},
		{"the other PE has just lost its core", true, false, with(state(95, 0, tracer.Idle, offCPU)), 70},
		{"another reason", true, false, with(state(40, 1, tracer.Overhead, noWork), state(60, 1, tracer.Busy, 0)), 70},
		{"its PE joins the trace with it", true, false, nil, -1},
		{"a simulation, where PEs are free from the beginning", false, false, nil, 90},
		{"a simulation", false, false, with(state(40, 1, tracer.Idle, offCPU), state(60, 1, tracer.Idle, noWork)), 70},
	} {
		g := &workspan.Goals{Shared: c.live}
		if !c.unnamed {
			g.Dict = tracer.NewMemory().Dict()
			for _, name := range []string{"no work", "gc", "off cpu"} {
				g.Dict.Add(tracer.Code{Type: tracer.Reason, Name: name})
			}
		}
		events := []tracer.Event{{Kind: tracer.Reduce, Task: 1, Value: 10, Peer: tracer.None}}
		events = append(events, c.before...)
		events = append(events, tracer.Event{Kind: tracer.Reduce, Time: 100, Task: 2, Ref: 1, Value: 10, PE: 1})
		for range 2 {
			for i := range events {
				g.Event(&events[i])
			}
			if m := g.Measure(); m.Burden != c.want || m.Migrated != 1 {
				t.Errorf("%s: burden %d of %d threads, want %d of 1", c.name, m.Burden, m.Migrated, c.want)
			}
			g.Again()
		}
	}
}
