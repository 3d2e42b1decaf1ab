package cli

import (
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/man"
	"whorl/internal/files"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Write a manual page (section 1) for whorl and for each of its commands into a folder, which is created if it does not exist.",
		Example: "  whorl man ~/.local/share/man/man1",
		Args:    command.Exactly("a folder"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return files.CannotWrite(args[0], err)
			}
			statuses := [][2]string{
				{strconv.Itoa(command.ExitDone), "done"},
				{strconv.Itoa(command.ExitFailed), "the program failed (a deadlock, a goal that failed, an error at run time), or the result could not be written"},
				{strconv.Itoa(command.ExitUsage), "bad usage or bad input"},
				{strconv.Itoa(command.ExitLimit), "stopped by a limit"},
				{strconv.Itoa(command.ExitInterrupted), "interrupted"},
			}
			for _, page := range append([]*cobra.Command{cmd.Root()}, cmd.Root().Commands()...) {
				if page != cmd.Root() && !page.IsAvailableCommand() {
					continue
				}
				err := w.Write(filepath.Join(args[0], man.Name(page)+".1"), func(out io.Writer) error {
					_, err := out.Write(man.Page(page, statuses))
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		}),
	}
}
