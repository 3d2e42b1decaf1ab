package goal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"whorl/internal/fault"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// wrong returns an error at the word.
func (p *parser) wrong(want, format string, args ...any) error {
	return &fault.Error{Pos: p.place(), Msg: fmt.Sprintf(format, args...), Line: string(bytes.TrimRight(p.line, "\r\n")), Want: want}
}

// unexpected returns an error for the word.
func (p *parser) unexpected(want string) error {
	if p.word == "" {
		return p.wrong(want, "the file ends")
	}
	return p.wrong(want, "found %s", nearest.Quote(p.word))
}

func (p *parser) place() fault.Pos {
	return fault.Pos{File: p.name, Line: max(1, p.number), Column: int32(utf8.RuneCount(p.line[:p.from])) + 1}
}

// next reads the next word: letters, digits and underscores, a number with its sign, or another character. At the end of
// the text it is empty.
func (p *parser) next() error {
	p.word, p.fresh = "", false
	comment := false
	var opened fault.Pos
	for {
		for p.rest < len(p.line) {
			rest := p.line[p.rest:]
			switch {
			case comment:
				if i := bytes.Index(rest, []byte("*/")); i >= 0 {
					comment = false
					p.rest += i + 2
				} else {
					p.rest = len(p.line)
				}
			case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n':
				p.rest++
			case bytes.HasPrefix(rest, []byte("//")):
				p.rest = len(p.line)
			case bytes.HasPrefix(rest, []byte("/*")):
				p.from = p.rest
				p.rest += 2
				comment, opened = true, p.place()
			default:
				p.cut(rest)
				return nil
			}
		}
		if p.ended {
			if comment {
				return &fault.Error{Pos: opened, Msg: "the comment does not end", Want: "*/"}
			}
			p.from = len(bytes.TrimRight(p.line, "\r\n"))
			return nil
		}
		line, whole, err := p.in.Next()
		if p.ended = errors.Is(err, io.EOF); err != nil && !p.ended {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if len(line) == 0 {
			continue
		}
		p.line, p.rest, p.from, p.fresh = line, 0, 0, true
		p.number++
		if !whole {
			p.line = line[:min(len(line), 100)]
			return p.wrong("at most "+figures.Size(maxLine), "the line is longer")
		}
	}
}

// again makes next read the word again.
func (p *parser) again() { p.rest = p.from }

// cut takes the word at the beginning of the rest of the line.
func (p *parser) cut(rest []byte) {
	n := 0
	if rest[0] == '-' {
		n++
	}
	for n < len(rest) && (rest[n] == '_' || '0' <= rest[n] && rest[n] <= '9' || 'a' <= rest[n]|0x20 && rest[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRune(rest)
	}
	p.from, p.rest = p.rest, p.rest+n
	p.word = string(rest[:n])
}

// label reads the next word of the line, which has to be a label.
func (p *parser) label(want string) (string, error) {
	if err := p.next(); err != nil {
		return "", err
	}
	if p.fresh || !isName(p.word) {
		return "", p.unexpected(want)
	}
	return p.word, nil
}

func isName(word string) bool { return word != "" && 'a' <= word[0]|0x20 && word[0]|0x20 <= 'z' }

// amount reads the next word of the line, which has to begin with a number from least to most. It leaves what follows the
// digits.
func (p *parser) amount(what string, least, most int64) (int64, error) {
	if err := p.next(); err != nil {
		return 0, err
	}
	want := fmt.Sprintf("%s: a whole number from %d to %s", what, least, figures.Count(most))
	n := 0
	for n < len(p.word) && (p.word[n] == '-' && n == 0 || '0' <= p.word[n] && p.word[n] <= '9') {
		n++
	}
	v, err := strconv.ParseInt(p.word[:n], 10, 64)
	if p.fresh || err != nil || v < least || v > most {
		return 0, p.unexpected(want)
	}
	p.rest = p.from + n
	return v, nil
}
