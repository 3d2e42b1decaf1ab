package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/sim"
)

func newHPF() *cobra.Command {
	var listing bool
	processors := 4
	cmd := &cobra.Command{
		Use:   "hpf --listing FILE...",
		Short: "Show what a program in High Performance Fortran becomes on its processors",
		Long: `Read a program in High Performance Fortran and write, with --listing, what each line becomes on every processor: how its arrays lie,
which loops run in parallel and why, what is sent before a line is computed (a shift of the edges of blocks, a broadcast, an exchange of
sections, a gathering of what indices name, a reduction), and the instructions of a pseudo-assembler with their costs in abstract
instructions. Between own and next stand the instructions for one element of those that a processor owns.`,
		Example: "  whorl hpf --listing jacobi.hpf\n  whorl hpf --listing jacobi.hpf --pes 16",
		Args: func(cmd *cobra.Command, args []string) error {
			return exactly("a file")(cmd, args[:min(len(args), 1)]) // and more files of the same program
		},
		RunE: interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if !listing {
				return errors.New("whorl hpf does nothing but --listing")
			}
			if processors < 1 || processors > sim.MaxPEs {
				return errors.New("--pes is the number of processors, 1 to 1048576")
			}
			return experiment.ListHPF(cmd.OutOrStdout(), args, processors)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&listing, "listing", false, "write the pseudo-assembler and the communication of each line")
	f.IntVar(&processors, "pes", processors, "`number` of processors")
	return cmd
}
