// Package traces lets commands read traces: it has the flags for profiles of other programs, and reports files that are damaged, not complete or
// not traces at all.
package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/tracer/open"
)

// Help is the part of help texts about profiles in place of a trace.
const Help = `A TRACE may also be a profile of a real program (whorl list formats). Several profiles, or a folder of them, are one trace with a
processor for each process. An http or https URL is fetched, as in http://localhost:6060/debug/pprof/trace?seconds=5. A pipe and - for standard
input are read to their end.`

// ViewedHelp is Help for viewers.
const ViewedHelp = Help + `
Two profiles of one program, named one by one, are two runs that the viewer compares.`

// A Reading is how a command reads its traces. The zero Reading reads each as its contents say.
type Reading struct {
	open.Options
	Format  string // of the files, "" to detect it
	program string
}

// Flags adds the flags for reading traces of other programs.
func Flags(cmd *cobra.Command) *Reading {
	r := &Reading{}
	ProfileFlags(cmd, &r.Options)
	cmd.Flags().StringVar(&r.program, "program", "", "vista: `program` that was traced, FILE.fghc or a benchmark, for the names and lines of clauses")
	return r
}

// ProfileFlags adds the flags for reading profiles.
func ProfileFlags(cmd *cobra.Command, o *open.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Processor, "processor", "", "profiles: make a processor of each value of this `label`, or of each process, thread or cpu")
	f.StringVar(&o.Merge, "merge", "", "profiles: merge the processors of each thread, process or host, the `level`")
	f.StringArrayVar(&o.Binaries, "binary", nil, "profiles: `file` of the program or of a library, in place of the one that the profile names")
	f.StringArrayVar(&o.Sources, "source", nil, "profiles: `folder` with source files to keep in the trace")
}

// options returns the options with the program.
func (r *Reading) options() (open.Options, error) {
	opts := r.Options
	if r.program == "" {
		return opts, nil
	}
	var err error
	opts.Program, err = experiment.TracedProgram(r.program)
	return opts, err
}

// Open opens the trace in some files and reports missing parts on standard error. It finds damage only where it reads.
func (r *Reading) Open(cmd *cobra.Command, paths ...string) (*open.Trace, error) {
	return r.open(cmd, false, paths)
}

// OpenWhole is Open for commands that read the whole trace. A damaged one opens without the damaged part.
func (r *Reading) OpenWhole(cmd *cobra.Command, paths ...string) (*open.Trace, error) {
	return r.open(cmd, true, paths)
}

func (r *Reading) open(cmd *cobra.Command, salvage bool, paths []string) (*open.Trace, error) {
	opts, err := r.options()
	if err != nil {
		return nil, err
	}
	opts.Salvage = salvage
	in, err := gather(cmd, paths)
	if err != nil {
		return nil, err
	}
	defer in.remove()
	trace, err := open.Files(in.paths, r.Format, opts)
	if err != nil {
		for _, path := range paths {
			err = NotTrace(path, err)
		}
		return nil, in.fault(err)
	}
	trace.Path = in.name(trace.Path)
	noteMissing(cmd, trace)
	return trace, nil
}

// NotTrace returns an error that names the command to run if path is a program or a benchmark, else err.
func NotTrace(path string, err error) error {
	unknown := (*open.UnknownFormatError)(nil)
	if b, lookup := benchmarks.Lookup(path); lookup == nil && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a benchmark, not a trace: whorl run %s -o %s.whorl", path, path, b.Bare())
	}
	if ext := filepath.Ext(path); (ext == ".fghc" || ext == ".kl1") && errors.As(err, &unknown) && len(unknown.Head) > 0 {
		return fmt.Errorf("%s is a program, not a trace: whorl run %s --goal GOAL -o %s.whorl", path, path, strings.TrimSuffix(filepath.Base(path), ext))
	}
	if f := experiment.FindSchedule(path); f != nil && errors.As(err, &unknown) {
		return fmt.Errorf("%s is %s, a program and not a trace: whorl replay %s -o %s.whorl", path, f.Name, path, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	}
	return err
}

// noteMissing reports the missing parts of a truncated trace on standard error.
func noteMissing(cmd *cobra.Command, trace *open.Trace) {
	meta := trace.StreamSource.Meta()
	switch {
	case trace.Missing == "":
	case trace.Missing == meta.Missing(): // a list
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: missing: %s\n", trace.Path, trace.Missing)
	case strings.HasPrefix(trace.Missing, trace.Path+" "): // it names the file itself
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", trace.Missing)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", trace.Path, trace.Missing)
	}
}

// Title names the trace that some files make together.
func Title(files []string) string {
	if len(files) > 1 {
		return fmt.Sprintf("%s and %d more", files[0], len(files)-1)
	}
	return files[0]
}
