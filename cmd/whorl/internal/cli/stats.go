package cli

import (
	"github.com/spf13/cobra"

	"whorl/internal/files"
	"whorl/tracer/open"
	"whorl/tracer/report"
)

func newStats() *cobra.Command {
	format := "table"
	var reading *open.Options
	cmd := &cobra.Command{
		Use:   "stats TRACE...",
		Short: "Print the numbers of a trace",
		Long: `Print what a trace holds in numbers: reductions or threads, work and span, how long it took, who was idle, what was sent, which functions
the critical path runs through, and what speedup no schedule exceeds and every one without needless idling reaches.

As JSON it is one object whose keys say their units; what the trace does not tell is null.

` + severalHelp,
		Example: "  whorl stats pascal.whorl\n  whorl stats rank*.pb.gz\n  whorl stats pascal.whorl --format json",
		Args:    atLeastOne,
		RunE: interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if err := oneOf("format", format, statsFormats); err != nil {
				return err
			}
			trace, err := openFiles(cmd, args, reading)
			if err != nil {
				return err
			}
			defer trace.Close()
			stats, err := report.Summarise(trace)
			if err != nil {
				return inFile(args[0], err)
			}
			return writeStats(cmd, stats, format)
		}),
	}
	reading = readingFlags(cmd)
	cmd.Flags().StringVar(&format, "format", format, "table or json")
	complete(cmd, "format", statsFormats)
	return cmd
}

var statsFormats = []string{"table", "json"}

func writeStats(cmd *cobra.Command, stats *report.Stats, format string) error {
	if format == "json" {
		return stats.WriteJSON(cmd.OutOrStdout())
	}
	return stats.WriteTable(cmd.OutOrStdout())
}
