package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// Exactly takes one argument for each name and names the missing one.
func Exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s needs %s (see %s --help)", cmd.Name(), names[len(args)], cmd.CommandPath())
		}
		if len(args) > len(names) {
			return fmt.Errorf("%s: unexpected argument %s (see %s --help)", cmd.Name(), nearest.Quote(args[len(names)]), cmd.CommandPath())
		}
		return nil
	}
}

// AtLeast takes one argument for each name, and further ones.
func AtLeast(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return Exactly(names...)(cmd, args[:min(len(args), len(names))])
	}
}

// HelpWidth is the most characters in a line of help.
const HelpWidth = 140

// Fold breaks a line between words into lines of at most HelpWidth characters; those after the first begin with indent.
func Fold(line, indent string) string {
	var lines []string
	for utf8.RuneCountInString(line) > HelpWidth {
		cut := strings.LastIndexByte(string([]rune(line)[:HelpWidth+1]), ' ')
		if strings.TrimSpace(line[:max(cut, 0)]) == "" { // a long word
			break
		}
		lines, line = append(lines, line[:cut]), indent+line[cut+1:]
	}
	return strings.Join(append(lines, line), "\n")
}

// Complete offers the known values of a flag to the shell.
func Complete(cmd *cobra.Command, flag string, known []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // cmd has no such flag
	}
}

// FlagError rewrites an error of package pflag as one line. It names the nearest flags for an unknown one.
func FlagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var malformed *pflag.InvalidSyntaxError
	var none *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		return wrongValue(invalid.GetFlag(), invalid.GetValue(), errors.Is(err, strconv.ErrRange))
	case errors.As(err, &missing):
		return fmt.Errorf("--%s has no value; expected %s", missing.GetFlag().Name, expected(missing.GetFlag()))
	case errors.As(err, &malformed):
		return unknownFlag(cmd, malformed.GetSpecifiedFlag())
	case errors.As(err, &none) && none.GetSpecifiedShortnames() != "":
		return unknownFlag(cmd, "-"+none.GetSpecifiedShortnames())
	case errors.As(err, &none):
		return unknownFlag(cmd, "--"+none.GetSpecifiedName())
	}
	return err
}

// unknownFlag returns the error for a flag that cmd does not have. A single letter is near only to the same letter in the other case.
func unknownFlag(cmd *cobra.Command, name string) error {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		known = append(known, "--"+f.Name)
		if strings.EqualFold("-"+f.Shorthand, name) {
			known = append(known, "-"+f.Shorthand)
		}
	})
	return &nearest.UnknownError{Kind: "flag", Name: name, Known: known, See: cmd.CommandPath() + " --help"}
}

// valueKinds describes the values of the types of flags.
var valueKinds = map[string]string{
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number of at least 0", "float64": "a number", "bool": "true or false",
	"duration": "a duration such as 100us or 10s", "memory": "an amount of memory such as 500M or 2G",
	"moment":   "a time of at least 0s such as 100us or 10s",
	"interval": "two times of at least 0s such as 1ms..2.5ms",
	"camera":   "a camera in an area, X,Y,SCALE@WIDTHxHEIGHT, as the viewer copies it",
	"lines":    "lines of a source file such as lu.hpf:10..60",
}

// expected describes the values of a flag.
func expected(f *pflag.Flag) string {
	if kind := valueKinds[f.Value.Type()]; kind != "" {
		return kind
	}
	if name, _ := pflag.UnquoteUsage(f); name != "string" {
		return name
	}
	return "a value" // the help has no name for the value
}

// wrongValue returns the error for a value that is not of the type of the flag.
func wrongValue(f *pflag.Flag, value string, tooLarge bool) error {
	switch kind := valueKinds[f.Value.Type()]; {
	case kind == "":
		return fmt.Errorf("--%s cannot be %s", f.Name, nearest.Quote(value))
	case tooLarge:
		return fmt.Errorf("--%s cannot be as large as %s", f.Name, nearest.Quote(value))
	default:
		return fmt.Errorf("--%s is %s, not %s", f.Name, kind, nearest.Quote(value))
	}
}

// Memory is the value of a flag with an amount of memory, such as 500M.
type Memory struct {
	Bytes *int64
	text  string
}

// Set parses an amount.
func (m *Memory) Set(text string) error {
	n, ok := figures.Bytes(text)
	if !ok {
		return strconv.ErrSyntax
	}
	m.text, *m.Bytes = text, n
	return nil
}

func (m *Memory) String() string { return m.text }

// Type returns the name of the type in package pflag.
func (*Memory) Type() string { return "memory" }

// A Scope lists flags of a command that have an effect only in some of its uses. U describes a use. The table of
// such a command has all of its flags.
type Scope[U any] struct {
	Flags []string
	In    func(U) bool // nil for all uses
	Only  string       // follows the name of a flag in the error for any other use
}

// CheckScopes returns an error for the first flag that the user has set and that has no effect in a use. A flag has to be in all of its scopes.
func CheckScopes[U any](cmd *cobra.Command, scopes []Scope[U], use U) error {
	for _, s := range scopes {
		if s.In == nil || s.In(use) {
			continue
		}
		for _, name := range s.Flags {
			if cmd.Flags().Changed(name) {
				return errors.New("--" + name + " " + s.Only)
			}
		}
	}
	return nil
}

// CheckFlags refuses flags whose value is an empty text, or a number or time that is not positive.
func CheckFlags(cmd *cobra.Command, _ []string) error {
	var bad error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if bad == nil {
			bad = checkFlag(f)
		}
	})
	return bad
}

// TooSmall returns the error for a number below 1 in a flag.
func TooSmall(flag string, n int64) error { return fmt.Errorf("--%s is at least 1, not %d", flag, n) }

func checkFlag(f *pflag.Flag) error {
	value := f.Value.String()
	switch f.Value.Type() {
	case "string":
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("--%s is empty; expected %s", f.Name, expected(f))
		}
	case "int", "int64":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n < 1 {
			return TooSmall(f.Name, n)
		}
	case "duration":
		if d, err := time.ParseDuration(value); err == nil && d <= 0 {
			return fmt.Errorf("--%s is more than 0, such as 100us or 10s, not %s", f.Name, d)
		}
	}
	return nil
}
