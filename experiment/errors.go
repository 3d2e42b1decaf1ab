package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"whorl/fghc/report"
	"whorl/internal/fault"
	"whorl/internal/nearest"
)

// An InputError says what is wrong with a description or a file, in one line that a user understands.
type InputError struct{ Text string }

func (e *InputError) Error() string { return e.Text }

// Unknown is the error for a name that is none of the known ones. It gives the nearest ones; where none is near it gives the command that
// lists them, or, when see is "", all of them.
func Unknown(what, name string, known []string, see string) error {
	near := nearest.Names(name, known)
	var help string
	switch {
	case len(near) > 0:
		help = ": did you mean " + strings.Join(near, " or ") + "?"
	case see != "":
		help = ": see " + see
	default:
		help = ": it is one of " + strings.Join(known, " ")
	}
	return &InputError{fmt.Sprintf("unknown %s %s%s", what, Quoted(name), help)}
}

// Quoted is a name in quotes, shortened and without control characters: what a user typed may be anything.
func Quoted(name string) string {
	const most = 60
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "..."
	}
	return fmt.Sprintf("%q", name)
}

// An OutputError says, in one line, that something could not be written to its end, as on a full disk: what was asked for was right.
type OutputError struct{ Text string }

func (e *OutputError) Error() string { return e.Text }

// CannotWrite says why a file could not be begun: not for what it should hold, but for where it should lie.
func CannotWrite(path string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return NotWritten(path, err)
	}
	return &InputError{"cannot write " + path + ": " + reason(err)}
}

// NotWritten says why a file that had been begun was not written to its end.
func NotWritten(path string, err error) error {
	return &OutputError{"cannot write " + path + ": " + reason(err)}
}

// reason is the text of an error of the system without what was done to which file.
func reason(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return err.Error()
}

// Located reports whether the text of an error begins with a place in a source, or is a list of such places: it needs no further heading.
func Located(err error) bool {
	var source *SourceError
	var runtime *report.Error
	var log *fault.Error
	return errors.As(err, &source) || errors.As(err, &runtime) || errors.As(err, &log)
}
