// Package run has the commands that make runs and show them: run, trace, repl and record, and the viewers view and serve.
package run

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/nodes"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newRun(), newTrace(), newRepl(), newRecord(), newView(), newServe()}
}

// Built returns the command of a program in HPF that whorl build has made, which is called by a name. It has the flags of run.
func Built(p *build.Appended, name string) *cobra.Command {
	r := experiment.Defaults("")
	r.Read, r.Defines = p.Read, p.Defines
	cmd := runCommand(r, append([]string{p.Program}, p.More...))
	name = filepath.Base(name)
	cmd.Use, cmd.Example = name, "  "+name+" --pes 4 --stats\n  "+name+" --pes 4 -o "+name+".whorl"
	cmd.Short, cmd.Long = "Run "+p.Program, "Run "+p.Program+", which whorl build has put into this file, as whorl run does."
	cmd.Args, cmd.ValidArgsFunction = cobra.NoArgs, nil
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.PersistentPreRunE = command.CheckFlags
	cmd.Flags().SortFlags = false
	cmd.SetFlagErrorFunc(command.FlagError)
	return cmd
}

func newRun() *cobra.Command { return runCommand(experiment.Defaults(""), nil) }

// runCommand returns the command that runs the files of a program, or those of its arguments if there are none.
func runCommand(r experiment.Run, own []string) *cobra.Command {
	var out string
	var stats, open bool
	var plan nodes.Plan
	cmd := &cobra.Command{
		Use:   "run PROGRAM [ARGS] [-- PROGRAM'S ARGS]",
		Short: "Run a program on simulated PEs or on real cores and print its answer",
		Long: `Run a program on simulated PEs under a scheduling policy, print its answer, and with -o keep its trace.

PROGRAM is one of these:
- a benchmark, with ARGS as its sizes;
- a source file of FGHC (.fghc, .kl1), with --goal as its query; more files of the program may follow;
- a source file of High Performance Fortran (.hpf, .f, .for, .f90, .F90 and the like); more files of the program may follow;
- a folder with a Go program that uses whorl/dts.
A simulated run depends only on the program, the machine, the policy and the seed: the same run gives the same trace, byte for byte.

A program can read the standard input and print (klicio:klicio, io:outstream, unix:unix). Arguments after -- are those of unix:argv.

whorl builds the program of a folder and runs it with ARGS. The flags set the options that the program leaves zero in dts.Run. This needs the
go command, and a go.mod that leads to Whorl's source, or no go.mod. With --open the trace is shown when the run has ended.

With --mode live each PE is a goroutine on real cores, in real time, under the same policies and with the same answer.

With --nodes a program of threads (dts/..., or a folder whose program calls dts.Run or cluster.Run) runs on several processes of this host,
each with --pes PEs, as it would run on several hosts; --listen lets other hosts join (whorl node). With --join it runs on an existing cluster.

A run ends early at a limit (exit status 3) or with Ctrl-C (130). The trace then contains the run until that moment.

With --open a window shows the run while it goes on, and can pause, step and stop it. whorl prints the answer at the end of the run, and the
window stays. A run whose window is closed goes on to its end. Where there can be no window, whorl serves a page that does the same, until
Ctrl-C.`,
		Example: `  whorl run fghc/pascal --pes 5 --stats
  whorl run queens 6 --pes 64 --policy steal-half --net mesh2d -o queens.whorl
  whorl run sort.fghc --goal 'qsort([2,1,4,5,3],X)'
  whorl run jacobi.hpf --pes 16 --net mesh2d --sample 10us -o jacobi.whorl
  whorl run count.kl1 words.kl1 -- -v < text
  whorl run queens 8 --pes 16 --open
  whorl run ./mine 1000 --mode live --stats
  whorl run dts/nqueens 10 --nodes 3 -o queens.whorl`,
		Args:              command.AtLeast("a program"),
		ValidArgsFunction: program.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			program.Describe(cmd, &r, append(slices.Clone(own), args...))
			onNodes := plan.Wanted()
			use, err := useOfRun(cmd, &r, onNodes)
			if err != nil {
				return err
			}
			if err := command.CheckScopes(cmd, runScopes, use); err != nil {
				return err
			}
			if onNodes {
				var print func(string, time.Duration) error
				if stats {
					print = func(trace string, wall time.Duration) error {
						return printStats(cmd, new(report.Summary), nil, trace, wall)
					}
				}
				return plan.Run(cmd, r, out, print)
			}
			if build.IsFolder(r.Program) {
				return runFolder(cmd, r, out, stats, open)
			}
			if !open {
				return run(cmd, r, out, stats, nil)
			}
			return runOpen(cmd, r, out, stats)
		},
	}
	f := cmd.Flags()
	program.GoalFlag(cmd, &r)
	program.ModeFlag(cmd, &r)
	f.Int64Var(&r.Slice, "slice", 0, "live: let the goals of a PE take turns of this many `reductions`, the oldest first; 0 for the order of the policy")
	program.PolicyFlags(cmd, &r)
	program.MachineFlags(cmd, &r)
	f.StringVarP(&out, "output", "o", "", "keep the trace in `FILE`.whorl")
	f.StringArrayVar(&r.Speeds, "speed", nil, "simulated: run a procedure, a function or a line faster or slower, as in `NAME=2` or 0.5; repeat it for more")
	f.StringArrayVar(&r.Break, "break", nil, "HPF: stop before the statements of `FILE:LINE` and print their variables on every processor; repeat it for more")
	f.StringArrayVarP(&r.Defines, "define", "D", r.Defines, "HPF: define a macro of the preprocessor, as `NAME` or NAME=VALUE; repeat it for more")
	f.BoolVar(&r.CheckIndependent, "check-independent", false, "HPF: check INDEPENDENT loops, and stop where two iterations depend on each other")
	f.DurationVar(&r.Sample, "sample", 0, "HPF: virtual `time` between two samples of a processor (default 100us)")
	f.BoolVar(&open, "open", false, "show the run in a window while it goes on")
	f.BoolVar(&stats, "stats", false, "print the numbers of the run after the answer")
	program.HostFlag(cmd)
	program.FilesFlag(cmd)
	program.LimitFlags(cmd, &r)
	program.AllFlag(cmd)
	plan.Flags(cmd)
	return cmd
}

// run makes a run. The display that begin returns shows it, unless begin is nil. The trace goes to the file out, or to memory if only --stats
// needs it.
func run(cmd *cobra.Command, r experiment.Run, out string, stats bool, begin func() (display, error)) error {
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
	}
	prepared, err := program.Resolve(cmd, &r)
	if err != nil {
		return err
	}
	prepared.World = program.World(cmd)
	program.NoteWarnings(cmd, prepared)
	promptAtStops(cmd, prepared)
	var shown display
	if begin != nil {
		if shown, err = begin(); err != nil {
			return err
		}
	}
	var rec *store.Writer
	var source tracer.Source
	switch {
	case out != "":
		err := command.Await(cmd.Context(), func(*files.Writer) (err error) {
			rec, err = open.Create(out)
			return err
		})
		if err != nil {
			return err
		}
	case stats:
		g := store.NewGrowing()
		rec, source = store.New(g), g
	}
	summary := new(report.Summary)
	if stats && r.Mode != experiment.Live && r.Limits.Memory == 0 { // else the numbers must not take time or memory of the run
		rec.Watch(summary.Add)
	}

	var result *experiment.Result
	if shown != nil {
		result, err = shown.show(cmd, session.New(prepared, rec), complete(prepared))
	} else {
		result, err = program.Record(cmd, prepared, rec, out)
	}
	if result != nil && result.Answer != "" { // even if the trace could not be written
		fmt.Fprintln(cmd.OutOrStdout(), result.Answer)
	}
	if err != nil {
		return err
	}
	if stats {
		if err := printStats(cmd, summary, source, out, result.Wall); err != nil {
			return err
		}
	}
	return program.Ended(result, out)
}

// printStats prints the numbers of a run from its summary, and from its trace: source, or else the file path. After an interrupted run it prints
// them too.
func printStats(cmd *cobra.Command, summary *report.Summary, source tracer.Source, path string, wall time.Duration) error {
	if cmd.Context().Err() != nil {
		return writeRunStats(cmd, summary, source, path, wall)
	}
	return command.Await(cmd.Context(), func(*files.Writer) error { return writeRunStats(cmd, summary, source, path, wall) })
}

func writeRunStats(cmd *cobra.Command, summary *report.Summary, source tracer.Source, path string, wall time.Duration) error {
	if source == nil {
		trace, err := new(traces.Reading).Open(cmd, path)
		if err != nil {
			return err
		}
		defer trace.Close()
		source = trace
	}
	s, err := summary.Finish(source)
	if err != nil {
		return err
	}
	ns := wall.Nanoseconds()
	s.WallNs = &ns
	return s.WriteTable(cmd.OutOrStdout())
}
