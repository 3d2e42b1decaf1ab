package workspan_test

import (
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/workspan"
)

// Where costs are parts of measured times, a path takes the mean cost of a clause, so that one disturbed slice is not the longest path.
func TestShared(t *testing.T) {
	for _, c := range []struct {
		shared bool
		want   int64
	}{{false, 10 + 10_010}, {true, 10 + 20}} { // the mean cost of 1,000 children is 20 ns
		g := &workspan.Goals{Shared: c.shared}
		g.Event(&tracer.Event{Kind: tracer.Reduce, Task: 1, Code: 1, Value: 10, Peer: tracer.None})
		now := int64(10)
		for child := range uint64(1000) {
			e := tracer.Event{Kind: tracer.Reduce, Time: now, Task: 2 + child, Ref: 1, Code: 2, Value: 10, Peer: tracer.None}
			if child == 999 {
				e.Value = 10_010 // its slice was disturbed
			}
			g.Event(&e)
			now += e.Value
		}
		if g.Span != c.want {
			t.Errorf("shared %v: span %d, want %d", c.shared, g.Span, c.want)
		}
	}
}

// TestSecondPass checks the costs of a second pass: those of a clause with many steps are its mean, those of a clause with one step are near the mean
// of all, and a path through all steps is as long as the work.
func TestSecondPass(t *testing.T) {
	const many = 10_000
	events := []tracer.Event{{Kind: tracer.Reduce, Task: 1, Code: 1, Value: 5000, Peer: tracer.None}}
	for i := range uint64(many) {
		events = append(events, tracer.Event{Kind: tracer.Reduce, Time: int64(5000 + 20*i), Task: i + 2, Ref: i + 1, Code: 2, Value: 20, Peer: tracer.None})
	}
	g := &workspan.Goals{Shared: true}
	for pass := range 3 {
		if pass > 0 {
			g.Again()
		}
		for i := range events {
			g.Event(&events[i])
		}
		m := g.Measure()
		if most := m.Work; m.Span > most || m.Span < most-2*many || len(m.Functions) != 2 {
			t.Errorf("pass %d: span %d, functions %+v", pass, m.Span, m.Functions)
		} else if first := m.Functions[1]; (first.Time == 5000) != (pass == 0) || pass > 0 && (first.Time < 20 || first.Time > 100) {
			t.Errorf("pass %d: the first step takes %d ns", pass, first.Time)
		}
	}
}
