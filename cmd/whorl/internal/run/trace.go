package run

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/experiment"
)

func newTrace() *cobra.Command {
	r := experiment.Defaults("")
	var want experiment.Steps
	cmd := &cobra.Command{
		Use:   "trace PROGRAM [ARGS] [-- PROGRAM'S ARGS]",
		Short: "Run a program and print the steps of its goals",
		Long: `Run a program on simulated PEs like whorl run, and print a line for each step of a goal: virtual time in ns, PE, number of the goal, step,
place in the source, and the goal in its state after the step.

CALL is the first attempt. REDUCE is a commit to the clause at that place; the numbers after -> are those of its body goals, and the goal
shows the bindings of the body. SUSPEND lists the variables that the goal waits for; RESUME names the goal that bound one of them. FAIL says
why the goal failed. END is the end of a builtin that waited. WAIT, at the end, lists goals that wait for ever.

Goals are indented by their depth in the tree of calls, long arguments are cut, and a variable has the same name in all lines. The exit status
is that of whorl run, and 3 if --length ended the run.`,
		Example: `  whorl trace sort.fghc --goal 'qsort([2,1,4,5,3],X)' --pes 1
  whorl trace queens 4 --spy place/5 --spy safe/4 --length 100
  whorl trace pascal 4 --depth 3`,
		Args:              command.AtLeast("a program"),
		ValidArgsFunction: program.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			program.Describe(cmd, &r, args)
			return traceRun(cmd, r, want)
		},
	}
	f := cmd.Flags()
	program.GoalFlag(cmd, &r)
	f.IntVar(&want.Depth, "depth", 0, "leave out goals below this `level` of the tree of calls; the goals of the query have level 1")
	f.IntVar(&want.Length, "length", 0, "stop after this many `lines`")
	f.StringArrayVar(&want.Spy, "spy", nil, "print only goals of this `procedure`, name/arity, and their callers; repeat it for more")
	program.PolicyFlags(cmd, &r)
	program.MachineFlags(cmd, &r)
	program.HostFlag(cmd)
	program.LimitFlags(cmd, &r)
	return cmd
}

func traceRun(cmd *cobra.Command, r experiment.Run, want experiment.Steps) error {
	prepared, err := program.Resolve(cmd, &r)
	if err != nil {
		return err
	}
	program.NoteWarnings(cmd, prepared)
	prepared.World = program.World(cmd)
	result, err := printSteps(cmd, prepared, want)
	if err != nil {
		return err
	}
	if result.Answer != "" {
		fmt.Fprintln(cmd.OutOrStdout(), result.Answer)
	}
	return program.Ended(result, "")
}

// printSteps runs a program and prints its steps. It shows the progress if the steps do not go to the terminal.
func printSteps(cmd *cobra.Command, prepared *experiment.Prepared, want experiment.Steps) (*experiment.Result, error) {
	if command.OnTerminal(cmd.OutOrStdout()) {
		return prepared.Trace(cmd.Context(), cmd.OutOrStdout(), want, nil)
	}
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	return prepared.Trace(cmd.Context(), cmd.OutOrStdout(), want, line.Report)
}
