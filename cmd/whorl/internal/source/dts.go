package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/dts/parallelize"
	"whorl/internal/files"
)

func newDTS() *cobra.Command {
	var write bool
	var out string
	o := parallelize.Options{Grain: 16}
	cmd := &cobra.Command{
		Use:   "dts FILE.go",
		Short: "Rewrite a Go program so that marked functions run on threads",
		Long: `Rewrite a Go source file so that functions marked with //dts:fork in their comment run on threads of package dts, and write it to standard
output. Each marked function gets stubs that fork and join it. A call of one becomes a fork and a join if there is other work before its
result is needed, and if that cannot change an answer: the function must only compute its results or write to elements of slices that it is
given, and code that runs beside it must use other memory. whorl lists on standard error what it parallelised, the calls that it leaves alone,
and the marked functions that cannot be forked, with the reasons. The new program has the same report as comments. The view source of its traces
shows them as marks beside the lines.

All functions of the file stay for their callers. A function that forks gets a second version with a worker as its first parameter, and main
runs its second version on workers. whorl run ./folder sets their number and policy when it runs the program.

Calls that are too small for threads are computed sequentially. A condition after the mark, as in //dts:fork if n > 20, says which calls are
large enough. Without a condition, whorl looks for a size that shrinks from call to call and compares it with --grain.`,
		Example: "  whorl dts fib.go\n  whorl dts sort.go --grain 1000 -o parallel/sort.go\n  whorl dts -w fib.go",
		Args:    command.Exactly("a Go file"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if write && out != "" {
				return errors.New("-w writes the file back and -o writes another file: choose one")
			}
			path := args[0]
			if _, err := os.Stat(path); err != nil {
				return files.OpenError(path, err)
			}
			if filepath.Ext(path) != ".go" {
				return fmt.Errorf("%s: expected a Go file, whose name ends in .go", path)
			}
			r, err := parallelize.File(path, o)
			if err != nil {
				return err
			}
			forked := 0
			for _, n := range r.Notes {
				fmt.Fprintln(cmd.ErrOrStderr(), command.Printable(n.String()))
				if n.Forked {
					forked++
				}
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: calls forked: %d, notes on other calls: %d\n", path, forked, len(r.Notes)-forked)
			if write {
				out = path
			}
			if out == "" {
				_, err = cmd.OutOrStdout().Write(r.Text)
				return err
			}
			return w.Write(out, func(w io.Writer) error {
				_, err := io.Copy(w, bytes.NewReader(r.Text))
				return err
			})
		}),
	}
	f := cmd.Flags()
	f.IntVar(&o.Grain, "grain", o.Grain, "smallest `size` for a thread, for marks without a condition")
	f.StringVarP(&out, "output", "o", "", "write to `FILE` in place of standard output")
	f.BoolVarP(&write, "write", "w", false, "write the file back")
	return cmd
}
