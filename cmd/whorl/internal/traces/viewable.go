package traces

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/documents"
)

// Viewable returns the files that a viewer opens, or an error if it cannot show one of them. It converts profiles, and traces whose program is
// given, into traces in a temporary folder; the caller calls remove at the end.
func (r *Reading) Viewable(cmd *cobra.Command, args []string) (paths []string, remove func(), err error) {
	opts, err := r.options()
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

// IsWorkspace reports whether a file has the name of a workspace, in which the viewer saves its window.
func IsWorkspace(path string) bool {
	return strings.EqualFold(filepath.Ext(path), documents.WorkspaceEnding)
}

// checkViewable returns an error if a trace or workspace cannot be shown, and reports missing parts of traces on standard error.
func checkViewable(cmd *cobra.Command, paths []string) error {
	for _, path := range paths {
		if IsWorkspace(path) {
			if err := files.CheckRegular(path); err != nil {
				return err
			}
			continue // the viewer checks its contents
		}
		trace, err := open.Partial(path)
		if err != nil {
			return NotTrace(path, err)
		}
		noteMissing(cmd, trace)
		trace.Close()
	}
	return nil
}
