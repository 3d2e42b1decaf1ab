package source

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/files"
)

func newHPF() *cobra.Command {
	var listing bool
	var defines []string
	processors := 4
	cmd := &cobra.Command{
		Use:   "hpf --listing FILE...",
		Short: "Show how a program in High Performance Fortran runs on its processors",
		Long: `Compile a program in High Performance Fortran and write, with --listing, how each processor runs each line: the distribution of its arrays,
the loops that run in parallel and why, the communication before the line (a shift of the edges of blocks, a broadcast, an exchange of
sections, a gather by index arrays, a reduction), and the instructions of a pseudo-assembler with their costs in abstract instructions. The
instructions between own and next are those for one of the elements that a processor owns.`,
		Example: "  whorl hpf --listing jacobi.hpf\n  whorl hpf --listing jacobi.hpf --pes 16",
		Args: func(cmd *cobra.Command, args []string) error {
			return command.Exactly("a file")(cmd, args[:min(len(args), 1)]) // and more files of the same program
		},
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if !listing {
				return errors.New("hpf needs --listing")
			}
			if err := experiment.CheckPEs(processors); err != nil {
				return fmt.Errorf("--pes: %w", err)
			}
			return experiment.ListHPF(cmd.OutOrStdout(), args, processors, defines)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&listing, "listing", false, "write the pseudo-assembler and the communication of each line")
	f.IntVar(&processors, "pes", processors, "`number` of processors")
	f.StringArrayVarP(&defines, "define", "D", nil, "define a macro of the preprocessor, as `NAME` or NAME=VALUE; repeat it for more")
	return cmd
}
