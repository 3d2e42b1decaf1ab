// Package fault defines the errors and warnings about a source text, with their places. All languages of Whorl report
// them in this form.
package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Pos is a place in a source file. Line and Column count from 1, Column in characters. The zero Pos is no place.
type Pos struct {
	File         string
	Line, Column int32
}

// String returns file:line:column.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Position returns p. It is the position of a syntax node that embeds its Pos.
func (p Pos) Position() Pos { return p }

// A Severity distinguishes errors from warnings.
type Severity uint8

const (
	Fault   Severity = iota // the program cannot run
	Warning                 // it can run but probably does not do what was meant
)

// An Error reports one fault of a source.
type Error struct {
	Pos      Pos
	Msg      string
	Line     string // the text of the line at Pos
	Want     string // what was expected there, "" if that does not help
	Severity Severity
}

// Error returns the place and the message, then the line with a caret under the place, then what was expected. It
// shortens a line of more than 100 characters around the caret.
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

// excerpt returns the part of a line around a character, and the blanks that align a caret with it.
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
				r = unicode.ReplacementChar // control characters of a source must not reach the terminal
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

// Errors are the errors and warnings of one source, ordered by place.
type Errors []*Error

// Failed reports whether the list contains an error, not only warnings.
func (e Errors) Failed() bool {
	return slices.ContainsFunc(e, func(e *Error) bool { return e.Severity == Fault })
}

// Err returns the list as an error, nil if it is empty or contains only warnings.
func (e Errors) Err() error {
	if !e.Failed() {
		return nil
	}
	return e
}

// Error returns the text of a Listing.
func (e Errors) Error() string { return Listing{Errors: e}.Error() }

// A Listing is a list of errors and warnings with the form of its text: the errors, one below the other, then the warnings, then the numbers of
// those that are left out.
type Listing struct {
	Errors
	All  bool   // nothing is left out; otherwise 100 texts are shown, and of warnings beside errors 10
	Hint string // how users see all
}

// Error returns the text.
func (l Listing) Error() string {
	const most, beside = 100, 10
	var errors, warnings Errors
	for _, e := range l.Errors {
		if e.Severity == Fault {
			errors = append(errors, e)
		} else {
			warnings = append(warnings, e)
		}
	}
	shown, others := len(errors), len(warnings)
	if !l.All {
		shown = min(shown, most)
		others = min(others, most-shown)
		if shown > 0 {
			others = min(others, beside)
		}
	}
	var lines []string
	for _, e := range append(errors[:shown:shown], warnings[:others]...) {
		lines = append(lines, e.Error())
	}
	var more []string
	for _, left := range []struct {
		n    int
		noun string
	}{{len(errors) - shown, "error"}, {len(warnings) - others, "warning"}} {
		switch {
		case left.n == 1:
			more = append(more, "1 more "+left.noun)
		case left.n > 1:
			more = append(more, fmt.Sprintf("%d more %ss", left.n, left.noun))
		}
	}
	if len(more) > 0 {
		text := "and " + strings.Join(more, ", ")
		if l.Hint != "" {
			text += "; " + l.Hint
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the list.
func (l Listing) Unwrap() error { return l.Errors }

// Locate sorts the errors by place and sets their lines from the source. It returns e.
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
