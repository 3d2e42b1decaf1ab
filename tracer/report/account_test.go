package report_test

import (
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer/report"
)

// TestAccount checks that the times of a summary add up, and what its table says about them.
func TestAccount(t *testing.T) {
	for _, c := range []struct {
		program   string
		args      []string
		functions bool
		table     []string
	}{
		{"dts/fibonacci", []string{"10"}, true, []string{"waiting", "  for joins", "functions", "in fib"}},
		{"fghc/primes", []string{"40"}, true, []string{"work", "communication", "  for bindings", "in filter/3"}},
		{"hpf/rsa", nil, false, []string{"  for messages", "for PE 0 in rsa"}},
	} {
		r := experiment.Defaults(c.program)
		r.PEs, r.Policy, r.Network = 4, "round-robin", "ring"
		if strings.HasPrefix(c.program, "hpf") {
			r.Policy = experiment.Defaults(c.program).Policy
		}
		if c.args != nil {
			r.Args = c.args
		}
		s := must.Get(report.Summarise(experimenttest.Trace(t, r)))(t)
		x := s.Time
		if sum := x.WorkNs + x.SchedulingNs + x.StealingNs + x.CommunicationNs + x.WaitingNs + x.CollectorNs + x.SystemNs + x.NothingNs; sum != 4*s.ElapsedNs {
			t.Errorf("%s: %+v add up to %d, not to four times %d ns", c.program, *x, sum, s.ElapsedNs)
		}
		var work, waits int64
		for _, f := range s.Functions {
			work += f.TimeNs
		}
		for _, w := range s.Waits {
			waits += w.TimeNs
		}
		if c.functions && work != *s.WorkNs || !c.functions && len(s.Functions) > 0 || waits != x.WaitingNs {
			t.Errorf("%s: functions %d of %d ns, waits %d of %d", c.program, work, *s.WorkNs, waits, x.WaitingNs)
		}
		var b strings.Builder
		if err := s.WriteTable(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.table {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.program, want, b.String())
			}
		}
	}
}
