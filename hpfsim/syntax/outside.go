package syntax

import (
	"strconv"

	"whorl/internal/nearest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// outside lists the statements that are legal Fortran but not in the subset, by keyword.
var outside = []struct{ word, name string }{
	{"ASSIGN", "ASSIGN of labels"},
	{"PAUSE", "PAUSE"},
	{"CLASS", "CLASS"},
	{"SELECT TYPE", "SELECT TYPE"},
	{"SUBMODULE", "SUBMODULE"},
}

// outsideStmt fails if the statement is outside of the subset.
func (p *parser) outsideStmt() {
	for _, o := range outside {
		from := p.i
		if !p.word(o.word) {
			continue
		}
		next := p.peek(0)
		fits := next == 0 || letter(next) || next == '(' || next == '/' || next == ':' || next == ',' || digit(next)
		if !p.free && !fits {
			p.i = from
			continue
		}
		p.report(p.posAt(from), "", "%s: legal Fortran, but not in the subset", o.name)
		panic(failure{})
	}
}

// keywords lists the words that begin statements, for suggestions.
var keywords = []string{
	"PROGRAM", "SUBROUTINE", "FUNCTION", "CALL", "CONTINUE", "RETURN", "STOP", "CYCLE", "EXIT", "GOTO", "PRINT", "WRITE", "READ", "ALLOCATE",
	"DEALLOCATE", "IF", "DO", "SELECT", "CASE", "WHERE", "FORALL", "END", "ENDDO", "ENDIF", "ELSE", "ELSEIF", "IMPLICIT", "PARAMETER", "DATA",
	"COMMON", "EQUIVALENCE", "INTERFACE", "DIMENSION", "ALLOCATABLE", "SAVE", "EXTERNAL", "INTRINSIC", "OPTIONAL", "INTENT", "INTEGER", "REAL", "DOUBLE",
	"COMPLEX", "LOGICAL", "CHARACTER", "FORMAT", "CONTAINS", "MODULE", "USE", "PUBLIC", "PRIVATE", "ENTRY",
	"OPEN", "CLOSE", "INQUIRE", "REWIND", "BACKSPACE", "ENDFILE", "FLUSH", "NAMELIST", "TYPE",
}

// simpleAhead reports whether the statement begins with the keyword of an executable statement.
func (p *parser) simpleAhead() bool {
	from := p.i
	defer func() { p.i = from }()
	p.construct()
	for _, w := range []string{
		"CALL", "CONTINUE", "RETURN", "STOP", "ERROR STOP", "CYCLE", "EXIT", "GO TO", "PRINT", "WRITE", "READ", "ALLOCATE", "DEALLOCATE", "NULLIFY", "IF", "DO", "SELECT CASE", "BLOCK", "ASSOCIATE",
		"WHERE", "FORALL", "FORMAT", "ENTRY", "OPEN", "CLOSE", "INQUIRE", "REWIND", "BACKSPACE", "END FILE", "FLUSH",
	} {
		if p.word(w) {
			return true
		}
		if w == "DO" && p.is("DO") && digit(p.peek(2)) {
			return true
		}
	}
	return false
}

// unknown fails at an unknown statement and suggests keywords.
func (p *parser) unknown() {
	from := p.i
	if !letter(p.peek(0)) {
		p.fail(p.i, "a statement", "%s does not begin a statement", p.nextText())
	}
	n := p.scanName()
	p.i = from
	p.fail(from, nearest.Suggest("a statement", nearest.Names(n, keywords)), "%s does not begin a statement", n)
}
