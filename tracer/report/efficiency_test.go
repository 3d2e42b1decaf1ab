package report_test

import (
	"math"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/testdata/tracertest"
)

// TestEfficiency compares the efficiencies of a summary with its times, and reads its table.
func TestEfficiency(t *testing.T) {
	for _, c := range []struct {
		program string
		mode    experiment.Mode
		table   []string
	}{
		{"hpf/lu", experiment.Sim, []string{"parallel efficiency  81.8 %\n", "  load balance       82.4 %\n", "  serialisation      99.5 %\n", "  transfer           99.7 %\n"}},
		{"fghc/queens", experiment.Live, []string{"  transfer", " %: transfers through shared memory are not recorded; they count as work\n"}},
	} {
		r := experiment.Defaults(c.program)
		r.PEs, r.Mode = 4, c.mode
		s := must.Get(report.Summarise(experimenttest.Trace(t, r)))(t)
		e := &s.Efficiency
		var sum int64
		for _, step := range e.Steps {
			sum += step.TimeNs
		}
		want := float64(*s.WorkNs) / float64(4*s.ElapsedNs)
		if product := *e.LoadBalance * *e.Serialisation * *e.Transfer; sum != s.ElapsedNs || math.Abs(product-want) > 1e-12 || math.Abs(*e.Parallel-want) > 1e-12 {
			t.Errorf("%s: steps add up to %d of %d ns, product %g, parallel %g, want %g", c.program, sum, s.ElapsedNs, product, *e.Parallel, want)
		}
		var b strings.Builder
		must.Do(t, s.WriteTable(&b))
		for _, want := range c.table {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.program, want, b.String())
			}
		}
	}
}

// TestUnknownEfficiency summarises traces without durations and without states of PEs.
func TestUnknownEfficiency(t *testing.T) {
	for _, c := range []struct {
		events []tracer.Event
		table  string
	}{
		{
			[]tracer.Event{{Time: 2, Kind: tracer.Reduce, Task: 1}, {Time: 4, Kind: tracer.Reduce, Task: 2}},
			"parallel efficiency  unknown: the recording has no durations\n",
		},
		{
			[]tracer.Event{{Kind: tracer.Reduce, Task: 1, Value: 10}, {Time: 15, Kind: tracer.Reduce, Task: 2, Value: 5}},
			"parallel efficiency  75.0 %\n  load balance       100.0 %\n  serialisation      unknown: the recording does not tell communication from waiting\n" +
				"  transfer           unknown: the recording does not tell communication from waiting\n",
		},
	} {
		s := must.Get(report.Summarise(tracertest.Trace(c.events...)))(t)
		var b strings.Builder
		must.Do(t, s.WriteTable(&b))
		if !strings.Contains(b.String(), c.table) || s.Efficiency.Transfer != nil || s.Efficiency.IdealNs != nil {
			t.Errorf("no %q in\n%s", c.table, b.String())
		}
	}
}
