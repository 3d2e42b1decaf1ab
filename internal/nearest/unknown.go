package nearest

import (
	"fmt"
	"strings"
)

// longestQuoted is the number of characters of a mistyped name that an error repeats.
const longestQuoted = 60

// An UnknownError reports a name that is not among the known names of its kind.
type UnknownError struct {
	Kind  string // the kind of the name: "policy", "machine", "parameter of the halo view"
	Name  string // as the user wrote it
	Known []string
	See   string // the command that lists Known, for lists too long for a message; "" for none
}

// Unknown returns an *UnknownError.
func Unknown(kind, name string, known []string) error {
	return &UnknownError{Kind: kind, Name: name, Known: known}
}

// Error suggests the nearest known names. If none is near, it names the command that lists them, or lists all of them.
func (e *UnknownError) Error() string {
	return "unknown " + e.Kind + " " + Quote(e.Name) + "; " + e.hint()
}

func (e *UnknownError) hint() string {
	if e.See != "" && len(Names(e.Name, e.Known)) == 0 {
		return "see " + e.See
	}
	return Hint(e.Name, e.Known)
}

// Hint returns "did you mean a or b?" with the known names that are near name, "known are a, b, c" if none is near, and "none is known" without
// known names.
func Hint(name string, known []string) string {
	if near := Names(name, known); len(near) > 0 {
		return didYouMean(near)
	}
	if len(known) == 0 {
		return "none is known"
	}
	return "known are " + strings.Join(known, ", ")
}

// Suggest appends "; did you mean a or b?" to a text. It returns the text alone if near is empty.
func Suggest(text string, near []string) string {
	if len(near) == 0 {
		return text
	}
	return text + "; " + didYouMean(near)
}

func didYouMean(near []string) string { return "did you mean " + strings.Join(near, " or ") + "?" }

// Quote returns a name in quotes for an error message, cut to 60 characters and with control characters escaped.
func Quote(name string) string {
	if r := []rune(name); len(r) > longestQuoted {
		name = string(r[:longestQuoted]) + "..."
	}
	return fmt.Sprintf("%q", name)
}
