package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"whorl/benchmarks"
	"whorl/internal/files"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// notTrace returns an error that names the command to run if path is a program or a benchmark, else err.
func notTrace(path string, err error) error {
	unknown := (*open.UnknownFormatError)(nil)
	if b, lookup := benchmarks.Lookup(path); lookup == nil && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a benchmark, not a trace: whorl run %s -o %s.whorl", path, path, b.Bare())
	}
	if ext := filepath.Ext(path); (ext == ".fghc" || ext == ".kl1") && errors.As(err, &unknown) && len(unknown.Head) > 0 {
		return fmt.Errorf("%s is a program, not a trace: whorl run %s --goal GOAL -o %s.whorl", path, path, strings.TrimSuffix(filepath.Base(path), ext))
	}
	return err
}

// workspaceEnding is the ending of workspaces, the files in which the viewer saves its window.
const workspaceEnding = ".toml"

// checkViewable returns an error if a trace or workspace cannot be shown, and reports missing parts of traces on standard error.
func checkViewable(cmd *cobra.Command, paths []string) error {
	for _, path := range paths {
		if strings.EqualFold(filepath.Ext(path), workspaceEnding) {
			if err := files.CheckRegular(path); err != nil {
				return err
			}
			continue // the viewer checks its contents
		}
		trace, err := open.Partial(path)
		if err != nil {
			return notTrace(path, err)
		}
		noteMissing(cmd, trace)
		trace.Close()
	}
	return nil
}

// noteMissing reports the missing parts of a truncated trace on standard error.
func noteMissing(cmd *cobra.Command, trace *open.Trace) {
	switch {
	case trace.Missing == "":
	case strings.HasPrefix(trace.Missing, trace.Path+" "): // it names the file itself
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", trace.Missing)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", trace.Path, trace.Missing)
	}
}
