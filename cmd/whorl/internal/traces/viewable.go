package traces

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/documents"
)

// Viewable returns the files that a viewer opens, or an error if it cannot show one of them. It converts profiles of other programs, and traces whose
// program is given, into traces in a temporary folder; the caller calls remove at the end. A window reads the events of real programs itself, and shows
// them as they come; for the page they are converted.
func (r *Reading) Viewable(cmd *cobra.Command, args []string, window bool) (paths []string, remove func(), err error) {
	opts, err := r.options()
	if err != nil {
		return nil, nil, err
	}
	in := &inputs{}
	dir := ""
	remove = func() {
		in.remove()
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	err = command.Await(cmd.Context(), func(w *files.Writer) error {
		all, err := gather(cmd, args)
		if err != nil {
			return err
		}
		in = all
		for i, s := range open.Apart(in.paths, opts) {
			if s.Format == "" && opts.Program == nil && (window || !open.IsEvents(s.Paths[0])) {
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
				return in.fault(err)
			}
			if missing != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: missing: %s\n", s.Name(), missing)
			}
			paths = append(paths, path)
		}
		return in.fault(checkViewable(cmd, paths, in))
	})
	if err != nil {
		remove()
	}
	return paths, remove, err
}

// checkViewable returns an error if a trace or workspace cannot be shown, and reports missing parts of traces on standard error.
func checkViewable(cmd *cobra.Command, paths []string, in *inputs) error {
	for _, path := range paths {
		if documents.IsWorkspace(path) {
			if err := files.CheckRegular(path); err != nil {
				return err
			}
			continue // the viewer checks its contents
		}
		if open.IsEvents(path) {
			continue // the viewer reads it
		}
		trace, err := open.Partial(path)
		if err != nil {
			return NotTrace(path, err)
		}
		trace.Path = in.name(path)
		noteMissing(cmd, trace)
		trace.Close()
	}
	return nil
}
