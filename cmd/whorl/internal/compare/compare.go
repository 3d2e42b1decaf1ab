// Package compare has the commands that make many runs or compare traces: compare, replay, whatif, sweep and calibrate, with their tables and pictures.
package compare

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newCompare(), newReplay(), newWhatIf(), newSweep(), newCalibrate()}
}

func newCompare() *cobra.Command {
	g := experiment.Grid{Base: experiment.Defaults("")}
	g.Policies = []string{g.Base.Policy}
	pes, format := "1,2,4,8", "table"
	var p picture
	processes, metric := "", ""
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "compare PROGRAM [ARGS] | TRACE TRACE | TRACE --processes LIST",
		Short: "Compare runs on several numbers of PEs and under several policies, or compare traces",
		Long: `Run a program under each policy on each number of PEs on one machine, and print for each run: time on the machine, speedups, efficiencies,
reductions and suspensions or threads, messages and their bytes, and the share of idle time.

speedup is the least time on 1 PE in the table divided by the time of the run, own the time on 1 PE under the same policy divided by it; whorl
makes the runs on 1 PE in any case. efficiency is the speedup divided by the number of PEs. parallel is the parallel efficiency, work / (PEs x
elapsed), the product of balance (of the load), serialisation and transfer, as whorl stats defines them. bound is the least time of any schedule of
the work of the run, max(work / PEs, span), and above bound tells how far its time is from that; programs in HPF have none. The policies do not
touch a program in HPF, which says itself where its work runs: it runs once on each number of PEs. CSV and JSON have times in ns and shares from 0
to 1; unknown numbers are empty or null. Each line of a CSV names program, arguments, goal, mode, machine, network and seed; all comparisons of runs
have the same columns, so that their files can be put together. The numbers do not depend on the computer, except with --mode live, where PEs are
goroutines on its cores and one run follows another.

With --seeds 20 the program runs with 20 seeds. Numbers are means over them; the column ± has half the length of the 95 % confidence interval of the
mean, by Student's t distribution. CSV and JSON have it for every number, as KEY_ci95, in CSV empty for one seed. Speedups are against the mean
time on 1 PE.

With --picture, draw the runs side by side: a column for each number of PEs and, for each of the views in --view, a row for each policy, with one
legend. All rows have one scale of time; with --scale own the runs of a row share a scale. A kaleidoscope by time has one colour for one
instant on the whole scale.

For two files with traces or profiles, or with --processes for some processes of one file and the rest, compare the calling contexts: in which
contexts does a process of one group spend more or less than one of the other? Values are means over processes. The last column is the
difference as a share of what a process spends in total. Contexts are the same if the names of their procedures are.`,
		Example: `  whorl compare pascal --pes 1,2,4,8,16 --policy on-demand,round-robin
  whorl compare fghc/queens 6 --pes 4,64 --policy all --net mesh2d --format csv
  whorl compare dts/mandelbrot --policy round-robin,on-demand
  whorl compare queens 6 --policy random,steal --seeds 20
  whorl compare pascal --pes 1,5 --picture pascal.svg
  whorl compare dts/fibonacci --pes 2,4 --picture threads.png --view timeline,threadgraph --scale own
  whorl compare before.whorl after.whorl
  whorl compare mixture.whorl --processes 80-175`,
		Args:              command.AtLeast("a program"),
		ValidArgsFunction: program.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.Base.Program, g.Base.Args = args[0], args[1:]
			if err := command.OneOf("format", format, compareFormats); err != nil {
				return err
			}
			use := compareUse{traces: areTraces(args), files: len(args), picture: p.out != ""}
			if !use.traces {
				if build.IsFolder(args[0]) {
					return errors.New(args[0] + " is a folder, and compare runs benchmarks and source files: whorl run FOLDER -o FILE.whorl for each run, then whorl compare FILE.whorl...")
				}
				var err error
				if use.substrate, err = g.Base.Substrate(); err != nil {
					return err
				}
			}
			if err := command.CheckScopes(cmd, compareScopes, use); err != nil {
				return err
			}
			if use.traces {
				return compareTraces(cmd, args, processes, metric, format, reading)
			}
			if len(g.Policies) == 1 && g.Policies[0] == "all" {
				g.Policies = program.Names(experiment.Policies())
			}
			var err error
			if g.Seeds < 1 {
				return command.TooSmall("seeds", int64(g.Seeds))
			}
			if g.PEs, err = parsePEs(pes); err != nil {
				return err
			}
			if err := p.check(cmd, g); err != nil {
				return err
			}
			return compare(cmd, g, format, &p)
		},
	}
	f := cmd.Flags()
	f.StringVar(&pes, "pes", pes, "`numbers` of PEs, each 1 to 1,048,576, separated by commas")
	f.StringSliceVar(&g.Policies, "policy", g.Policies, "scheduling `policies`, separated by commas (whorl list policies), or all")
	f.Lookup("policy").DefValue = g.Base.Policy // pflag shows lists in brackets
	program.GoalFlag(cmd, &g.Base)
	program.ModeFlag(cmd, &g.Base)
	program.MachineFlags(cmd, &g.Base)
	f.DurationVar(&g.Base.Limits.Time, "max-time", 0, "stop each run after this much real `time`: 10s, 2m")
	f.Int64Var(&g.Base.Limits.Reductions, "max-reductions", 0, "stop each run after a `number` of reductions, or of forked threads")
	f.StringVar(&format, "format", format, "`format`: table, csv or json")
	f.IntVar(&g.Seeds, "seeds", 1, "`number` of seeds, from --seed on: give the means of their runs and 95 % confidence intervals")
	p.flags(cmd)
	f.StringVar(&processes, "processes", "", "one trace: `processes` to compare with the rest, such as 0-31,64")
	f.StringVar(&metric, "metric", "", "traces: `metric` to compare (default the first that they have)")
	reading = traces.Flags(cmd)
	command.Complete(cmd, "policy", append(program.Names(append(experiment.Policies(), experiment.PolicyOptions()...)), "all"))
	command.Complete(cmd, "format", compareFormats)
	return cmd
}

var compareFormats = []string{"table", "csv", "json"}

// parsePEs reads numbers of PEs separated by commas.
func parsePEs(s string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("--pes %s: %s is not a number of PEs; expected numbers separated by commas, as in 1,2,4,8",
				nearest.Quote(s), nearest.Quote(strings.TrimSpace(part)))
		}
		if n < 1 {
			return nil, command.TooSmall("pes", int64(n))
		}
		if err := experiment.CheckPEs(n); err != nil {
			return nil, fmt.Errorf("--pes %s: %w", nearest.Quote(s), err)
		}
		out = append(out, n)
	}
	return out, nil
}

// compare makes the runs and prints their numbers.
func compare(cmd *cobra.Command, g experiment.Grid, format string, p *picture) error {
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	var traces []*store.Growing
	keep := &traces
	if p.out == "" {
		keep = nil
	}
	c, err := experiment.Compare(cmd.Context(), g, keep, func(over, all int) { line.Say("%d of %d runs are over", over, all) })
	line.Done()
	if err != nil {
		return err
	}
	if err := writeComparison(cmd, c, format); err != nil {
		return err
	}
	if p.out != "" && (cmd.Context().Err() == nil || len(c.Failed()) == 0) { // a picture that cannot be drawn is an error
		if err := command.Await(cmd.Context(), func(w *files.Writer) error { return p.draw(cmd, w, c, traces) }); err != nil {
			return err
		}
	}
	return compared(c)
}

// writeComparison writes a comparison in one of compareFormats.
func writeComparison(cmd *cobra.Command, c interface {
	WriteTable(w io.Writer) error
	WriteCSV(w io.Writer) error
	WriteJSON(w io.Writer) error
}, format string,
) error {
	write := c.WriteTable
	switch format {
	case "csv":
		write = c.WriteCSV
	case "json":
		write = c.WriteJSON
	}
	if err := write(cmd.OutOrStdout()); err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	return nil
}

// compared returns the error for runs that are not done. Its exit status is that of the worst run.
func compared(c *report.Comparison) error {
	failed := c.Failed()
	if len(failed) == 0 {
		return nil
	}
	status := 0
	for _, x := range failed {
		switch x.Outcome {
		case tracer.Interrupted.String():
			status = command.ExitInterrupted
		case tracer.Failed.String():
			if status != command.ExitInterrupted {
				status = command.ExitFailed
			}
		case tracer.Limited.String():
			if status == 0 {
				status = command.ExitLimit
			}
		}
	}
	text := failed[0].Name() + ": " + failed[0].Err
	switch n := len(failed) - 1; {
	case n == 1:
		text += "\n1 other run is not done either"
	case n > 1:
		text += fmt.Sprintf("\n%d other runs are not done either", n)
	}
	return command.Exit(status, errors.New(text))
}
