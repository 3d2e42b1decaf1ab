package report_test

import (
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer/derive/totals"
	"whorl/tracer/report"
)

// TestCriticalPath compares two computations of the span of logic programs, one pass over the events and the longest path through the thread
// graph, and checks that the functions of the critical path add up to it.
func TestCriticalPath(t *testing.T) {
	for _, c := range []struct {
		program, policy string
		mode            experiment.Mode
	}{
		{"fghc/pascal", "on-demand", experiment.Sim},
		{"fghc/pascal", "random", experiment.Sim},
		{"fghc/semigroup", "steal-half", experiment.Sim},
		{"fghc/queens", "breadth-first", experiment.Sim},
		{"fghc/pascal", "on-demand", experiment.Live},
		{"fghc/semigroup", "random", experiment.Live},
	} {
		r := experiment.Defaults(c.program)
		r.Policy, r.PEs, r.Mode = c.policy, 5, c.mode
		trace := experimenttest.Trace(t, r)
		s := must.Get(report.Summarise(trace))(t)
		sums := must.Get(totals.Grow(trace, nil, nil))(t)
		path := int64(0)
		for _, f := range s.CriticalPath {
			path += f.TimeNs
		}
		if path != *s.SpanNs || path < sums.Span || path > sums.Span && c.mode == experiment.Sim {
			t.Errorf("%v: the functions of the critical path add up to %d ns, the span is %d", c, path, sums.Span)
		}
		if c.mode == experiment.Live {
			continue // one PE may have done all the work
		}
		if *s.BurdenedSpanNs < path || *s.SpeedupMost < *s.PEsAtWork || *s.SpeedupLeast > *s.SpeedupMost {
			t.Errorf("%v: burdened span %d of %d, %.2f PEs at work, bounds %.2f to %.2f",
				c, *s.BurdenedSpanNs, path, *s.PEsAtWork, *s.SpeedupLeast, *s.SpeedupMost)
		}
		if *s.NotInOrder != 0 {
			t.Errorf("%v: %d edges close cycles", c, *s.NotInOrder)
		}
	}
}
