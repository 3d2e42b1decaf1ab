package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

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
		Long: fmt.Sprintf(`Write the source files of programs, or what stands on standard input, in one layout to standard output: one goal to a
line where a clause takes several, lines of at most %d characters, comments where they were. The program stays the same, and so does every run
of it. A program that is laid out already does not change.

A clause that was written on one line stays on one where it fits; lists and arguments that were written on several lines keep them.

With -w each file is written back where its layout changes. With -d the changes are printed instead, and the exit status is 1 where there
are some.`, layout.Width),
		Example: "  whorl fmt -w *.kl1\n  whorl fmt -d sort.fghc",
		Args:    cobra.ArbitraryArgs,
		RunE: interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if len(args) == 0 {
				if write {
					return errors.New("fmt -w needs the files that it is to write")
				}
				raw, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return err
				}
				text, e := encoding.Decode(string(raw))
				_, err = laidOut(cmd, w, "standard input", text, e, write, changes)
				return err
			}
			var bad []error
			changed := 0
			for _, path := range args {
				text, e, err := experiment.ReadSource(path)
				if err == nil {
					var other bool
					if other, err = laidOut(cmd, w, path, text, e, write, changes); other {
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
			return &statusError{exitFailed, fmt.Errorf("%d of %d files would change", changed, len(args))}
		}),
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the files back")
	cmd.Flags().BoolVarP(&changes, "diff", "d", false, "print what changes")
	cmd.MarkFlagsMutuallyExclusive("write", "diff")
	return cmd
}

// laidOut lays out a text and does with it what is wanted. It reports whether the layout is another.
func laidOut(cmd *cobra.Command, w *files.Writer, name, text string, e encoding.Encoding, write, changes bool) (bool, error) {
	after, errs := layout.Format(name, text)
	if errs.Failed() {
		return false, errs
	}
	other := after != text
	encoded, ok := encoding.Encode(after, e)
	if !ok {
		return false, fmt.Errorf("%s: it cannot be written in EUC-JP again", name)
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
