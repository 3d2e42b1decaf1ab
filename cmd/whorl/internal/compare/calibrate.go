package compare

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment/calibrate"
	"whorl/internal/figures"
	"whorl/internal/files"
)

var calibrateFormats = []string{"table", "csv"}

func newCalibrate() *cobra.Command {
	out, format := "", calibrateFormats[0]
	o := calibrate.Options{Limit: 30 * time.Second}
	cmd := &cobra.Command{
		Use:   "calibrate [fghc|dts|hpf] [-o MACHINE.toml]",
		Short: "Measure this computer as a simulated machine, and compare simulated with live times",
		Long: `Measure what an instruction, a fork, a message and a steal cost on the cores of this computer, write a machine file with these costs for
the option --machine of other commands, and print the simulated times of all benchmarks beside the live ones: on one PE, and on as many as
there are cores.

Costs and live times are medians over rounds of live runs, with 95 % intervals by the bootstrap. The machine shares its memory (network
bus). It has one time for an instruction, although the substrates differ: an emulator executes the instructions of FGHC, and threads are
compiled Go. With a substrate the machine is fitted to the programs of that substrate alone, and is more accurate for them.
docs/cost-model.md describes the programs and the fit.

The times are those of an idle computer only if nothing else runs; calibrate measures the share of the cores that other programs use, and
prints it. With one core, the costs between PEs cannot be measured and are those of the machine modern. After Ctrl-C the results until
then are printed and written.`,
		Example: `  whorl calibrate -o here.toml
  whorl calibrate dts -o threads.toml --max-time 2m
  whorl calibrate --format csv > times.csv
  whorl compare dts/mandelbrot --machine threads.toml --pes 1,2,4,8`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return command.Exactly("a substrate")(cmd, args)
		},
		ValidArgs: calibrate.Substrates,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Substrate = args[0]
				if err := command.OneOf("substrate", o.Substrate, calibrate.Substrates); err != nil {
					return err
				}
			}
			if err := command.OneOf("format", format, calibrateFormats); err != nil {
				return err
			}
			if out != "" {
				if name := filepath.Base(out); filepath.Ext(name) != ".toml" || name == ".toml" {
					return errors.New("-o " + out + ": expected a machine file, which is named FILE.toml")
				}
				if err := files.CheckFolder(out); err != nil {
					return err
				}
			}
			return runCalibrate(cmd, o, out, format)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "machine `file` to write, FILE.toml")
	f.DurationVar(&o.Limit, "max-time", o.Limit, "measure for at most this much `time`: a third of it the costs, then the benchmarks")
	f.StringVar(&format, "format", format, "`format`: table or csv")
	command.Complete(cmd, "format", calibrateFormats)
	return cmd
}

func runCalibrate(cmd *cobra.Command, o calibrate.Options, out, format string) error {
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	o.Say = func(text string) { line.Say("measuring %s", text) }
	r, err := calibrate.Measure(cmd.Context(), o)
	line.Done()
	switch {
	case cmd.Context().Err() != nil && r == nil:
		return command.ErrInterrupted
	case errors.Is(err, calibrate.ErrTooShort):
		return command.Exit(command.ExitLimit, fmt.Errorf("%w within %s; --max-time %s gives more", err, o.Limit, max(4*o.Limit, 30*time.Second)))
	case r == nil:
		return command.Exit(command.ExitFailed, err)
	}
	complain := func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), "whorl: "+format+"\n", args...) }
	if r.Overloaded() {
		complain("other programs had %s of the cores: the costs are partly theirs; measure again when nothing else runs", figures.Share(r.Lost, 0))
	}
	if r.Cores == 1 {
		complain("this computer has one core for Go programs: costs between PEs are not measured, they are those of the machine modern")
	}
	if n := r.Missing(); n > 0 && cmd.Context().Err() == nil {
		complain("no time was left for %s; --max-time %s gives more", figures.Counted(int64(n), "row"), 4*o.Limit)
	}
	write := r.WriteTable
	if format == "csv" {
		write = r.WriteCSV
	}
	if err := write(cmd.OutOrStdout()); err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	if out != "" {
		var w files.Writer
		name := strings.TrimSuffix(filepath.Base(out), ".toml")
		err := w.Write(out, func(f io.Writer) error {
			_, err := io.WriteString(f, r.Text(name))
			return err
		})
		if err != nil {
			return err
		}
	}
	if cmd.Context().Err() != nil {
		return command.ErrInterrupted
	}
	return nil
}
