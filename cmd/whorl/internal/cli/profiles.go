package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
)

// severalHelp says what may stand in place of a trace.
const severalHelp = `A TRACE may also be profiles of real programs (whorl list formats): several of them are one trace, with a processor for each process, and
so is a folder of them.`

// readingFlags are the flags of how profiles are read.
func readingFlags(cmd *cobra.Command) *open.Options {
	o := &open.Options{}
	f := cmd.Flags()
	f.StringVar(&o.Processor, "processor", "", "profiles: `what` is a processor, the name of a label, or process, thread or cpu where a profile tells them apart")
	f.StringVar(&o.Merge, "merge", "", "profiles: those of one `level` are one processor, thread, process or host")
	f.StringArrayVar(&o.Binaries, "binary", nil, "profiles: the `file` of the program or of a library, instead of the one that a profile names")
	f.StringArrayVar(&o.Sources, "source", nil, "profiles: a `folder` with source files, which are kept in the trace")
	return o
}

// atLeastOne takes one trace or several profiles.
func atLeastOne(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return exactly("a trace")(cmd, args)
	}
	return nil
}

// openFiles opens the trace that some files are together, and says on standard error what it lacks.
func openFiles(cmd *cobra.Command, paths []string, o *open.Options) (*open.Trace, error) {
	trace, err := open.Files(paths, "", *o)
	if err != nil {
		return nil, notTrace(paths[0], err)
	}
	noteMissing(cmd, trace)
	return trace, nil
}

// gathered are the traces that a viewer is to open: profiles are read, and kept in a folder that is to be removed afterwards.
func gathered(cmd *cobra.Command, args []string, o *open.Options) (paths []string, remove func(), err error) {
	dir := ""
	remove = func() {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	err = await(cmd.Context(), func(w *files.Writer) error {
		for i, s := range open.Sets(args) {
			if s.Format == "" {
				paths = append(paths, s.Paths...)
				continue
			}
			if dir == "" {
				if dir, err = os.MkdirTemp("", "whorl"); err != nil {
					return err
				}
			}
			path := filepath.Join(dir, s.Name()+".whorl")
			if _, err := os.Stat(path); err == nil {
				path = filepath.Join(dir, s.Name()+"-"+string(rune('a'+i%26))+".whorl")
			}
			missing := ""
			if err := open.Write(w, path, func(rec tracer.Recorder) (err error) {
				missing, err = s.Record(rec, *o)
				return err
			}); err != nil {
				return err
			}
			if missing != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", s.Name(), missing)
			}
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		remove()
	}
	return paths, remove, err
}
