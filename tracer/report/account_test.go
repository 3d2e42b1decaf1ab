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
		program string
		args    []string
		tasks   bool
		table   []string
	}{
		{"dts/fibonacci", []string{"10"}, true, []string{"waiting", "  for joins", "functions", "in fib", "tasks by work", " fib  ", "  of these", "fib by fib"}},
		{"fghc/primes", []string{"40"}, true, []string{"work", "communication", "  for bindings", "in filter/3", "tasks by work", "more with work  ", "filter/3 by fetched values"}},
		{"hpf/rsa", nil, false, []string{"  for messages", "for PE 0 in rsa", "functions", "lines", "rsa.hpf:33", "e = e / 2"}},
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
		var work, lines, tasks, waits int64
		for _, f := range s.Functions {
			work += f.TimeNs
		}
		for _, l := range s.Lines {
			lines += l.TimeNs
		}
		for _, x := range s.TopTasks {
			tasks += x.TimeNs
		}
		if o := s.OtherTasks; c.tasks {
			tasks += o.TimeNs
			if o.Count+int64(len(s.TopTasks)) != s.Tasks {
				t.Errorf("%s: %d tasks and %d others, not %d", c.program, len(s.TopTasks), o.Count, s.Tasks)
			}
		} else if o != nil || len(s.TopTasks) > 0 || lines != work {
			t.Errorf("%s: tasks %+v, lines %d of %d ns", c.program, s.TopTasks, lines, work)
		}
		if c.tasks && tasks != work {
			t.Errorf("%s: tasks %d of %d ns", c.program, tasks, work)
		}
		for _, w := range s.Waits {
			waits += w.TimeNs
		}
		if work != *s.WorkNs || waits != x.WaitingNs {
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
