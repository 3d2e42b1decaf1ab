package sim

import (
	"fmt"
	"strings"

	"whorl/internal/nearest"
)

// An UnknownName is the error for a name that is not among those of its kind of thing.
type UnknownName struct {
	Kind, Name string
	Known      []string
}

// Error names the nearest known names, or all if none is near.
func (e *UnknownName) Error() string {
	if near := nearest.Names(e.Name, e.Known); len(near) > 0 {
		return fmt.Sprintf("unknown %s %q; did you mean %s?", e.Kind, e.Name, strings.Join(near, " or "))
	}
	return fmt.Sprintf("unknown %s %q; known are %s", e.Kind, e.Name, strings.Join(e.Known, ", "))
}
