// Package fault holds what is wrong with a source text: errors and warnings with their places, as every language here reports them.
package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Pos is a place in a source file. Line and Column count from 1, Column in characters; the zero Pos is no place.
type Pos struct {
	File         string
	Line, Column int32
}

// String returns file:line:column.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// A Severity tells an error from a warning.
type Severity uint8

const (
	Fault   Severity = iota // the program cannot run
	Warning                 // it can, but probably does not do what was meant
)

// An Error is one thing wrong with a source.
type Error struct {
	Pos      Pos
	Msg      string
	Line     string // the text of the line at Pos
	Want     string // what was expected there, "" where nothing helps
	Severity Severity
}

// Error returns the place and the message, then the line with a caret under the place, then what was expected. A line of more than
// 100 characters is cut around the caret.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: ", e.Pos)
	if e.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(e.Msg)
	if e.Line != "" {
		text, caret := excerpt(e.Line, int(e.Pos.Column)-1)
		fmt.Fprintf(&b, "\n    %s\n    %s^", text, caret)
	}
	if e.Want != "" {
		fmt.Fprintf(&b, "\nexpected %s", e.Want)
	}
	return b.String()
}

// excerpt returns the part of a line around a character, and the blank space that leads to that character under it.
func excerpt(line string, column int) (text, blank string) {
	const before, length = 60, 100
	var t, s strings.Builder
	first := 0
	if column > before && len(line) > length {
		first = column - before
		t.WriteString("...")
		s.WriteString("   ")
	}
	n := 0
	for _, r := range line {
		if n >= first+length {
			t.WriteString("...")
			break
		}
		if n >= first {
			if r != '\t' && unicode.IsControl(r) {
				r = unicode.ReplacementChar // a source must not steer the terminal
			}
			t.WriteRune(r)
			if n < column && r == '\t' {
				s.WriteByte('\t')
			} else if n < column {
				s.WriteByte(' ')
			}
		}
		n++
	}
	return t.String(), s.String()
}

// Errors are the errors and warnings of one source in the order of its text.
type Errors []*Error

// Failed reports whether there is an error among them, not only warnings.
func (e Errors) Failed() bool {
	return slices.ContainsFunc(e, func(e *Error) bool { return e.Severity == Fault })
}

// Err returns the errors as one error, nil when there are none or only warnings.
func (e Errors) Err() error {
	if !e.Failed() {
		return nil
	}
	return e
}

// Error returns the text of the errors, one below the other; of more than 100 the first 100 and the number of the others.
func (e Errors) Error() string {
	const most = 100
	var b strings.Builder
	for i, err := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == most {
			fmt.Fprintf(&b, "and %d more errors", len(e)-most)
			break
		}
		b.WriteString(err.Error())
	}
	return b.String()
}

// Locate sorts the errors by their place and gives each its line of the source. It returns e.
func (e Errors) Locate(source string) Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	number, line, rest := int32(0), "", source
	for _, err := range e {
		for number < err.Pos.Line {
			line, rest, _ = strings.Cut(rest, "\n")
			number++
		}
		err.Line = strings.TrimSuffix(line, "\r")
	}
	return e
}
