package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
)

// viewedHelp is severalHelp for viewers.
const viewedHelp = severalHelp + ` Two profiles of one program, named one by one, are two runs that the viewer compares.`

// severalHelp is the part of help texts about profiles in place of a trace.
const severalHelp = `A TRACE may also be a profile of a real program (whorl list formats). Several profiles, or a folder of them, are one trace with a
processor for each process.`

// A reading is how a command reads its traces.
type reading struct {
	open.Options
	program string
}

// readingFlags adds the flags for reading traces of other programs.
func readingFlags(cmd *cobra.Command) *reading {
	o := &reading{}
	profileFlags(cmd, &o.Options)
	cmd.Flags().StringVar(&o.program, "program", "", "vista: `program` that was traced, FILE.fghc or a benchmark, for the names and lines of clauses")
	return o
}

// options returns the options with the program.
func (o *reading) options() (open.Options, error) {
	opts := o.Options
	if o.program == "" {
		return opts, nil
	}
	var err error
	opts.Program, err = experiment.TracedProgram(o.program)
	return opts, err
}

// profileFlags adds the flags for reading profiles.
func profileFlags(cmd *cobra.Command, o *open.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Processor, "processor", "", "profiles: make a processor of each value of this `label`, or of each process, thread or cpu")
	f.StringVar(&o.Merge, "merge", "", "profiles: merge the processors of each thread, process or host, the `level`")
	f.StringArrayVar(&o.Binaries, "binary", nil, "profiles: `file` of the program or of a library, in place of the one that the profile names")
	f.StringArrayVar(&o.Sources, "source", nil, "profiles: `folder` with source files to keep in the trace")
}

// openFiles opens the trace in some files and reports missing parts on standard error.
func openFiles(cmd *cobra.Command, paths []string, o *reading) (*open.Trace, error) {
	opts, err := o.options()
	if err != nil {
		return nil, err
	}
	trace, err := open.Files(paths, "", opts)
	if err != nil {
		for _, path := range paths {
			err = notTrace(path, err)
		}
		return nil, err
	}
	noteMissing(cmd, trace)
	return trace, nil
}

// openWhole opens the trace in some files and looks for damage.
func openWhole(cmd *cobra.Command, paths []string, o *reading) (*open.Trace, error) {
	trace, err := openFiles(cmd, paths, o)
	if err != nil {
		return nil, err
	}
	if err := trace.Verify(); err != nil {
		trace.Close()
		return nil, command.InFile(paths[0], err)
	}
	return trace, nil
}

// viewable returns the files that a viewer opens, or an error if it cannot show one of them. It converts profiles, and traces whose program is given, into traces in a temporary
// folder; the caller calls remove at the end.
func viewable(cmd *cobra.Command, args []string, o *reading) (paths []string, remove func(), err error) {
	opts, err := o.options()
	if err != nil {
		return nil, nil, err
	}
	dir := ""
	remove = func() {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	err = command.Await(cmd.Context(), func(w *files.Writer) error {
		for i, s := range open.Apart(args, opts) {
			if s.Format == "" && opts.Program == nil {
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
				missing, err = s.Record(rec, opts)
				return err
			}); err != nil {
				return err
			}
			if missing != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", s.Name(), missing)
			}
			paths = append(paths, path)
		}
		return checkViewable(cmd, paths)
	})
	if err != nil {
		remove()
	}
	return paths, remove, err
}
