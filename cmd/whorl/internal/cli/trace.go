package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"whorl/benchmarks"
	"whorl/cmd/whorl/internal/command"
	"whorl/internal/files"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// openTrace opens a trace of any known format and reports on standard error what it lacks.
func openTrace(cmd *cobra.Command, path string) (*open.Trace, error) {
	trace, err := open.File(path)
	if err != nil {
		return nil, notTrace(path, err)
	}
	noteMissing(cmd, trace)
	return trace, nil
}

// notTrace returns a better error than err where the user named a program in place of a trace.
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

// workspaceEnding is the ending of workspaces, in which the viewer saves the arrangement of its window.
const workspaceEnding = ".toml"

// checkViewable returns an error if a trace or workspace cannot be shown, and reports on standard error what the traces lack.
func checkViewable(cmd *cobra.Command, paths []string) error {
	return command.Await(cmd.Context(), func(*files.Writer) error {
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
	})
}

// noteMissing reports on standard error what a truncated trace lacks.
func noteMissing(cmd *cobra.Command, trace *open.Trace) {
	switch {
	case trace.Missing == "":
	case strings.HasPrefix(trace.Missing, trace.Path+" "): // it names the file itself
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", trace.Missing)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", trace.Path, trace.Missing)
	}
}
