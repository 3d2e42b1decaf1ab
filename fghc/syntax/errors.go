package syntax

import "whorl/internal/fault"

// What is wrong with a program is said as in every language here.
type (
	Pos      = fault.Pos
	Error    = fault.Error
	Errors   = fault.Errors
	Severity = fault.Severity
)

// The severities.
const (
	Fault   = fault.Fault
	Warning = fault.Warning
)

// Ends returns where the token at the place of each error ends, in errors that Locate has sorted; one character further where there is none.
func Ends(e Errors, source string) []Pos {
	ends := make([]Pos, len(e))
	s := newScanner("", source)
	t := s.next()
	for i, err := range e {
		for t.kind != tokEOF && before(t.pos, err.Pos) {
			t = s.next()
		}
		ends[i] = err.Pos
		ends[i].Column++
		if at := t.pos; at.Line == err.Pos.Line && at.Column == err.Pos.Column && t.end > t.off {
			end := s.pos()
			ends[i].Line, ends[i].Column = end.Line, end.Column
		}
	}
	return ends
}

// before compares places of one file.
func before(a, b Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column }
