package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/fghc/encoding"
	"whorl/fghc/layout"
	"whorl/internal/files"
)

func newFmt() *cobra.Command {
	var write, changes bool
	cmd := &cobra.Command{
		Use:   "fmt [FILE...]",
		Short: "Write programs in one layout",
		Long: fmt.Sprintf(`Write source files, or standard input, in one layout to standard output: one goal on each line of a clause with several lines, lines of at
most %d characters, comments in their places. The program and its runs stay the same. A file in this layout does not change.

A clause on one line stays on one line if it fits. Lists and arguments on several lines keep their lines.

With -w, write each file back if its layout changes. With -d, print the changes instead; the exit status is 1 if there are any.`, layout.Width),
		Example: "  whorl fmt -w *.kl1\n  whorl fmt -d sort.fghc",
		Args:    cobra.ArbitraryArgs,
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if write && changes {
				return errors.New("-w writes the files back and -d prints their changes: choose one")
			}
			if len(args) == 0 {
				if write {
					return errors.New("fmt -w needs files to write back")
				}
				raw, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return err
				}
				text, e := encoding.Decode(string(raw))
				_, err = format(cmd, w, "standard input", text, e, write, changes)
				return err
			}
			var bad []error
			changed := 0
			for _, path := range args {
				text, e, err := experiment.ReadSource(path)
				if err == nil {
					var other bool
					if other, err = format(cmd, w, path, text, e, write, changes); other {
						changed++
					}
				}
				if err != nil {
					bad = append(bad, err)
				}
			}
			if err := errors.Join(bad...); err != nil || !changes || changed == 0 {
				return err
			}
			return command.Exit(command.ExitFailed, fmt.Errorf("%d of %d files would change", changed, len(args)))
		}),
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the files back")
	cmd.Flags().BoolVarP(&changes, "diff", "d", false, "print the changes")
	return cmd
}

// format lays out a text and writes the text or its changes. It reports whether the layout changes.
func format(cmd *cobra.Command, w *files.Writer, name, text string, e encoding.Encoding, write, changes bool) (bool, error) {
	after, errs := layout.Format(name, text)
	if errs.Failed() {
		return false, errs
	}
	other := after != text
	encoded, ok := encoding.Encode(after, e)
	if !ok {
		return false, fmt.Errorf("%s: its new layout cannot be written in EUC-JP", name)
	}
	switch {
	case write && other:
		return other, w.Write(name, func(w io.Writer) error {
			_, err := io.WriteString(w, encoded)
			return err
		})
	case write:
		return false, nil
	case changes && other:
		_, err := cmd.OutOrStdout().Write(diff.Diff(name+".orig", []byte(text), name, []byte(after)))
		return other, err
	case changes:
		return false, nil
	}
	_, err := io.WriteString(cmd.OutOrStdout(), encoded)
	return other, err
}
