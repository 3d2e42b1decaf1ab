package cli

import (
	"fmt"
	"whorl/internal/nearest"

	"github.com/spf13/cobra"
)

// newRoot returns the whole command, fresh for each call of Main.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "whorl",
		Short: "Run parallel programs on simulated processors and see what happened",
		Long: `Whorl runs parallel programs on any number of processing elements (PEs), simulated in virtual time under a scheduling policy
of your choice, records everything that happens in a trace, and draws the trace.`,
		Example: `  whorl run pascal --pes 5 --stats            # Pascal's triangle on 5 PEs, with its numbers
  whorl run pascal --pes 5 -o pascal.whorl    # the same, with a trace
  whorl render pascal.whorl --view kaleidoscope --color time -o pascal.svg
  whorl run sort.fghc --goal 'qsort([2,1,4,5,3],X)'
  whorl compare pascal --pes 1,2,4,8 --policy on-demand,steal
  whorl list policies`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,

		PersistentPreRunE: checkFlags,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nearest.Unknown("command", args[0], commandNames(cmd))
			}
			return cmd.Help()
		},
	}
	root.AddCommand(newRun(), newBuild(), newCompare(), newTrace(), newRepl(), newCheck(), newFmt(), newDTS(), newHPF(), newRecord(), newStats(), newRender(), newSonify(), newConvert(), newDump(), newView(), newServe(), newNode(), newList(), newMan())
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveDefault)
	return root
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return append(names, "help")
}

// exactly takes n arguments and names what is missing.
func exactly(what ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(what) {
			return fmt.Errorf("%s needs %s (see %s --help)", cmd.CommandPath(), what[len(args)], cmd.CommandPath())
		}
		if len(args) > len(what) {
			return fmt.Errorf("%s does not know what to do with %s (see %s --help)", cmd.CommandPath(), nearest.Quote(args[len(what)]), cmd.CommandPath())
		}
		return nil
	}
}
