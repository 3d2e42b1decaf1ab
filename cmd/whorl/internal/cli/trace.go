package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"whorl/benchmarks"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// openTrace opens a trace of any known format and says on standard error what it lacks.
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

// workspaceEnding is that of the files in which the viewer saves what is arranged in its window.
const workspaceEnding = ".toml"

// lookAt sees that traces and workspaces can be shown, and says on standard error what they lack.
func lookAt(cmd *cobra.Command, paths []string) error {
	return await(cmd.Context(), func(*files.Writer) error {
		for _, path := range paths {
			if strings.EqualFold(filepath.Ext(path), workspaceEnding) {
				if err := files.CheckRegular(path); err != nil {
					return err
				}
				continue // the viewer says what is wrong with it
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

// noteMissing says on standard error what a truncated trace lacks.
func noteMissing(cmd *cobra.Command, trace *open.Trace) {
	switch {
	case trace.Missing == "":
	case strings.HasPrefix(trace.Missing, trace.Path+" "): // it names the file itself
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", trace.Missing)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", trace.Path, trace.Missing)
	}
}

// inFile puts the name of the file in front of an error about what is in it.
func inFile(path string, err error) error {
	if err == nil || path == "-" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// oneOf is an error unless value is one of the known names.
func oneOf(what, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return nearest.Unknown(what, value, known)
}

// complete offers the known values of a flag to the shell.
func complete(cmd *cobra.Command, flag string, known []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
}
