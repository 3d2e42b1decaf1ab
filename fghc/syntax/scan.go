package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokBad           // an error that the scanner has reported
	tokEnd           // the full stop at the end of a clause
	tokName
	tokQuoted // '...'
	tokVar
	tokInt
	tokFloat
	tokString
	tokOpen // (
	tokClose
	tokOpenList
	tokCloseList
	tokOpenVector
	tokCloseVector
	tokComma
	tokBar
)

type token struct {
	kind     tokenKind
	call     bool // an opening parenthesis follows directly
	pos      Pos
	off, end int    // byte offsets
	text     string // a name, the value of a string, the decimal digits of an integer, or a float as written
}

// A scanner splits a source into tokens. Columns count characters: extra is the number of continuation bytes in the line so far.
type scanner struct {
	src       string
	file      string
	off       int // byte offset of the next character
	line      int32
	lineStart int
	extra     int
	flat      bool // comments no longer nest, because a comment could be closed only without nesting
	faults
}

// faults collects errors and warnings.
type faults struct{ errs Errors }

func (f *faults) fail(pos Pos, want, format string, args ...any) {
	f.errs = append(f.errs, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want})
}

func (f *faults) warn(pos Pos, want, format string, args ...any) {
	f.errs = append(f.errs, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want, Severity: Warning})
}

func newScanner(file, src string) *scanner {
	s := &scanner{src: src, file: file, line: 1}
	if strings.HasPrefix(src, "\ufeff") {
		s.off, s.extra = 3, 3 // a byte order mark has no column
	}
	return s
}

func (s *scanner) pos() Pos {
	return Pos{File: s.file, Line: s.line, Column: int32(s.off-s.lineStart-s.extra) + 1}
}

// peek returns the byte n positions ahead, 0 at the end of the source.
func (s *scanner) peek(n int) byte {
	if s.off+n < len(s.src) {
		return s.src[s.off+n]
	}
	return 0
}

// step advances over a byte that is not a newline.
func (s *scanner) step() {
	if s.src[s.off]&0xC0 == 0x80 {
		s.extra++
	}
	s.off++
}

func (s *scanner) newline() {
	s.off++
	s.line++
	s.lineStart, s.extra = s.off, 0
}

// Classes of bytes.
const (
	classOther = iota
	classBlank
	classLower // begins a name
	classUpper // begins a variable
	classDigit
	classSymbol
	classSolo // is a token by itself
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			t[c] = classBlank
		case c >= 'a' && c <= 'z':
			t[c] = classLower
		case c >= 'A' && c <= 'Z' || c == '_':
			t[c] = classUpper
		case c >= '0' && c <= '9':
			t[c] = classDigit
		case c < 0x80 && strings.IndexByte("+-*/\\^<>=~:.?@#&$`", byte(c)) >= 0:
			t[c] = classSymbol
		case c < 0x80 && strings.IndexByte(`()[]{},|!;`, byte(c)) >= 0:
			t[c] = classSolo
		}
	}
	return t
}()

// next returns the next token.
func (s *scanner) next() token {
	if !s.blank() {
		return token{kind: tokBad, pos: s.pos(), off: s.off, end: s.off}
	}
	t := token{pos: s.pos(), off: s.off}
	if s.off == len(s.src) {
		t.end = s.off
		return t
	}
	c := s.src[s.off]
	switch classes[c] {
	case classLower, classUpper:
		t.kind = tokName
		if classes[c] == classUpper {
			t.kind = tokVar
		}
		s.name()
		t.text = s.src[t.off:s.off]
	case classDigit:
		s.number(&t)
	case classSymbol:
		s.symbols(&t)
	case classSolo:
		s.off++
		t.kind = solo(c)
		t.text = s.src[t.off:s.off]
	default:
		s.other(&t)
	}
	t.end = s.off
	t.call = s.peek(0) == '('
	return t
}

func solo(c byte) tokenKind {
	switch c {
	case '(':
		return tokOpen
	case ')':
		return tokClose
	case '[':
		return tokOpenList
	case ']':
		return tokCloseList
	case '{':
		return tokOpenVector
	case '}':
		return tokCloseVector
	case ',':
		return tokComma
	case '|':
		return tokBar
	}
	return tokName // ! and ;
}

// blank skips blank space and comments. It returns false after an unclosed comment, which extends to the end of the source.
func (s *scanner) blank() bool {
	for s.off < len(s.src) {
		c := s.src[s.off]
		switch {
		case c == '\n':
			s.newline()
		case classes[c] == classBlank:
			s.off++
		case c == '%':
			for s.off < len(s.src) && s.src[s.off] != '\n' {
				s.step()
			}
		case c == '/' && s.peek(1) == '*':
			if !s.comment() {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// comment skips a comment and the comments nested in it. If the comment is not closed because it contains /*, which other scanners
// ignore, it ends at the first */ and comments do not nest from there on.
func (s *scanner) comment() bool {
	start, first := s.pos(), scanner{} // first is the state after the first */
	for open := 0; s.off < len(s.src); {
		switch c := s.src[s.off]; {
		case c == '\n':
			s.newline()
		case c == '/' && s.peek(1) == '*':
			open++
			s.off += 2
		case c == '*' && s.peek(1) == '/':
			open--
			s.off += 2
			if open == 0 || s.flat {
				return true
			}
			if first.src == "" {
				first = *s
			}
		default:
			s.step()
		}
	}
	if first.src != "" {
		*s = first
		s.flat = true
		return true
	}
	s.fail(start, "*/", "the comment is not closed")
	return false
}

// name advances over the letters, digits and underscores of a name or a variable.
func (s *scanner) name() {
	for s.off < len(s.src) {
		c := s.src[s.off]
		if k := classes[c]; k == classLower || k == classUpper || k == classDigit {
			s.off++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.src[s.off:])
		if c < utf8.RuneSelf || !isNamePart(r) {
			return
		}
		s.off += size
		s.extra += size - 1
	}
}

func isNamePart(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// symbols reads a name of symbol characters. A final full stop followed by blank space ends the clause and is not part of the name, unless
// the name with it is an operator.
func (s *scanner) symbols(t *token) {
	for s.off < len(s.src) && classes[s.src[s.off]] == classSymbol && (s.off == t.off || s.src[s.off] != '/' || s.peek(1) != '*') {
		s.off++
	}
	t.kind = tokName
	if s.src[s.off-1] == '.' && (s.off == len(s.src) || classes[s.src[s.off]] == classBlank || s.src[s.off] == '%' || s.src[s.off] == '/') {
		if s.off-1 == t.off {
			t.kind = tokEnd
		} else if !isOperator(s.src[t.off:s.off]) {
			s.off--
		}
	}
	t.text = s.src[t.off:s.off]
}

// other reads a token that begins with a quote or a non-ASCII character.
func (s *scanner) other(t *token) {
	switch c := s.src[s.off]; c {
	case '\'':
		t.kind = tokQuoted
		s.quoted(t, "the quoted name")
		return
	case '"':
		t.kind = tokString
		s.quoted(t, "the string")
		return
	}
	r, size := utf8.DecodeRuneInString(s.src[s.off:])
	switch {
	case r >= utf8.RuneSelf && (unicode.IsUpper(r) || unicode.IsTitle(r)):
		t.kind = tokVar
		s.name()
	case r >= utf8.RuneSelf && unicode.IsLetter(r):
		t.kind = tokName
		s.name()
	default:
		s.off += size
		s.extra += size - 1
		t.kind = tokBad
		s.fail(t.pos, "", "unexpected character %q", r)
	}
	t.text = s.src[t.off:s.off]
}
