package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

func newRun() *cobra.Command {
	r := experiment.Defaults("")
	var out string
	var stats, open bool
	var hosts hostsPlan
	cmd := &cobra.Command{
		Use:   "run PROGRAM [ARGS] [-- PROGRAM'S ARGS]",
		Short: "Run a program on simulated PEs, or on real cores, and print its answer",
		Long: `Run a program on N simulated PEs under a scheduling policy, print its answer, and keep a trace of it if one is wanted.

PROGRAM is a benchmark, whose ARGS are its sizes, a source file (.fghc, .kl1), for which --goal gives the query, one in High Performance
Fortran (.hpf, .f, .for, .f90), behind which more files of it may stand, or a folder. What is simulated is decided by the program, the machine,
the policy and the seed alone: the same run gives the same trace, to the byte.

A program can read the standard input and print (klicio:klicio, io:outstream, unix:unix); what stands behind -- is for unix:argv.

A folder is a Go program that uses whorl/dts, which is built and run with ARGS; the flags say what its dts.Run does where its options are
zero. It needs the go command, and a go.mod that leads to Whorl's source, or none at all. With --open its trace is shown when it has ended.

With --mode live each PE is a goroutine on the real cores, in real time, under the same policies: the answer is the same, and fast.

With --nodes a program of threads (dts/..., or a folder whose program calls cluster.Run) runs on several processes of this host, as it would
on several hosts, with --pes each; --listen lets other hosts join (whorl node). With --join it runs on the nodes of a cluster that is there.

A run ends early at a limit (exit status 3) or with Ctrl-C (130); what happened until then is in the trace.

With --open a window shows the run while it goes on, and can pause, step and stop it. The answer is printed when the run has ended; the
window stays. Closing the window before lets the run go on to its end without it. Where there can be no window, the trace is served as a
page when the run has ended.`,
		Example: `  whorl run fghc/pascal --pes 5 --stats
  whorl run queens 6 --pes 64 --policy steal-half --net mesh2d -o queens.whorl
  whorl run sort.fghc --goal 'qsort([2,1,4,5,3],X)'
  whorl run jacobi.hpf --pes 16 --net mesh2d --sample 10us -o jacobi.whorl
  whorl run count.kl1 words.kl1 -- -v < text
  whorl run queens 8 --pes 16 --open
  whorl run ./mine 1000 --mode live --stats
  whorl run dts/nqueens 10 --nodes 3 -o queens.whorl`,
		Args:              aProgram,
		ValidArgsFunction: programs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := describe(cmd, &r, args); err != nil {
				return err
			}
			if hosts.wanted() {
				return runHosts(cmd, &hosts, r, out, stats, open)
			}
			if isFolder(r.Program) {
				return runFolder(cmd, r, out, stats, open)
			}
			if !open {
				return run(cmd, r, out, stats, "")
			}
			window, err := findWindow()
			if err == nil {
				err = run(cmd, r, out, stats, window)
			}
			if errors.Is(err, errNoWindow) {
				return runThenServe(cmd, r, out, stats, err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.Goal, "goal", "", "`query` to run: of a source file, or instead of a benchmark's own")
	modeFlag(cmd, &r)
	sliceFlag(cmd, &r)
	machineFlags(cmd, &r)
	f.StringVarP(&out, "output", "o", "", "keep the trace in `FILE`.whorl")
	f.StringArrayVar(&r.Break, "break", nil, "of a program in HPF: stop before the statements of `FILE:LINE` and show what every processor holds; repeat it for more")
	f.BoolVar(&r.CheckIndependent, "check-independent", false, "of a program in HPF: watch loops that are said to be INDEPENDENT, and stop where two iterations meet")
	f.DurationVar(&r.Sample, "sample", 0, "of a program in HPF: virtual `time` between two samples of a processor (100us)")
	f.BoolVar(&open, "open", false, "show the run in a window while it goes on")
	f.BoolVar(&stats, "stats", false, "print the numbers of the run after the answer")
	limitFlags(cmd, &r)
	hostsFlags(cmd, &hosts)
	return cmd
}

// run carries out a described run, seen in the window of a program unless that is "". The trace goes to a file, to memory where only its
// numbers are wanted, or nowhere.
func run(cmd *cobra.Command, r experiment.Run, out string, stats bool, window string) error {
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
	}
	var prepared *experiment.Prepared
	err := await(cmd.Context(), func(*files.Writer) (err error) {
		prepared, err = r.Resolve()
		return err
	})
	if err != nil {
		return err
	}
	prepared.World = world(cmd)
	warned(cmd, prepared)
	atStops(cmd, prepared)
	var v *viewer
	if window != "" {
		if v, err = startViewer(window); err != nil {
			return err
		}
		defer v.Close()
	}
	var rec *store.Writer
	var source tracer.Source
	switch {
	case out != "":
		err := await(cmd.Context(), func(*files.Writer) (err error) {
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

	var result *experiment.Result
	if v != nil {
		result, err = runOpen(cmd, session.New(prepared, rec), v)
	} else {
		result, err = runAlone(cmd, prepared, rec, out)
	}
	if result != nil && result.Answer != "" { // also where its trace could not be written
		fmt.Fprintln(cmd.OutOrStdout(), result.Answer)
	}
	if err != nil {
		return err
	}
	if stats {
		if err := printStats(cmd, source, out, result.Wall); err != nil {
			return err
		}
	}
	return ended(result, out)
}

// warned says in one line how much is doubtful about a program; whorl check says what.
func warned(cmd *cobra.Command, p *experiment.Prepared) {
	n := "one warning"
	switch len(p.Warnings) {
	case 0:
		return
	case 1:
	default:
		n = fmt.Sprintf("%d warnings", len(p.Warnings))
	}
	d := p.Description
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: whorl check %s\n", n, strings.Join(append([]string{d.Program}, d.Args...), " "))
}

// runAlone carries out a run that nobody watches, and closes its trace.
func runAlone(cmd *cobra.Command, prepared *experiment.Prepared, rec *store.Writer, out string) (*experiment.Result, error) {
	line := newProgress(cmd.ErrOrStderr())
	defer line.done()
	prepared.World.Stdout, prepared.World.Stderr = line.before(prepared.World.Stdout), line.before(prepared.World.Stderr)
	if rec == nil {
		return prepared.Run(cmd.Context(), nil, line.report)
	}
	result, err := prepared.Run(cmd.Context(), rec, line.report)
	if closed := rec.Close(); closed != nil {
		return result, errors.Join(err, files.CannotFinish(out, closed))
	}
	return result, err
}

// printStats prints the numbers of the run that has just ended, from the trace in memory or in the file. An interrupt that ended the run
// is not meant for it.
func printStats(cmd *cobra.Command, source tracer.Source, path string, wall time.Duration) error {
	if cmd.Context().Err() != nil {
		return writeRunStats(cmd, source, path, wall)
	}
	return await(cmd.Context(), func(*files.Writer) error { return writeRunStats(cmd, source, path, wall) })
}

func writeRunStats(cmd *cobra.Command, source tracer.Source, path string, wall time.Duration) error {
	if source == nil {
		trace, err := openTrace(cmd, path)
		if err != nil {
			return err
		}
		defer trace.Close()
		source = trace
	}
	s, err := report.Summarise(source)
	if err != nil {
		return err
	}
	ns := wall.Nanoseconds()
	s.WallNs = &ns
	return s.WriteTable(cmd.OutOrStdout())
}

// ended turns the outcome of a run into an error with its exit status, nil for a run that is done.
func ended(result *experiment.Result, out string) error {
	status := max(exitFailed, result.Status)
	switch result.Outcome {
	case tracer.Done:
		return nil
	case tracer.Limited:
		status = exitLimit
	case tracer.Interrupted:
		status = exitInterrupted
	}
	err := result.Err
	if out != "" && result.Outcome != tracer.Failed {
		err = fmt.Errorf("%w; what happened until then is in %s", err, out)
	}
	return &statusError{status, err}
}
