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
