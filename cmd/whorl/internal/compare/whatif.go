package compare

import (
	"cmp"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/experiment"
)

func newWhatIf() *cobra.Command {
	x := &replaying{run: experiment.Run{Seed: 1, PEs: experiment.OwnPEs}}
	most := experiment.MostRanked
	cmd := &cobra.Command{
		Use:   "whatif TRACE",
		Short: "Rank the parts of a recorded program by what it gains if they take less time",
		Long: `Replay the program in a trace as it is, and again with each of its functions taking 10, 25, 50 and 100 % less time, and without waits
for each reason, for each lock that package observe records, and for each class of messages. Print the gains as shares of the time of the program,
largest first, and the least time of any schedule when all of the part is saved. The time of a function is what it computes itself, without the
functions that it calls; in a Go trace, functions are regions of package runtime/trace and, with samples of the processor, those that they show.

The columns in between are for the 32 functions with the largest gains of at least 0.1 %. A program in FGHC runs again itself, with each of its
procedures taking less time. CSV and JSON have times in ns; unknown ones are empty or null.`,
		Example: `  whorl whatif server.trace
  whorl whatif build.actiongraph.json --pes 16
  whorl whatif stencil.otf2 --machine cluster --format csv`,
		Args: command.Exactly("a trace"),
		RunE: func(cmd *cobra.Command, args []string) error { return x.whatIf(cmd, args[0], most) },
	}
	f := cmd.Flags()
	f.IntVar(&x.run.PEs, "pes", x.run.PEs, "`number` of PEs, 1 to 1,048,576 (default that of the trace)")
	f.Lookup("pes").DefValue = "0"
	f.StringVar(&x.run.Policy, "policy", "", "scheduling `policy` (whorl list policies), goroutines or oracle (default by the trace)")
	x.flags(cmd)
	f.IntVar(&most, "functions", most, "`number` of functions to try, those that compute longest")
	f.StringVar(&x.format, "format", "table", "`format`: table, csv or json")
	command.Complete(cmd, "policy", program.Names(append(experiment.ReplayPolicies(), experiment.PolicyOptions()...)))
	command.Complete(cmd, "format", compareFormats)
	return cmd
}

// whatIf prints what the program gains if its parts take less time.
func (x *replaying) whatIf(cmd *cobra.Command, path string, most int) error {
	if err := command.OneOf("format", x.format, compareFormats); err != nil {
		return err
	}
	if most < 1 {
		return command.TooSmall("functions", int64(most))
	}
	r, err := x.read(cmd, path)
	if err != nil {
		return err
	}
	if d := r.Recorded; d != nil {
		r.Policy = cmp.Or(r.Policy, d.Policy())
		if r.PEs == experiment.OwnPEs {
			r.PEs = d.PEs
		}
	}
	if _, err := x.own(cmd, r.Recorded); err != nil {
		return err
	}
	p, err := program.Resolve(cmd, &r)
	if err != nil {
		return err
	}
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	parts := x.again.procedures
	if parts = parts[:min(most, len(parts))]; r.Recorded != nil {
		parts = r.Recorded.Parts(most)
	}
	elapsed, gains, err := experiment.WhatIf(cmd.Context(), r, parts, func(over, all int) { line.Say("%d of %d parts are over", over, all) })
	line.Done()
	if err != nil {
		return err
	}
	return writeComparison(cmd, &ranking{p.Description, x.kind(r), elapsed, gains}, x.format)
}
