package source

import "strings"

// A class is what a piece of a line is, for its colour.
type class uint8

const (
	plain class = iota
	comment
	variable
	number
	text   // a string or a quoted name
	sign   // an operator or a bracket
	pragma // @node
	stop   // the full stop of a clause
)

// A span is the bytes from and to of a line.
type span struct {
	from, to int32
	class    class
}

// A lexer cuts the lines of an FGHC program into spans. It reads what fghc/syntax reads, but never fails: what is no token is plain.
type lexer struct {
	open int // comments that are not closed
}

// line returns the spans of the next line, without what is blank.
func (l *lexer) line(s string) (spans []span) {
	add := func(from, to int, c class) {
		if to > from {
			spans = append(spans, span{int32(from), int32(to), c})
		}
	}
	for i := 0; i < len(s); {
		start := i
		c := s[i]
		switch {
		case l.open > 0:
			i = l.comment(s, i)
			add(start, i, comment)
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '%':
			i = len(s)
			add(start, i, comment)
		case strings.HasPrefix(s[i:], "/*"):
			l.open = 1
			i = l.comment(s, i+2)
			add(start, i, comment)
		case c == '"' || c == '\'':
			i = quoted(s, i)
			add(start, i, text)
		case digit(c):
			i = numeral(s, i)
			add(start, i, number)
		case c >= 'A' && c <= 'Z' || c == '_':
			i = word(s, i)
			add(start, i, variable)
		case letter(c):
			i = word(s, i)
			add(start, i, plain)
		case c == '@':
			i = word(s, i+1)
			add(start, i, pragma)
		case symbol(c):
			i = symbols(s, i)
			if s[i-1] == '.' && ends(s, i) {
				add(start, i-1, sign)
				add(i-1, i, stop)
			} else {
				add(start, i, sign)
			}
		default:
			i++
			add(start, i, sign)
		}
	}
	return spans
}

// comment passes what belongs to the open comments, and those within them.
func (l *lexer) comment(s string, i int) int {
	for i < len(s) && l.open > 0 {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			l.open++
			i += 2
		case strings.HasPrefix(s[i:], "*/"):
			l.open--
			i += 2
		default:
			i++
		}
	}
	return i
}

func quoted(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// numeral passes 12, 16'ff or 0'c.
func numeral(s string, i int) int {
	start := i
	for i < len(s) && digit(s[i]) {
		i++
	}
	if i >= len(s) || s[i] != '\'' {
		return i
	}
	if s[start:i] != "0" {
		return word(s, i+1)
	}
	switch i++; {
	case i < len(s) && s[i] == '\\':
		i++
	case strings.HasPrefix(s[i:], "''"):
		return i + 2
	}
	for i++; i < len(s) && s[i]&0xC0 == 0x80; {
		i++
	}
	return min(i, len(s))
}

func word(s string, i int) int {
	for i < len(s) && (letter(s[i]) || digit(s[i]) || s[i] >= 'A' && s[i] <= 'Z' || s[i] == '_') {
		i++
	}
	return i
}

func symbols(s string, i int) int {
	for start := i; i < len(s) && symbol(s[i]) && (i == start || !strings.HasPrefix(s[i:], "/*")) && (s[i] != '@' || i == start); {
		i++
	}
	return i
}

// ends says whether a full stop before i ends a clause.
func ends(s string, i int) bool {
	return i == len(s) || strings.IndexByte(" \t\r%/", s[i]) >= 0
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }
func symbol(c byte) bool { return strings.IndexByte(`+-*/\^<>=~:.?@#&$`, c) >= 0 }
