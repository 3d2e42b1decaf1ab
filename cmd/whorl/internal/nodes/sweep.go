package nodes

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"whorl/dts"
	"whorl/experiment"
	"whorl/experiment/sweep"
)

// SweepFlags adds the flags of a plan to whorl sweep.
func (p *Plan) SweepFlags(cmd *cobra.Command) {
	p.hostFlags(cmd, "make the runs on a `number` of nodes: this process, and others of this host that work like hosts")
}

// Here returns the number of nodes of this host, 0 without the flag --nodes.
func (p *Plan) Here() int { return p.nodes }

// CheckSweep returns an error for flags that exclude each other, for values out of range, and for a grid whose runs nodes cannot make.
func (p *Plan) CheckSweep(g *sweep.Grid) error {
	if !p.Wanted() {
		return nil
	}
	if err := p.checkHosts(); err != nil {
		return err
	}
	return g.CheckHosts()
}

// Sweep makes the runs of a sweep on nodes, this process among them, and keeps their trace in the folder of the sweep.
func (p *Plan) Sweep(cmd *cobra.Command, s *sweep.Sweep) (err error) {
	plan := *p
	plan.nodes = max(1, p.nodes)
	c := &crew{cmd: cmd, plan: &plan, run: experiment.Defaults(sweep.Program), trace: s.NewTrace(), sweep: s, first: true, options: p.options}
	c.options.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	c.options.Trace, c.options.Local = true, dts.Options{PEs: s.Cores}
	if c.program, err = os.Executable(); err != nil {
		return err
	}
	if c.options.Version, err = benchmarkVersion(sweep.Program); err != nil {
		return err
	}
	return c.execute()
}

// workSweep makes the runs. This process is a node.
func (c *crew) workSweep(ctx context.Context) error {
	o := c.options
	if o.Server != nil {
		o.Name = nodeName(0)
	}
	return c.why(ctx, c.sweep.RunOn(ctx, o))
}
