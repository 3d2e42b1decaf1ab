package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"whorl/experiment"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Say what is wrong with a program, without running it",
		Long: `Read the source files of programs and say all that is wrong with them: file, line and column, the line itself and what was
expected there. Nothing is printed when all is well.`,
		Example: "  whorl check sort.fghc",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactly("a file")(cmd, args)
			}
			return nil
		},
		RunE: interruptible(func(_ *cobra.Command, args []string, _ *experiment.Files) error {
			var bad []error
			for _, path := range args {
				if err := experiment.Check(path); err != nil {
					bad = append(bad, err)
				}
			}
			return errors.Join(bad...)
		}),
	}
}
