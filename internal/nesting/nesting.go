// Package nesting measures how deep tables and arrays of a TOML text lie in each other, before anybody decodes it: a decoder that calls
// itself for each level overflows the stack of a text of open brackets, which ends the process, and takes the square of the depth in time.
package nesting

import "strings"

// A scanner is in a line of a text, outside of strings and comments. The depth at a place is that of the table header above it, of the
// brackets around it and of the parts of its key.
type scanner struct {
	header int   // of the last table header, its parts
	around []int // by open bracket, the depth around it
	base   int   // within the innermost bracket
	dots   int   // of the key, or of a number
	head   bool  // in a table header
	begun  bool  // the line has more than blanks
	most   int
}

// TOML is how deep the tables and arrays of a text lie in each other, 0 where there is none within another, or a little more: a number
// with a point counts as a key of two parts. A text that is no TOML has some depth too, up to the place where it goes wrong at least.
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
			s.take(c)
		}
		i++
	}
	return s.most
}

func (s *scanner) take(c byte) {
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

// quoted is how long the string is that a text begins with.
func quoted(text string) int {
	quote := text[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(text, long) {
		end := 3
		for end < len(text) && !strings.HasPrefix(text[end:], long) {
			end += character(text[end:], quote)
		}
		end = min(end+3, len(text))
		for range 2 { // that the string ends with
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

// character is how many bytes the next character of a string may take: two where a backslash keeps the second from ending it.
func character(text, quote string) int {
	if text[0] == '\\' && quote == `"` {
		return min(2, len(text))
	}
	return 1
}
