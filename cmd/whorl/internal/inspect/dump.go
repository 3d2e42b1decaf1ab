package inspect

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
)

func newDump() *cobra.Command {
	var read bool
	var out string
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "dump TRACE... | dump --read TEXT -o TRACE",
		Short: "Write a trace as text, or read such text back",
		Long: `Write a trace as text to standard output: metadata, dictionary and one line for each event.

With --read, turn such text, from a file or from standard input (-), back into a trace.

` + traces.Help,
		Example: "  whorl dump pascal.whorl | head\n  whorl dump --read pascal.txt -o pascal.whorl",
		Args:    command.AtLeast("a trace"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if err := command.CheckScopes(cmd, dumpScopes, read); err != nil {
				return err
			}
			if !read {
				trace, err := reading.Open(cmd, args...)
				if err != nil {
					return err
				}
				defer trace.Close()
				w := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
				if err := tracer.WriteText(w, trace); err != nil {
					return command.InFile(args[0], err)
				}
				return w.Flush()
			}
			if err := command.Exactly("a text")(cmd, args); err != nil {
				return err
			}
			if out == "" {
				return errors.New("dump --read needs a trace to write: -o FILE.whorl")
			}
			if err := open.CheckName(out); err != nil {
				return err
			}
			in := cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return files.OpenError(args[0], err)
				}
				defer f.Close()
				in = f
			}
			return open.Write(w, out, func(rec tracer.Recorder) error {
				err := tracer.ReadText(bufio.NewReaderSize(in, 1<<16), rec)
				if err == nil {
					return nil
				}
				if format := open.FormatOf(args[0]); format != "" && format != "text" {
					return fmt.Errorf("%s is a trace (%s) already; dump --read reads the text that whorl dump %s writes", args[0], format, args[0])
				}
				return command.InFile(args[0], err)
			})
		}),
	}
	cmd.Flags().BoolVar(&read, "read", false, "read text and write a trace")
	cmd.Flags().StringVarP(&out, "output", "o", "", "with --read, the trace to write, as `FILE`.whorl")
	reading = traces.Flags(cmd)
	return cmd
}
