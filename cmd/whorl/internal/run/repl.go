package run

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/prompt"
	"whorl/cmd/whorl/internal/repl"
	"whorl/experiment"
	"whorl/internal/files"
)

func newRepl() *cobra.Command {
	r := experiment.Defaults("")
	cmd := &cobra.Command{
		Use:   "repl [FILE...]",
		Short: "Run goals at a prompt",
		Long: `Read source files, then goals, one on each line. Run each goal as whorl run does, and print its answer or why it fails.

A line with :- adds a clause to the program, and so does a fact with a full stop whose procedure is in no file; every other line is a goal.
:load FILE adds a file, :reload reads all files again, :pes, :policy and :mode set how goals run, :trace on shows each step, :stats prints the
numbers of the last run, and :help lists all commands.

Ctrl-C ends a goal, and the session goes on; if the goal does not end, a second Ctrl-C ends whorl. Tab completes procedures, builtins, files
and commands. The history is kept in $XDG_STATE_HOME/whorl, or ~/.local/state/whorl. Without a terminal, lines come from standard input and
there is no prompt.`,
		Example: "  whorl repl sort.fghc\n  echo 'qsort([2,1],X)' | whorl repl sort.fghc --mode live",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			program.Describe(cmd, &r, nil)
			session, err := repl.New(r)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				var shown string
				err := command.Await(cmd.Context(), func(*files.Writer) (err error) {
					shown, err = session.Load(args)
					return err
				})
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.ErrOrStderr(), command.Printable(shown))
			}
			return prompt.Converse(cmd, session, program.World(cmd))
		},
	}
	program.ModeFlag(cmd, &r)
	program.PolicyFlags(cmd, &r)
	program.MachineFlags(cmd, &r)
	program.HostFlag(cmd)
	return cmd
}
