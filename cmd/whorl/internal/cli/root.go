package cli

import (
	"fmt"
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/compare"
	"whorl/cmd/whorl/internal/draw"
	"whorl/cmd/whorl/internal/inspect"
	"whorl/cmd/whorl/internal/lesson"
	"whorl/cmd/whorl/internal/nodes"
	"whorl/cmd/whorl/internal/run"
	"whorl/cmd/whorl/internal/source"
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
				return unknownTopic(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	root.AddCommand(run.Commands()...)
	root.AddCommand(compare.Commands()...)
	root.AddCommand(draw.Commands()...)
	root.AddCommand(inspect.Commands()...)
	root.AddCommand(source.Commands()...)
	root.AddCommand(lesson.Commands()...)
	root.AddCommand(nodes.NewCommand(), newList(), newMan())
	for _, cmd := range root.Commands() {
		cmd.Flags().SortFlags = false
	}
	root.SetFlagErrorFunc(command.FlagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", command.HelpWidth)))
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveDefault)
	return root
}

// refuseUnknownTopics makes the commands help and completion of package cobra return an error for an unknown command or shell. The root command
// has its streams already.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			show := cmd.Run
			cmd.Run, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
				if topic, rest, _ := root.Find(args); len(rest) > 0 {
					return unknownTopic(topic, rest[0])
				}
				show(cmd, args)
				return nil
			}
		case "completion":
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknownTopic(cmd, args[0])
				}
				return cmd.Help()
			}
		}
	}
}

// unknownTopic returns the error for a word after a command that is not one of its commands.
func unknownTopic(cmd *cobra.Command, name string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			known = append(known, c.Name())
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("%s has no commands of its own, so no %s", cmd.CommandPath(), nearest.Quote(name))
	}
	kind := "command"
	if cmd.Name() == "completion" {
		kind = "shell"
	}
	return nearest.Unknown(kind, name, known)
}
