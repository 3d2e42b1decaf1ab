package textio

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A scanner reads the values of a list. Values are separated by blanks or a comma, 3*1.5 stands for three values, and a slash
// keeps the remaining variables unchanged.
type scanner struct {
	record func() (string, error)
	line   string // the record
	pos    int    // next character
	begun  bool   // a record was read
	names  bool   // a group of NAMELIST: a ! begins a comment
	ended  bool   // a slash ended the list
	repeat int    // remaining repetitions of again, after 3*1.5
	again  token
}

// A token is the text of a value.
type token struct {
	text    string
	omitted bool // the input has no value, as between two commas
	quoted  bool // the text was in quotes
}

const (
	mostRepeated = 1 << 30
	mostText     = 1 << 24 // characters of a text in quotes
)

// value returns the next value, of a type. It returns old if the input omits the value.
func (s *scanner) value(t lower.Type, old lower.Value) (lower.Value, error) {
	tok, err := s.next(t.Base)
	if err != nil || tok.omitted {
		return old, err
	}
	switch {
	case t.Base == syntax.CharacterType:
		return lower.Value{S: tok.text}, nil
	case tok.quoted:
		return old, fmt.Errorf("%q is characters, not %v", tok.text, t)
	}
	return parse(tok.text, t, old)
}

// close ends the statement. A statement that read no value skips a record.
func (s *scanner) close() error {
	if s.begun {
		return nil
	}
	return s.read()
}

func (s *scanner) read() error {
	line, err := s.record()
	if err == nil {
		s.line, s.pos, s.begun = line, 0, true
	}
	return err
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// skip moves over blanks of the record and reports whether there are other characters.
func (s *scanner) skip() bool {
	for s.pos < len(s.line) && blank(s.line[s.pos]) {
		s.pos++
	}
	if s.names && s.pos < len(s.line) && s.line[s.pos] == '!' {
		s.pos = len(s.line)
	}
	return s.pos < len(s.line)
}

// more moves to the next character that is not blank, in this record or a later one.
func (s *scanner) more() error {
	for !s.begun || !s.skip() {
		if err := s.read(); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next token, for a value of a type.
func (s *scanner) next(base syntax.BaseType) (token, error) {
	if s.ended {
		return token{omitted: true}, nil
	}
	if s.repeat > 0 {
		s.repeat--
		return s.again, nil
	}
	if err := s.more(); err != nil {
		return token{}, err
	}
	n := 0 // digits before a *
	for s.pos+n < len(s.line) && '0' <= s.line[s.pos+n] && s.line[s.pos+n] <= '9' {
		n++
	}
	count := 1
	if n > 0 && s.pos+n < len(s.line) && s.line[s.pos+n] == '*' {
		k, err := strconv.Atoi(s.line[s.pos : s.pos+n])
		if err != nil || k < 1 || k > mostRepeated {
			return token{}, fmt.Errorf("%q is not a number of repetitions (expected 1 to %d)", s.line[s.pos:s.pos+n], mostRepeated)
		}
		count = k
		s.pos += n + 1
	}
	tok, err := s.one(base, count > 1 || n > 0 && s.pos > 0 && s.line[s.pos-1] == '*')
	s.repeat, s.again = count-1, tok
	return tok, err
}

// one reads a token and the comma after it. A token that is repeated may be empty.
func (s *scanner) one(base syntax.BaseType, repeated bool) (tok token, err error) {
	c := byte(' ')
	if s.pos < len(s.line) {
		c = s.line[s.pos]
	}
	switch {
	case c == '/' && !repeated:
		s.ended = true
		return token{omitted: true}, nil
	case c == ',' || repeated && (blank(c) || c == '/' || c == '!' && s.names):
		tok.omitted = true
	case c == '\'' || c == '"':
		tok.quoted = true
		tok.text, err = s.quoted(c)
	case c == '(' && base == syntax.ComplexType:
		tok.text, err = s.complex()
	default:
		end := s.pos
		for end < len(s.line) && strings.IndexByte(" \t,/", s.line[end]) < 0 && !(s.names && s.line[end] == '!') {
			end++
		}
		tok.text = s.line[s.pos:end]
		s.pos = end
	}
	if s.skip() && s.line[s.pos] == ',' {
		s.pos++
	}
	return tok, err
}

// quoted reads a text in quotes, which may continue in the next records.
func (s *scanner) quoted(quote byte) (string, error) {
	var out strings.Builder
	s.pos++
	for {
		for s.pos < len(s.line) && out.Len() < mostText {
			c := s.line[s.pos]
			s.pos++
			if c == quote {
				if s.pos == len(s.line) || s.line[s.pos] != quote {
					return out.String(), nil
				}
				s.pos++
			}
			out.WriteByte(c)
		}
		if err := s.read(); err != nil || out.Len() == mostText {
			return "", fmt.Errorf("a text is not terminated (expected %c)", quote)
		}
	}
}

// complex reads the text of a complex number, which may continue in the next records.
func (s *scanner) complex() (string, error) {
	text := ""
	for {
		if n := strings.IndexByte(s.line[s.pos:], ')'); n >= 0 {
			text += s.line[s.pos : s.pos+n+1]
			s.pos += n + 1
			return text, nil
		}
		text += s.line[s.pos:]
		if err := s.read(); err != nil || len(text) > 1000 {
			return "", errors.New("a complex number is not terminated (expected a closing parenthesis)")
		}
	}
}
