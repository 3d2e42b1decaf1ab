package compare

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/replay"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

func newReplay() *cobra.Command {
	x := &replaying{run: experiment.Run{Seed: 1}}
	cmd := &cobra.Command{
		Use:   "replay TRACE",
		Short: "Run the program in a trace again: on other machines, on more PEs, under other policies",
		Long: `Run the program that a trace has recorded on simulated PEs. Its tasks compute, fork, wait, wake each other and send messages as in the
trace; the machine and the policy determine when and where. The trace may be one of Whorl or of a real program: a Go execution trace, MPI and OpenMP
in OTF2, a build, spans, and others (whorl list formats). In place of a trace, a schedule in GOAL is a program of ranks. So are the execution traces
of Chakra of all ranks: a folder with files PREFIX.RANK.et, or one of these files.

For one number of PEs and one policy, print the time that the program takes, with a range. The range begins at the least time of any schedule,
max(work / PEs, span). If the trace does not contain all waits, it ends at the time of the recorded order. For several numbers or policies, print a
table like that of whorl compare, and with --picture draw the runs side by side. The column "above bound" compares a time with the least time. Under
the policy oracle, a PE takes the ready task with the longest remaining path.

A trace does not contain the computations of the goals of a program in FGHC. The program itself runs again, if it is a benchmark or one file whose
text is in the trace.

A trace of real PEs or of processes is first replayed on its own PEs. If that differs from the recording by more than 15 %, whorl says why the replay
would be a guess, and makes it with --anyway only.

The machine is by default the one that the trace comes from: a machine of Whorl, or one with the costs of waking a task that the trace shows.
Tasks that stay on one PE and send messages, such as the processes of MPI, stay on the PE that --map gives them, under the policy static: block
places neighbours side by side, cyclic places processes on the PEs in turn, found searches for few bytes times hops, and a file has the number of
a PE for each process.`,
		Example: `  whorl replay server.trace --pes 8
  whorl replay fib.whorl --pes 1,2,4,8,16,64 --policy steal,on-demand,oracle
  whorl replay stencil.otf2 --machine cluster --net torus2d --map found -o stencil.whorl
  whorl replay dissemination_16.goal --machine loggopsim:latency=1us -o dissemination.whorl
  whorl replay fib.whorl --pes 2,4 --policy steal,oracle --picture fib.svg --view timeline
  whorl replay server.trace --speed main.parse=2 --zero network --stats`,
		Args: command.Exactly("a trace"),
		RunE: func(cmd *cobra.Command, args []string) error { return x.replay(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&x.pes, "pes", "", "`numbers` of PEs, each 1 to 1,048,576, separated by commas (default that of the trace)")
	f.StringSliceVar(&x.policies, "policy", nil, "scheduling `policies`, separated by commas (whorl list policies), goroutines, oracle, or all (default by the trace)")
	x.flags(cmd)
	f.StringVarP(&x.out, "output", "o", "", "one replay: keep its trace in `FILE`.whorl")
	f.BoolVar(&x.stats, "stats", false, "one replay: print the numbers of whorl stats")
	f.StringVar(&x.format, "format", "table", "several replays: `format` table, csv or json")
	x.picture.flags(cmd)
	command.Complete(cmd, "policy", append(program.Names(append(experiment.ReplayPolicies(), experiment.PolicyOptions()...)), "all"))
	command.Complete(cmd, "format", compareFormats)
	return cmd
}

// flags adds the flags that all replays have.
func (x *replaying) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	program.MachineFlags(cmd, &x.run)
	f.StringArrayVar(&x.run.Speeds, "speed", nil, "run a function faster or slower, as in `NAME=2` or 0.5; repeat it for more")
	f.StringArrayVar(&x.run.Zero, "zero", nil, "let no task wait for this `reason`, lock or class of messages, such as mutex, lock 3 or network; repeat it for more")
	f.StringVar(&x.run.Map, "map", "", "processes: `placement` on PEs: block, cyclic, found, or a file with the PE of each")
	f.DurationVar(&x.run.Limits.Time, "max-time", 0, "stop each replay after this much real `time`: 10s, 2m")
	f.Var(&command.Memory{Bytes: &x.run.Limits.Memory}, "max-memory", "`memory` that whorl may use: 500M, 2G; operations beyond half of it go to a temporary file, and what needs more stops")
	f.BoolVar(&x.anyway, "anyway", false, "replay also where the result is a guess")
	x.reading = traces.Flags(cmd)
	f.StringVar(&x.schedule.Collectives, "collectives", "", "MPI, Chakra: collective operations as `recorded`, or as messages whose all-reduce operations are a ring or doubling (default: traces recorded, Chakra ring)")
	command.Complete(cmd, "collectives", experiment.CollectiveAlgorithms)
	command.Complete(cmd, "map", []string{"block", "cyclic", "found"})
}

// A replaying holds the flags of whorl replay.
type replaying struct {
	run           experiment.Run
	pes           string
	policies      []string
	out, format   string
	stats, anyway bool
	picture       picture
	again         again
	reading       *traces.Reading
	schedule      experiment.ScheduleOptions
}

// read reads the program in a trace.
func (x *replaying) read(cmd *cobra.Command, path string) (experiment.Run, error) {
	r := x.run
	r.Program, r.Trace = path, true
	if f := experiment.FindSchedule(path); f != nil {
		err := command.Await(cmd.Context(), func(*files.Writer) (err error) {
			r.Recorded, err = f.Read(path, x.schedule)
			return err
		})
		if err != nil {
			return r, err
		}
		for _, why := range r.Recorded.Doubts {
			fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", path, why)
		}
		return r, nil
	}
	trace, err := x.reading.OpenWhole(cmd, path)
	if err != nil {
		return r, err
	}
	defer trace.Close()
	if trace.Meta().Substrate == "fghc" {
		return x.runAgain(cmd, path, trace)
	}
	err = command.Await(cmd.Context(), func(*files.Writer) (err error) {
		r.Recorded, err = experiment.ReadRecorded(trace, experiment.RecordedOptions{Memory: x.run.Limits.Memory, Collectives: x.schedule.Collectives})
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if errors.As(err, new(*replay.MemoryError)) {
		err = command.Exit(command.ExitLimit, err)
	}
	return r, err
}

func (x *replaying) replay(cmd *cobra.Command, path string) error {
	if err := command.OneOf("format", x.format, compareFormats); err != nil {
		return err
	}
	if x.out != "" {
		if err := open.CheckName(x.out); err != nil {
			return err
		}
	}
	r, err := x.read(cmd, path)
	if err != nil {
		return err
	}
	g := experiment.Grid{Base: r, PEs: []int{r.PEs}, Policies: []string{r.Policy}, Note: x.kind(r)}
	if r.Recorded != nil {
		g.PEs, g.Policies = []int{r.Recorded.PEs}, []string{r.Recorded.Policy()}
	}
	if x.pes != "" {
		if g.PEs, err = parsePEs(x.pes); err != nil {
			return err
		}
	}
	switch {
	case len(x.policies) == 1 && x.policies[0] == "all" && r.Recorded == nil:
		g.Policies = program.Names(experiment.Policies())
	case len(x.policies) == 1 && x.policies[0] == "all":
		g.Policies = program.Names(experiment.ReplayPolicies())
	case len(x.policies) > 0:
		g.Policies = x.policies
	}
	single := len(g.PEs) == 1 && len(g.Policies) == 1
	if err := command.CheckScopes(cmd, replayScopes, replayUse{single, x.picture.out != ""}); err != nil {
		return err
	}
	if err := x.picture.check(cmd, g); err != nil {
		return err
	}
	own, err := x.own(cmd, r.Recorded)
	if err != nil {
		return err
	}
	if single {
		return x.one(cmd, g, own)
	}
	return compare(cmd, g, x.format, &x.picture)
}

// own replays a trace of real PEs or of processes as it was recorded, and returns the time that the replay takes, 0 for other traces. The error is for
// a replay that differs too much.
func (x *replaying) own(cmd *cobra.Command, d *experiment.Recorded) (int64, error) {
	if d == nil || d.Elapsed == 0 || !d.Measured && !d.Pinned { // schedules have no time of their own, and threads of a simulated run are replayed exactly
		return 0, nil
	}
	err := d.MeasureOwn(cmd.Context())
	took := d.Own
	if err != nil {
		return 0, command.Exit(command.ExitFailed, fmt.Errorf("the trace as it was recorded: %w", err))
	}
	if off := math.Abs(float64(took-d.Elapsed)) / float64(max(1, d.Elapsed)); 100*off <= experiment.Guess {
		for _, why := range d.Faults() {
			fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", why)
		}
		return took, nil
	}
	text := fmt.Sprintf("replayed on %s, as it was recorded, the program takes %s in place of %s: other replays would be guesses", figures.Counted(int64(d.PEs), "PE"),
		figures.Duration(took), figures.Duration(d.Elapsed))
	for _, why := range d.Doubts {
		text += "\n- " + why
	}
	if len(d.Doubts) == 0 {
		text += "\n- the trace shows no reason for that: something delays its tasks that is not in it"
	}
	if x.anyway {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", text)
		return took, nil
	}
	return 0, command.Exit(command.ExitFailed, errors.New(text+"\n--anyway replays it all the same"))
}

// one makes a replay and prints its time, in the range of possible ones.
func (x *replaying) one(cmd *cobra.Command, g experiment.Grid, own int64) error {
	r := g.Base
	r.PEs, r.Policy = g.PEs[0], g.Policies[0]
	p, err := program.Resolve(cmd, &r)
	if err != nil {
		return err
	}
	r = p.Description
	var paths replay.Paths
	if r.Recorded != nil {
		if paths, err = p.Paths(); err != nil {
			return err
		}
	}
	var rec *store.Writer
	var source tracer.Source
	switch {
	case x.out != "":
		if rec, err = open.Create(x.out); err != nil {
			return err
		}
	case x.stats:
		grown := store.NewGrowing()
		rec, source = store.New(grown), grown
	}
	result, err := program.Record(cmd, p, rec, x.out)
	if err != nil {
		return err
	}
	if r.Recorded == nil {
		err = x.again.write(cmd.OutOrStdout(), r, result)
	} else {
		var within experiment.Range
		if result.Outcome == tracer.Done {
			within, err = r.Recorded.Range(cmd.Context(), r, paths, result.Machine.Elapsed)
		}
		if err == nil {
			err = x.write(cmd.OutOrStdout(), r, paths, result, own, within)
		}
	}
	if err != nil {
		return err
	}
	if x.stats {
		if source == nil {
			trace, err := new(traces.Reading).Open(cmd, x.out)
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
		fmt.Fprintln(cmd.OutOrStdout())
		if err := s.WriteTable(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	return program.Ended(result, x.out)
}

// kind tells whether runs are replays, or runs of the program itself.
func (x *replaying) kind(r experiment.Run) string {
	if r.Recorded == nil {
		return "runs of the program itself: " + onlyAgain
	}
	return "replays " + replayOf(r.Recorded)
}

// replayOf tells what a replay is of.
func replayOf(d *experiment.Recorded) string {
	switch {
	case d.Elapsed == 0:
		return "of the schedule"
	case d.Exact():
		return "of the trace, with the events that the program itself would have"
	}
	return "of the trace"
}

// write prints the result of a replay.
func (x *replaying) write(w io.Writer, r experiment.Run, paths replay.Paths, result *experiment.Result, own int64, within experiment.Range) error {
	d := r.Recorded
	took, least := result.Machine.Elapsed, paths.Bound(r.PEs)
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s"+format+"\n", append([]any{name}, args...)...)
	}
	row("replay", "%s", replayOf(d))
	if d.Elapsed > 0 { // a schedule has no time of its own
		row("recorded", "%s on %s", figures.Duration(d.Elapsed), figures.Counted(int64(d.PEs), "PE"))
	}
	if own > 0 {
		row("replayed", "%s on %s, %s", figures.Duration(own), figures.Counted(int64(d.PEs), "PE"), signed(float64(own-d.Elapsed)/float64(max(1, d.Elapsed))))
	}
	row("program", "%s of work, the longest path %s: parallelism %s", figures.Duration(paths.Work), figures.Duration(paths.Span), figures.Fixed(float64(paths.Work)/float64(max(1, paths.Span)), 1))
	row("machine", "%s, %s, %s, %s", figures.Counted(int64(r.PEs), "PE"), r.Policy, r.Network, r.Machine)
	if result.Outcome != tracer.Done {
		row("time", "%s when the replay ended early", figures.Duration(took))
		_, err := io.WriteString(w, b.String())
		return err
	}
	row("time", "%s", figures.Duration(took))
	row("range", "%s to %s", figures.Duration(within.From), figures.Duration(within.To))
	if ns, ok := paths.Greedy(r.PEs); ok {
		row("greedy", "at most %s if no PE is idle while a task is ready and communication takes no time", figures.Duration(ns))
	}
	if least > 0 {
		row("above bound", "%s", figures.Share(float64(took)/float64(least)-1, 1))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func signed(share float64) string {
	text := strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
	if share >= 0 {
		text = "+" + text
	}
	return text
}
