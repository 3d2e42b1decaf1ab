package account_test

import (
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/totals"
)

// TestRuns divides the time of runs of all substrates, simulated on several networks and live.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		program, policy, network string
		args                     []string
		mode                     experiment.Mode
		waits                    string // a reason of waits, in simulation
	}{
		{program: "fghc/pascal", args: []string{"20"}},
		{program: "fghc/pascal", args: []string{"12"}, network: "mesh2d", waits: "binding"},
		{program: "fghc/queens", args: []string{"5"}, policy: "steal-lifeline", network: "hypercube"},
		{program: "fghc/primes", args: []string{"40"}, policy: "round-robin", network: "ring", waits: "binding"},
		{program: "fghc/pascal", args: []string{"12"}, mode: experiment.Live},
		{program: "fghc/queens", args: []string{"6"}, policy: "steal", mode: experiment.Live},
		{program: "dts/nqueens", args: []string{"6"}, waits: "join"},
		{program: "dts/fibonacci", args: []string{"10"}, policy: "steal", network: "torus2d", waits: "join"},
		{program: "dts/nqueens", args: []string{"7"}, mode: experiment.Live},
		{program: "dts/stencil", mode: experiment.Live},
		{program: "hpf/rsa", args: []string{"400"}, waits: "message"}, // long enough for samples at its ends
		{program: "hpf/rsa", mode: experiment.Live},
	} {
		name := c.program + " " + c.policy + c.network + string(c.mode)
		t.Run(name, func(t *testing.T) {
			r := experiment.Defaults(c.program)
			r.PEs = 4
			if c.args != nil {
				r.Args = c.args
			}
			if c.mode != "" {
				r.Mode = c.mode
			}
			if c.policy != "" {
				r.Policy = c.policy
			}
			if c.network != "" {
				r.Network = c.network
			}
			src := experimenttest.Trace(t, r)
			a := must.Get(account.GrowByTask(src, nil, nil))(t)
			divided(t, a)
			named(t, src, a)
			all := a.Total()
			if !a.Known() || a.PEs != 4 || a.Ignored != 0 || all[account.Work] <= 0 {
				t.Errorf("%d PEs, %d events ignored, %v", a.PEs, a.Ignored, all)
			}
			if c.waits != "" && (len(a.Waits) == 0 || a.Waits[0].For != c.waits) {
				t.Errorf("waits %v", a.Waits)
			}
			if testing.Verbose() {
				t.Log(a.Elapsed(), all, a.Codes[0], a.Waits)
			}
		})
	}
}

// named checks that the tables of functions and lines have the work of the account, that what is of known code names its task in simulation, or
// its line if it is sampled, and that tasks waited as long as the measures of their goals say.
func named(t *testing.T, src tracer.Source, a *account.Account) {
	t.Helper()
	work, meta := a.Total()[account.Work], src.Meta()
	for _, parts := range [][]account.Part{a.Functions(src.Dict().Codes()), a.Lines(src.Dict().Codes())} {
		var sum, unknown int64
		for _, p := range parts {
			if sum += p.Work; p.Owner == 0 {
				unknown = p.Work
			}
		}
		if sum != work {
			t.Errorf("%d of %d ns in %d parts", sum, work, len(parts))
		}
		if meta.Mode == tracer.Sim && unknown*100 > work {
			t.Errorf("%d of %d ns are of unknown code", unknown, work)
		}
	}
	if counts := src.Counts(); counts[tracer.Start]+counts[tracer.Reduce] == 0 {
		if a.Tasks.Count > 0 {
			t.Errorf("%d tasks in a program without tasks", a.Tasks.Count)
		}
		return
	}
	if a.Tasks.Count == 0 || meta.Mode == tracer.Sim && a.Tasks.All.Work != work {
		t.Errorf("%d of %d ns in %d tasks", a.Tasks.All.Work, work, a.Tasks.Count)
	}
	if meta.Mode != tracer.Sim || src.Counts()[tracer.Reduce] == 0 {
		return
	}
	sums := must.Get(totals.Grow(src, nil, nil))(t)
	if m, _ := sums.Goals(src); m.Blocked != a.Tasks.All.Waiting {
		t.Errorf("tasks waited %d ns, measured %d", a.Tasks.All.Waiting, m.Blocked)
	}
}
