// Package scopes compares the flags of a command with the table of their scopes.
package scopes

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whorl/cmd/whorl/internal/command"
)

// Check reports flags of a command that its table lacks, and flags of the table that the command lacks.
func Check[U any](t *testing.T, cmd *cobra.Command, table []command.Scope[U]) {
	t.Helper()
	var known []string
	for _, s := range table {
		known = append(known, s.Flags...)
	}
	CheckFlags(t, cmd, known...)
}

// CheckFlags reports flags that a command has beside the known ones, and known ones that it lacks.
func CheckFlags(t *testing.T, cmd *cobra.Command, known ...string) {
	t.Helper()
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	slices.Sort(flags)
	slices.Sort(known)
	if known = slices.Compact(known); !slices.Equal(flags, known) {
		t.Errorf("%s has the flags %v, its table has %v", cmd.Name(), flags, known)
	}
}
