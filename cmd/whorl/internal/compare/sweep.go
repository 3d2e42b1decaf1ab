package compare

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/nodes"
	"whorl/experiment/sweep"
	"whorl/internal/figures"
	"whorl/internal/files"
)

// mostUnasked is the largest number of runs that a sweep makes without --yes.
const mostUnasked = 10_000

func newSweep() *cobra.Command {
	folder, cores, yes := "", runtime.GOMAXPROCS(0), false
	var plan nodes.Plan
	cmd := &cobra.Command{
		Use:   "sweep FILE.toml -o FOLDER",
		Short: "Make all runs of a grid, and one table of them",
		Long: `Make a run for each combination of the values in a file, on all cores:

  programs = ["fghc/pascal 35", "fghc/queens 6"]
  pes      = [1, 2, 4, 8]
  policies = ["on-demand", "steal"]
  latency  = ["1us", "10us"]
  seeds    = 20

Other keys are arguments, goal, machines, networks, instruction, overhead, gap, byte, seed, mode, max_time, max_reductions and traces; docs/guide.md
describes them. Programs may be traces, which are replayed. The folder keeps each result as soon as it is known: after an interruption or a
kill, the same command goes on. At the end it has

  table.csv, table.parquet   a row for each run: settings, numbers with their units in the names, the command and the version
  summary.csv                means over seeds, and 95 % bootstrap confidence intervals
  sweep.whorl                the trace of the sweep itself, in which each run is a thread
  traces                     traces of runs, if the file asks for them

A table [[plot]] in the file, with a file and the parameters of the view sweep, draws the result into the folder; without runs to make, the same
command draws the plots alone.

With --nodes, or --listen and whorl node on other hosts, or --join, the runs are made on the nodes of a cluster, of which this process is
one. It keeps the results, so that the table is the same but for times by the clock; runs of a node that ends are made again on others. The
trace says which node made which run.

A sweep of more than 10,000 runs says how long it will take, and needs --yes.`,
		Example: `  whorl sweep latency.toml -o latency
  whorl sweep latency.toml -o latency --yes
  whorl sweep latency.toml -o latency --listen 0.0.0.0:4222   # prints what to type on other hosts
  whorl render latency --view sweep --set chart=scaling -o scaling.pdf
  whorl view latency`,
		Args: command.Exactly("the file of a sweep"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if folder == "" {
				return errors.New("a sweep needs a folder for its results: -o " + strings.TrimSuffix(filepath.Base(args[0]), ".toml"))
			}
			if cores < 1 {
				return command.TooSmall("cores", int64(cores))
			}
			changed := cmd.Flags().Changed
			use := sweepUse{nodes: plan.Wanted(), joins: changed("join"), listens: changed("listen")}
			if err := command.CheckScopes(cmd, sweepScopes, use); err != nil {
				return err
			}
			if n := plan.Here(); n > 1 && !changed("cores") {
				cores = max(1, cores/n)
			}
			text, err := files.ReadText(args[0], 1<<20)
			if err != nil {
				return err
			}
			g, err := sweep.Read(args[0], text)
			if err != nil {
				return err
			}
			if err := plan.CheckSweep(g); err != nil {
				return err
			}
			return runSweep(cmd, g, &plan, folder, cores, yes)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&folder, "output", "o", "", "`folder` for the results; a sweep that was interrupted goes on")
	f.IntVar(&cores, "cores", cores, "`number` of runs at a time, on each node of this host; runs on real cores are made one at a time")
	f.BoolVar(&yes, "yes", false, "make more than 10,000 runs")
	plan.SweepFlags(cmd)
	return cmd
}

func runSweep(cmd *cobra.Command, g *sweep.Grid, plan *nodes.Plan, folder string, cores int, yes bool) (err error) {
	ctx := cmd.Context()
	plots, err := plotsOf(g)
	if err != nil {
		return err
	}
	s, err := sweep.Open(g, folder, cores)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	line := command.NewProgress(ctx, cmd.ErrOrStderr())
	defer line.Done()
	s.Say = func(known, all int64, left time.Duration) {
		line.Say("%s of %s, %s left", figures.Count(known), figures.Counted(all, "run"), left.Round(time.Second))
	}
	missing := g.Runs() - s.Known()
	if missing > mostUnasked && !yes {
		left, err := s.Estimate(ctx)
		line.Done()
		if err != nil {
			return err
		}
		return errors.New(s.Describe(left) + "; --yes makes them")
	}
	if plan.Wanted() && missing > 0 {
		err = plan.Sweep(cmd, s)
	} else {
		err = s.Run(ctx)
	}
	line.Done()
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, s.Write())
	}
	if ctx.Err() != nil {
		return command.Exit(command.ExitInterrupted, fmt.Errorf("interrupted: %s of %s known; the same command goes on",
			figures.Count(s.Known()), figures.Counted(g.Runs(), "run")))
	}
	if err == nil {
		err = drawPlots(cmd, folder, plots)
	}
	if err != nil {
		return err
	}
	return swept(cmd, s, folder)
}

// swept says where the results are, and returns the error for runs that are not done.
func swept(cmd *cobra.Command, s *sweep.Sweep, folder string) error {
	results := s.Results()
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s in %s and table.parquet\n", folder, figures.Counted(int64(len(results)), "run"), filepath.Join(folder, "table.csv"))
	failed := 0
	var first *sweep.Result
	for _, r := range results {
		if !r.Done() {
			if failed++; first == nil {
				first = r
			}
		}
	}
	if first == nil {
		return nil
	}
	run := first.Run
	text := fmt.Sprintf("%s: %s", run.Command(""), first.Err)
	if failed > 1 {
		text += fmt.Sprintf("\n%s not done either", figures.Counted(int64(failed-1), "other run"))
	}
	return command.Exit(command.ExitFailed, errors.New(text))
}
