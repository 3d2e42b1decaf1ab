package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/files"
)

func newTrace() *cobra.Command {
	r := experiment.Defaults("")
	var want experiment.Steps
	cmd := &cobra.Command{
		Use:   "trace PROGRAM [ARGS] [-- PROGRAM'S ARGS]",
		Short: "Run a program and print what becomes of each goal",
		Long: `Run a program on simulated PEs as whorl run does, and print a line for each thing that happens to a goal: virtual time in ns, PE, number
of the goal, what happened, where in the source, and the goal as it stands then.

CALL is its first attempt. REDUCE is a commit to the clause at that place; behind -> are the numbers of the goals that its body calls, and
what the body has bound can be seen in the goal. SUSPEND is for the variables that have to be bound first, RESUME is by the goal that has
bound one. FAIL says why the goal cannot go on. END is of a builtin that has waited. Goals that wait for ever are the last lines: WAIT.

Goals are indented by their depth in the tree of calls, arguments are shortened, and a variable has one name in all lines. The exit status
is that of whorl run; it is 3 where --length has ended the run.`,
		Example: `  whorl trace sort.fghc --goal 'qsort([2,1,4,5,3],X)' --pes 1
  whorl trace queens 4 --spy place/5 --spy safe/4 --length 100
  whorl trace pascal 4 --depth 3`,
		Args:              aProgram,
		ValidArgsFunction: programs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := describe(cmd, &r, args); err != nil {
				return err
			}
			return traceRun(cmd, r, want)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.Goal, "goal", "", "`query` to run: of a source file, or instead of a benchmark's own")
	f.IntVar(&want.Depth, "depth", 0, "leave out goals that are deeper in the tree of calls; the `level` of the query is 1")
	f.IntVar(&want.Length, "length", 0, "stop after so many `lines`")
	f.StringArrayVar(&want.Spy, "spy", nil, "only goals of this `procedure`, name/arity, and who called them; may be given several times")
	machineFlags(cmd, &r)
	limitFlags(cmd, &r)
	return cmd
}

func traceRun(cmd *cobra.Command, r experiment.Run, want experiment.Steps) error {
	var prepared *experiment.Prepared
	err := await(cmd.Context(), func(*files.Writer) (err error) {
		prepared, err = r.Resolve()
		return err
	})
	if err != nil {
		return err
	}
	warned(cmd, prepared)
	prepared.World = world(cmd)
	result, err := followed(cmd, prepared, want)
	if err != nil {
		return err
	}
	if result.Answer != "" {
		fmt.Fprintln(cmd.OutOrStdout(), result.Answer)
	}
	return ended(result, "")
}

// followed carries out a run of which the steps are printed, with progress where these do not go to the terminal.
func followed(cmd *cobra.Command, prepared *experiment.Prepared, want experiment.Steps) (*experiment.Result, error) {
	if onTerminal(cmd.OutOrStdout()) {
		return prepared.Trace(cmd.Context(), cmd.OutOrStdout(), want, nil)
	}
	line := newProgress(cmd.ErrOrStderr())
	defer line.done()
	prepared.World.Stderr = line.before(prepared.World.Stderr)
	return prepared.Trace(cmd.Context(), cmd.OutOrStdout(), want, line.report)
}
