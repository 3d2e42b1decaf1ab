package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/experiment"
)

// openTrace opens a trace of any known format and says on standard error what it lacks.
func openTrace(cmd *cobra.Command, path string) (*experiment.Trace, error) {
	trace, err := experiment.Open(path)
	if err != nil {
		return nil, err
	}
	noteMissing(cmd, trace)
	return trace, nil
}

// workspaceEnding is that of the files in which the viewer saves what is arranged in its window.
const workspaceEnding = ".toml"

// lookAt sees that traces and workspaces can be shown, and says on standard error what they lack.
func lookAt(cmd *cobra.Command, paths []string) error {
	return await(cmd.Context(), func(*experiment.Files) error {
		for _, path := range paths {
			if strings.EqualFold(filepath.Ext(path), workspaceEnding) {
				if err := experiment.RegularFile(path); err != nil {
					return err
				}
				continue // the viewer says what is wrong with it
			}
			trace, err := experiment.OpenPartial(path)
			if err != nil {
				return err
			}
			noteMissing(cmd, trace)
			trace.Close()
		}
		return nil
	})
}

// noteMissing says on standard error what a truncated trace lacks.
func noteMissing(cmd *cobra.Command, trace *experiment.Trace) {
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
	return experiment.Unknown(what, value, known, "")
}

// complete offers the known values of a flag to the shell.
func complete(cmd *cobra.Command, flag string, known []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
}
