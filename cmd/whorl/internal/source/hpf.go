package source

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/hpfsim/lower"
	"whorl/internal/files"
)

func newHPF() *cobra.Command {
	var listing, report bool
	var defines []string
	processors := 4
	cmd := &cobra.Command{
		Use:   "hpf (--listing | --report) FILE...",
		Short: "Show how a program in High Performance Fortran runs on its processors",
		Long: `Compile a program in High Performance Fortran and write, with --listing, how each processor runs each line: the distribution of its arrays,
the loops that run in parallel and why, the communication before the line (a shift of the edges of blocks, a broadcast, an exchange of
sections, a gather by index arrays, a reduction), and the instructions of a pseudo-assembler with their costs in abstract instructions. The
instructions between own and next are those for one of the elements that a processor owns.

With --report, write a table of the loops, FORALL, WHERE and assignments to arrays instead: who executes each, how many iterations or elements each
processor has where that is known before the run, why a loop is not shared out and which line prevents it, remappings, and the messages before each
statement with the loops that they were taken out of.`,
		Example: "  whorl hpf --listing jacobi.hpf\n  whorl hpf --listing jacobi.hpf --pes 16\n  whorl hpf --report jacobi.hpf",
		Args: func(cmd *cobra.Command, args []string) error {
			return command.Exactly("a file")(cmd, args[:min(len(args), 1)]) // and more files of the same program
		},
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if listing == report {
				return errors.New("hpf needs --listing or --report")
			}
			if err := experiment.CheckPEs(processors); err != nil {
				return fmt.Errorf("--pes: %w", err)
			}
			write := lower.Listing
			if report {
				write = lower.Report
			}
			return experiment.ListHPF(cmd.OutOrStdout(), args, processors, defines, write)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&listing, "listing", false, "write the pseudo-assembler and the communication of each line")
	f.BoolVar(&report, "report", false, "write a table: who executes each statement, and why loops are not shared out")
	f.IntVar(&processors, "pes", processors, "`number` of processors")
	f.StringArrayVarP(&defines, "define", "D", nil, "define a macro of the preprocessor, as `NAME` or NAME=VALUE; repeat it for more")
	return cmd
}
