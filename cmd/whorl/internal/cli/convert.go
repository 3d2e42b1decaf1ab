package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/experiment"
)

func newConvert() *cobra.Command {
	var from, to string
	var reading *experiment.Reading
	cmd := &cobra.Command{
		Use:   "convert IN... OUT",
		Short: "Turn a trace of one format into another",
		Long: `Read a trace and write it in another format. The format of IN is found out from its beginning, that of OUT from the ending of its
name; --from and --to say otherwise. IN may be a folder with the logs of several nodes (.dtslog), which are one trace. What a format cannot
hold is left out, and a line on standard error says what that was.

Several IN are profiles of real programs, one for each process, and become one trace.`,
		Example: "  whorl convert pascal.whorl pascal.vista\n  whorl convert logs/ run.whorl\n  whorl convert rank*.pb.gz run.whorl --processor worker\n  whorl list formats",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly("a trace to read", "a file to write")(cmd, args)
			}
			return nil
		},
		RunE: interruptible(func(cmd *cobra.Command, args []string, files *experiment.Files) error {
			in, out := args[:len(args)-1], args[len(args)-1]
			target, err := experiment.TargetFormat(out, to)
			if err != nil {
				return err
			}
			trace, err := experiment.OpenFiles(in, from, *reading)
			if err != nil {
				return err
			}
			defer trace.Close()
			noteMissing(cmd, trace)
			if err := trace.Verify(); err != nil {
				return inFile(in[0], err)
			}
			if err := files.Export(trace, out, target); err != nil {
				return err
			}
			if left := experiment.LeftOut(trace, target); left != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s holds no %s\n", out, target, left)
			}
			return nil
		}),
	}
	reading = readingFlags(cmd)
	cmd.Flags().StringVar(&from, "from", "", "`format` of IN (whorl list formats)")
	cmd.Flags().StringVar(&to, "to", "", "`format` of OUT (whorl list formats)")
	complete(cmd, "from", experiment.FormatNames())
	complete(cmd, "to", experiment.FormatNames())
	return cmd
}
