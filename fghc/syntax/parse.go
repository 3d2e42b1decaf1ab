package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxSource bounds the length of a source, so that positions fit their fields.
const maxSource = 1 << 30

// Parse reads a program. Positions of terms and errors carry name. The File is never nil: it holds the clauses that could be read, and
// Damaged lists the procedures of the others. Only a File without errors can be compiled.
func Parse(name, src string) (*File, Errors) {
	f := &File{Name: name, Source: src}
	p, errs := newParser(name, src)
	if p == nil {
		return f, errs
	}
	p.program(f)
	return f, p.errs.Locate(src)
}

// program reads all items of a file.
func (p *parser) program(f *File) {
	r := reader{parser: p, file: f}
	for p.tok.kind != tokEOF {
		start := p.tok
		if !r.item() {
			r.damaged(start)
			p.skip(start.off)
		}
	}
	r.flushSeparator(nil)
}

// ParseGoals reads the goals of a query: "qsort([2,1],X), p(X)". It may begin with ?- and end with a full stop.
func ParseGoals(name, src string) ([]Goal, Errors) {
	p, errs := newParser(name, src)
	if p == nil {
		return nil, errs
	}
	if p.tok.kind == tokName && p.tok.text == "?-" {
		p.advance()
	}
	goals, ok := p.goals()
	if ok && p.tok.kind == tokEnd {
		p.advance()
	}
	if ok && p.tok.kind != tokEOF && !p.noOperator() {
		p.unexpected("an operator, a comma or the end of the query")
	}
	return goals, p.errs.Locate(src)
}

func newParser(name, src string) (*parser, Errors) {
	p := &parser{scanner: newScanner(name, src), ops: Standard}
	switch {
	case len(src) > maxSource:
		p.fail(p.pos(), "at most 1 GiB", "the source is too long")
		return nil, p.errs
	case !utf8.ValidString(src):
		p.errs = append(p.errs, NotUTF8(name, src))
		src = strings.ToValidUTF8(src, "\ufffd")
		p.scanner.src = src
	}
	p.ended = p.pos()
	p.tok = p.next()
	return p, nil
}

// NotUTF8 returns the error for a text with a byte that is not UTF-8.
func NotUTF8(name, src string) *Error {
	s := newScanner(name, src)
	for s.off < len(src) {
		r, size := utf8.DecodeRuneInString(src[s.off:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			s.newline()
			continue
		}
		s.off += size
		s.extra += size - 1
	}
	e := &Error{Pos: s.pos(), Msg: "the text is not in UTF-8", Want: "UTF-8"}
	if s.off < len(src) {
		c := src[s.off]
		e.Msg = fmt.Sprintf("the byte %02x is not UTF-8", c)
		if c >= 0xa0 {
			e.Want = fmt.Sprintf("UTF-8; in Latin-1 the byte is %c, and iconv -f latin1 -t utf-8 converts such a text", c)
		}
	}
	return e
}

// skip advances past a clause with an error: to the full stop, or to a name in the first column where the clause could have ended. The
// latter recovers from a missing full stop and from an unclosed string.
func (p *parser) skip(start int) {
	for p.tok.kind != tokEOF {
		switch p.tok.kind {
		case tokEnd:
			p.advance()
			return
		case tokName, tokQuoted:
			if p.tok.pos.Column == 1 && p.tok.off > start && !p.goesOn() {
				return
			}
		}
		p.advance()
	}
}

// goesOn reports whether a clause cannot end with the token before the current one.
func (p *parser) goesOn() bool {
	switch p.prev {
	case tokOpen, tokOpenList, tokOpenVector, tokComma, tokBar:
		return true
	case tokName:
		return p.ops.infix[p.name].Name != ""
	}
	return false
}

// goals reads goals separated by commas, flattening conjunctions and omitting true.
func (p *parser) goals() ([]Goal, bool) {
	var goals []Goal
	for {
		t, _ := p.term(999, "a goal")
		if t == nil {
			return goals, false
		}
		goals = p.addGoals(goals, t)
		if p.tok.kind != tokComma {
			return goals, true
		}
		p.advance()
	}
}
