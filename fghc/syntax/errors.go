package syntax

import "whorl/internal/fault"

// The types of errors are those of all languages of this repository.
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

// Ends returns the end of the token at each error's position, or the next column if there is no token. The errors must be sorted.
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
		if pos := t.pos; pos.Line == err.Pos.Line && pos.Column == err.Pos.Column && t.end > t.off {
			end := s.pos()
			ends[i].Line, ends[i].Column = end.Line, end.Column
		}
	}
	return ends
}

// before reports whether a precedes b in the same file.
func before(a, b Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column }
