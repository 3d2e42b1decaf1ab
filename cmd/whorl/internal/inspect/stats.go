// Package inspect has the commands that read traces and write numbers, text or other formats: stats, top, tree, dump and convert.
package inspect

import (
	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer/report"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newStats(), newTop(), newTree(), newAnnotate(), newDump(), newConvert()}
}

func newStats() *cobra.Command {
	format := "table"
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "stats TRACE...",
		Short: "Print the numbers of a trace",
		Long: `Print the numbers of a trace: reductions or threads, work and span, elapsed time, idle time, messages, the work of each function, of the
largest tasks and, for sampled programs, of each line, the functions on the critical path, and bounds of the speedup: no schedule exceeds the
upper one, and no schedule without needless idling falls below the lower one.

The parallel efficiency, work / (PEs x elapsed), is the product of three factors, after the methodology of POP: load balance, mean / most work of
a PE; serialisation, most work of a PE / T(ideal); and transfer, T(ideal) / elapsed. T(ideal) is the time if messages were free, from a replay of
the recording with the same schedule. A factor that a recording does not determine is unknown, and the line says why.

As JSON the numbers are one object. Its keys name the units, and unknown numbers are null.

` + traces.Help,
		Example: "  whorl stats pascal.whorl\n  whorl stats rank*.pb.gz\n  whorl stats pascal.whorl --format json",
		Args:    command.AtLeast("a trace"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if err := command.OneOf("format", format, statsFormats); err != nil {
				return err
			}
			trace, err := reading.OpenWhole(cmd, args...)
			if err != nil {
				return err
			}
			defer trace.Close()
			stats, err := report.Summarise(trace)
			if err != nil {
				return command.InFile(args[0], err)
			}
			return writeStats(cmd, stats, format)
		}),
	}
	reading = traces.Flags(cmd)
	reading.Leaves = true
	cmd.Flags().StringVar(&format, "format", format, "`format`: table or json")
	command.Complete(cmd, "format", statsFormats)
	return cmd
}

var statsFormats = []string{"table", "json"}

func writeStats(cmd *cobra.Command, stats *report.Stats, format string) error {
	if format == "json" {
		return stats.WriteJSON(cmd.OutOrStdout())
	}
	return stats.WriteTable(cmd.OutOrStdout())
}
