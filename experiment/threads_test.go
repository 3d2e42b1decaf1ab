package experiment

import (
	"testing"

	"whorl/tracer/derive/totals"
)

// The span of a logic program comes out alike in two ways: in one pass over the events, and as the longest path through its graph, whose
// parts are the functions that are named.
func TestCriticalPath(t *testing.T) {
	for _, c := range []struct {
		program, policy string
		mode            Mode
	}{
		{"fghc/pascal", "on-demand", Sim},
		{"fghc/pascal", "random", Sim},
		{"fghc/semigroup", "steal-half", Sim},
		{"fghc/queens", "breadth-first", Sim},
		{"fghc/pascal", "on-demand", Live},
		{"fghc/semigroup", "random", Live},
	} {
		r := Defaults(c.program)
		r.Policy, r.PEs, r.Mode = c.policy, 5, c.mode
		result, trace := run(t, r)
		if result.Outcome != Done {
			t.Fatalf("%v: %v", c, result.Err)
		}
		s, err := Summarise(trace)
		if err != nil {
			t.Fatal(err)
		}
		sums, err := totals.Of(trace)
		if err != nil {
			t.Fatal(err)
		}
		path := int64(0)
		for _, f := range s.CriticalPath {
			path += f.TimeNs
		}
		if path != *s.SpanNs || path < sums.Span || path > sums.Span && c.mode == Sim {
			t.Errorf("%v: the functions of the critical path add up to %d ns, the span is %d", c, path, sums.Span)
		}
		if c.mode == Live {
			continue // one PE may have done it all, and it may have been told to rest
		}
		if *s.BurdenedSpanNs < path || *s.SpeedupMost < *s.Speedup || *s.SpeedupLeast > *s.SpeedupMost {
			t.Errorf("%v: burdened span %d of %d, speedup %.2f, bounds %.2f to %.2f",
				c, *s.BurdenedSpanNs, path, *s.Speedup, *s.SpeedupLeast, *s.SpeedupMost)
		}
		if *s.NotInOrder != 0 {
			t.Errorf("%v: %d edges close circles", c, *s.NotInOrder)
		}
	}
}
