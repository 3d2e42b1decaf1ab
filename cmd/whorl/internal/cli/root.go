package cli

import (
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/nodes"
	"whorl/internal/nearest"

	"github.com/spf13/cobra"
)

// newRoot returns the whorl command with all its commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "whorl",
		Short: "Run parallel programs on simulated processors and see what happened",
		Long: `Whorl runs parallel programs on any number of processing elements (PEs), on a simulated machine or on real cores, under a scheduling
policy of your choice. It records everything that happens in a trace and draws the trace.`,
		Example: `  whorl run pascal --pes 5 --stats            # Pascal's triangle on 5 PEs, with the numbers of the run
  whorl run pascal --pes 5 -o pascal.whorl    # the same, and keep the trace
  whorl render pascal.whorl --view kaleidoscope --color time -o pascal.svg
  whorl run sort.fghc --goal 'qsort([2,1,4,5,3],X)'
  whorl compare pascal --pes 1,2,4,8 --policy on-demand,steal
  whorl list policies`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,

		PersistentPreRunE: command.CheckFlags,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nearest.Unknown("command", args[0], commandNames(cmd))
			}
			return cmd.Help()
		},
	}
	root.AddCommand(newRun(), newBuild(), newCompare(), newTrace(), newRepl(), newCheck(), newFmt(), newDTS(), newHPF(), newRecord(), newStats(), newRender(), newSonify(), newConvert(), newDump(), newView(), newServe(), nodes.NewCommand(), newList(), newMan())
	root.SetFlagErrorFunc(command.FlagError)
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
