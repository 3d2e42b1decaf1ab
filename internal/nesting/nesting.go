// Package nesting finds in a TOML text what its decoder does not: the depth of tables and arrays before it is decoded, and the lines of keys.
// Decoders are recursive: a text of open brackets overflows the stack, which ends the process, and takes time quadratic in the depth.
package nesting

import "strings"

// A scanner holds the state outside strings and comments. The depth at a place is the number of parts of the last
// table header, plus the open brackets, plus the parts of the current key.
type scanner struct {
	header int   // number of parts of the last table header
	around []int // for each open bracket, the depth outside it
	base   int   // depth inside the innermost bracket
	dots   int   // dots of the current key or number
	head   bool  // inside a table header
	begun  bool  // the line has more than blanks
	most   int
}

// TOML returns the depth of nested tables and arrays in a text, 0 if nothing is nested. The result may be slightly
// too large: a number with a point counts as a key of two parts. For an invalid text it is at least the depth up to
// the error.
func TOML(text string) int {
	var s scanner
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '#':
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
				continue
			}
			return s.most
		case '"', '\'':
			s.begun = true
			i += quoted(text[i:])
			continue
		default:
			s.next(c)
		}
		i++
	}
	return s.most
}

func (s *scanner) next(c byte) {
	switch c {
	case ' ', '\t', '\r':
		return
	case '\n':
		s.head, s.begun = false, false
		if len(s.around) == 0 {
			s.dots = 0
		}
		return
	case '[', '{':
		if c == '[' && len(s.around) == 0 && !s.begun {
			s.head, s.header = true, 1
		}
		if !s.head {
			s.around = append(s.around, s.base)
			s.base += s.dots + 1
			s.dots = 0
		}
	case ']', '}':
		if n := len(s.around); n > 0 {
			s.base, s.around = s.around[n-1], s.around[:n-1]
			s.dots = 0
		}
	case ',':
		s.dots = 0
	case '.':
		if s.head {
			s.header++
		} else {
			s.dots++
		}
	}
	s.begun = true
	s.most = max(s.most, s.header+s.base+s.dots)
}

// quoted returns the length of the string at the beginning of a text.
func quoted(text string) int {
	quote := text[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(text, long) {
		end := 3
		for end < len(text) && !strings.HasPrefix(text[end:], long) {
			end += character(text[end:], quote)
		}
		end = min(end+3, len(text))
		for range 2 { // quotes before the closing delimiter belong to the string
			if strings.HasPrefix(text[end:], quote) {
				end++
			}
		}
		return end
	}
	end := 1
	for end < len(text) && text[end] != quote[0] && text[end] != '\n' {
		end += character(text[end:], quote)
	}
	if end < len(text) && text[end] == quote[0] {
		end++
	}
	return min(end, len(text))
}

// character returns the length of the next character of a string in bytes, two if a backslash escapes the second
// byte.
func character(text, quote string) int {
	if text[0] == '\\' && quote == `"` {
		return min(2, len(text))
	}
	return 1
}

// Line returns the line of a key or table in a TOML text, 1 if it is not found. Decoders report lines of syntax errors only.
func Line(text, key string) int {
	line := 0
	for l := range strings.Lines(text) {
		line++
		rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t[\"'"), key)
		if rest = strings.TrimLeft(rest, " \t\"'"); ok && rest != "" && strings.IndexByte("=].", rest[0]) >= 0 {
			return line
		}
	}
	return 1
}
