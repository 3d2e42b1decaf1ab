package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/tracer"
)

// An again describes the recorded run of a program that runs again itself in place of being replayed.
type again struct {
	elapsed    int64 // ns of the recorded run
	pes        int
	procedures []*experiment.Gain // what may take less time, for whatif
}

// onlyReplays lists the flags that a program which runs again does not have.
var onlyReplays = []string{"zero", "map", "anyway", "collectives"}

// onlyAgain is the reason why the program of a trace runs again itself.
const onlyAgain = "a trace does not contain the computations of goals"

// runAgain returns the run of the program of a trace in FGHC, with the choices of the flags.
func (x *replaying) runAgain(cmd *cobra.Command, path string, trace tracer.Source) (experiment.Run, error) {
	m := trace.Meta()
	r, err := experiment.Again(&m)
	if err != nil {
		return r, fmt.Errorf("%s: %s, so that its program would have to run again: %w", path, onlyAgain, err)
	}
	for _, name := range onlyReplays {
		if cmd.Flags().Changed(name) {
			return r, fmt.Errorf("--%s is for replays, and the program of %s runs again itself: %s", name, path, onlyAgain)
		}
	}
	from, to := trace.Span()
	x.again = again{elapsed: to - from, pes: r.PEs}
	if x.again.procedures, err = experiment.Procedures(trace); err != nil {
		return r, err
	}
	if cmd.Flags().Changed("machine") {
		r.Machine = x.run.Machine
	}
	if cmd.Flags().Changed("net") {
		r.Network = x.run.Network
	}
	if cmd.Flags().Changed("seed") {
		r.Seed = x.run.Seed
	}
	if x.run.PEs > 0 {
		r.PEs = x.run.PEs
	}
	if x.run.Policy != "" {
		r.Policy = x.run.Policy
	}
	r.Speeds = append(r.Speeds, x.run.Speeds...)
	r.Limits = x.run.Limits
	return r, nil
}

// write prints the time of a run in place of a replay.
func (a *again) write(w io.Writer, r experiment.Run, result *experiment.Result) error {
	if result.Outcome == tracer.Failed {
		return nil // its error says what there is to say
	}
	took, program := figures.Duration(result.Machine.Elapsed), strings.Join(append([]string{r.Program}, r.Args...), " ")
	if result.Outcome != tracer.Done {
		took += " when the run ended early"
	}
	_, err := fmt.Fprintf(w, "recorded    %s on %s\nrun again   %s itself: "+onlyAgain+"\nmachine     %s, %s, %s, %s\ntime        %s\n",
		figures.Duration(a.elapsed), figures.Counted(int64(a.pes), "PE"), program, figures.Counted(int64(r.PEs), "PE"), r.Policy, r.Network, r.Machine, took)
	return err
}
