package waits_test

import (
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/waits"
)

// TestRuns compares runs of all substrates with the account: tasks work as long, and wait as long in simulation.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		program, policy string
		args            []string
		mode            experiment.Mode
	}{
		{program: "dts/fibonacci", args: []string{"10"}, policy: "steal"},
		{program: "dts/nqueens", args: []string{"6"}},
		{program: "dts/nqueens", args: []string{"7"}, mode: experiment.Live},
		{program: "fghc/pascal", args: []string{"12"}},
		{program: "fghc/primes", args: []string{"40"}, policy: "round-robin"},
		{program: "fghc/queens", args: []string{"6"}, mode: experiment.Live},
	} {
		t.Run(c.program+" "+string(c.mode), func(t *testing.T) {
			r := experiment.Defaults(c.program)
			r.PEs, r.Args = 4, c.args
			if c.mode != "" {
				r.Mode = c.mode
			}
			if c.policy != "" {
				r.Policy = c.policy
			}
			src := experimenttest.Trace(t, r)
			w := waits.BuildTest(t, src)
			waits.AddedUp(t, src, w)
			a := must.Get(account.GrowByTask(src, nil, nil))(t)
			t.Logf("%v, account %v, lost %d", w.All.Times, a.Tasks.All, w.Lost)
			if r.Mode != experiment.Live && (w.All.Times[waits.Blocked] != a.Tasks.All.Waiting || w.Lost != 0) {
				t.Errorf("blocked for %d, in the account for %d; %d events lost", w.All.Times[waits.Blocked], a.Tasks.All.Waiting, w.Lost)
			}
		})
	}
}
