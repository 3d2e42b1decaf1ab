package account_test

import (
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/tracer/derive/account"
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
		{program: "hpf/rsa", waits: "message"},
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
			a := compute(t, experimenttest.Trace(t, r))
			divided(t, a)
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
