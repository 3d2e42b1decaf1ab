package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

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
		Long: `Rewrite a Go source file so that functions with the line //dts:fork in the comment above them run on the threads of package dts, and
write it to standard output. Each gets stubs that fork and join it. A call of one becomes a fork and a join where something else can be
computed before its result is needed, and where that is known to change no answer: the function must do nothing but compute its results, and
what runs beside it must not write to what it reads. Calls that are left as they are, and marked functions that cannot be forked, are listed
on standard error, each with the reason.

The functions of the file stay, for all who call them; a function that forks gets a second version with a worker as its first parameter, and
main runs its own one on workers. How many, and under which policy, is decided when the program is run: whorl run ./folder.

What is too small for threads is computed sequentially: behind the mark may stand the condition under which threads are worth it, as in
//dts:fork if n > 20. Where there is none, a size is looked for that shrinks from call to call, and compared with --grain.`,
		Example: "  whorl dts fib.go\n  whorl dts sort.go --grain 1000 -o parallel/sort.go\n  whorl dts -w fib.go",
		Args:    exactly("a Go file"),
		RunE: interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if write && out != "" {
				return errors.New("-w writes the file back, -o writes another: not both")
			}
			path := args[0]
			if _, err := os.Stat(path); err != nil {
				return files.OpenError(path, err)
			}
			r, err := parallelize.File(path, o)
			if err != nil {
				return err
			}
			forked := 0
			for _, n := range r.Notes {
				if n.Forked {
					forked++
				} else {
					fmt.Fprintln(cmd.ErrOrStderr(), harmless(n.String()))
				}
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: calls forked: %d, notes on what is left: %d\n", path, forked, len(r.Notes)-forked)
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
	f.IntVar(&o.Grain, "grain", o.Grain, "smallest `size` that is worth a thread, where the mark says nothing")
	f.StringVarP(&out, "output", "o", "", "write to `FILE` instead")
	f.BoolVarP(&write, "write", "w", false, "write the file back")
	return cmd
}
