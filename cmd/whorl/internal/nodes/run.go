// Package nodes runs programs of threads on several hosts, or on several processes of this host that work like hosts: whorl run --nodes and
// --join, and whorl node.
package nodes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/open"
)

// A Plan holds the flags of whorl run about nodes.
type Plan struct {
	nodes   int // processes to start on this host
	options cluster.Options
	host    cluster.Host
	job     string
}

// Flags adds the flags of a plan to a command.
func (p *Plan) Flags(cmd *cobra.Command) {
	p.hostFlags(cmd, "run a program of threads on a `number` of nodes, processes of this host that work like hosts")
	f := cmd.Flags()
	f.StringVar(&p.host.Store, "store", "", "`folder` that keeps jobs and results, so that a run continues after a crash")
	f.BoolVar(&p.host.SyncAlways, "sync", false, "write to the disk before anything counts as stored, for machines that may lose power")
	f.StringVar(&p.job, "job", "", "`name` of the job; a job of the same name that runs or is done already gives its result")
}

// hostFlags adds the flags that say where the nodes are.
func (p *Plan) hostFlags(cmd *cobra.Command, nodes string) {
	f := cmd.Flags()
	f.IntVar(&p.nodes, "nodes", 0, nodes)
	joinFlags(cmd, &p.options)
	f.StringVar(&p.host.Listen, "listen", "", "`address` at which other hosts can join, HOST:PORT")
}

// mostNodes is the largest number of processes that a run starts on this host.
const mostNodes = 256

// Wanted reports whether the flags ask for nodes.
func (p *Plan) Wanted() bool { return p.nodes > 0 || p.options.URL != "" || p.host.Listen != "" }

// check returns an error for flags that exclude each other and for values out of range.
func (p *Plan) check(cmd *cobra.Command, r *experiment.Run) error {
	if err := p.checkHosts(); err != nil {
		return err
	}
	if r.Mode == experiment.Sim && cmd.Flags().Changed("mode") {
		return errors.New("nodes run on real cores: --nodes and --join need --mode live")
	}
	if p.job != "" {
		if err := cluster.CheckJob(p.job); err != nil {
			return fmt.Errorf("--job: %w", err)
		}
	}
	live := *r
	live.Mode = experiment.Live
	if err := live.Check(); err != nil {
		return err
	}
	_, err := policy.Unordered(r.Policy)
	return err
}

// checkHosts is check for the flags that say where the nodes are.
func (p *Plan) checkHosts() error {
	if p.nodes > mostNodes {
		return fmt.Errorf("--nodes is at most %d, not %d", mostNodes, p.nodes)
	}
	if err := checkURLs(p.options.URL); err != nil {
		return err
	}
	if p.options.URL != "" && (p.nodes > 0 || p.host != cluster.Host{}) {
		return errors.New("--join uses an existing cluster, and --nodes, --listen, --store and --sync make one: choose one of the two")
	}
	return nil
}

// Run runs a program on nodes and keeps its trace in the file out. If stats is not nil, Run calls it with the file of the trace, a temporary one for
// out "", and the duration of the run.
func (p *Plan) Run(cmd *cobra.Command, r experiment.Run, out string, stats func(trace string, wall time.Duration) error) (err error) {
	if err := p.check(cmd, &r); err != nil {
		return err
	}
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
		if err := files.CheckFolder(out); err != nil {
			return err
		}
	}
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	c := &crew{cmd: cmd, plan: p, run: r, trace: out}
	if out == "" && stats != nil {
		c.trace = filepath.Join(temp, "run.whorl")
	}
	c.options = p.options
	c.options.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	c.options.Trace = c.trace != ""
	c.options.Local = dts.Options{Policy: r.Policy}
	if cmd.Flags().Changed("pes") {
		c.options.Local.PEs = r.PEs
	}
	if build.IsFolder(r.Program) {
		folder := build.Folder{Path: r.Program, Temp: temp, Nodes: true}
		if c.program, err = folder.Build(cmd.Context(), cmd.ErrOrStderr()); err != nil {
			return command.Interrupted(cmd, err)
		}
		c.report = filepath.Join(temp, "report")
		c.first = p.nodes > 0 && !folder.UsesCluster()
		if c.options.Version, err = folderVersion(c.program); err != nil {
			return err
		}
	} else {
		if c.bench, err = r.Hosted(); err != nil {
			return err
		}
		if c.bench.Name != r.Program {
			fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s on nodes is %s\n", r.Program, c.bench.Name)
		}
		if c.program, err = os.Executable(); err != nil {
			return err
		}
		if c.options.Version, err = benchmarkVersion(c.bench.Name); err != nil {
			return err
		}
	}
	begin := time.Now()
	ended := c.execute()
	if stats != nil && c.collected {
		if err := stats(c.trace, time.Since(begin)); err != nil {
			return err
		}
	}
	if c.collected && slices.Contains([]tracer.Outcome{tracer.Limited, tracer.Interrupted}, command.OutcomeOf(ended)) {
		return command.WithTrace(ended, out)
	}
	return ended
}
