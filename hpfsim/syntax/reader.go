package syntax

import (
	"fmt"
	"strconv"

	"whorl/internal/fault"
)

// A parser reads the statements of a source by recursive descent: a method for each rule of the grammar, all at one place in one text.
type parser struct {
	file    *File
	sources *sources
	stmts   []stmt
	next    int
	errs    Errors

	applied map[string]bool // of the unit

	*stmt     // the statement that is read
	i     int // its next character
	depth int
	free  bool
}

// A failure leaves a statement that cannot be read; read catches it.
type failure struct{}

const maxDepth = 200

// fail reports an error at character i of the statement and leaves it.
func (p *parser) fail(i int, want, format string, args ...any) {
	p.report(p.posAt(i), want, format, args...)
	panic(failure{})
}

func (p *parser) report(pos Pos, want, format string, args ...any) {
	p.errs = append(p.errs, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want})
}

func (p *parser) warn(pos Pos, want, format string, args ...any) {
	p.errs = append(p.errs, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want, Severity: fault.Warning})
}

// try runs f, which may fail.
func (p *parser) try(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, mine := r.(failure); !mine {
				panic(r)
			}
			ok = false
		}
	}()
	f()
	return true
}

// posAt returns the position of character i of the statement, or of its end.
func (p *parser) posAt(i int) Pos {
	if i < len(p.offsets) {
		return p.src.pos(p.offsets[i])
	}
	return p.src.pos(p.end)
}

func (p *parser) pos() Pos { return p.posAt(p.i) }

// peek returns the character n ahead, 0 after the end.
func (p *parser) peek(n int) byte {
	if p.i+n < len(p.text) {
		return p.text[p.i+n]
	}
	return 0
}

func (p *parser) done() bool { return p.i >= len(p.text) }

// is reports whether text is next.
func (p *parser) is(text string) bool {
	return len(p.text)-p.i >= len(text) && string(p.text[p.i:p.i+len(text)]) == text
}

// accept skips text if it is next.
func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i += len(text)
		return true
	}
	return false
}

// commas calls read for each item of a list of at least one item, separated by commas.
func (p *parser) commas(read func()) {
	read()
	for p.accept(",") {
		read()
	}
}

// expect skips text, or fails.
func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.unexpected(text, where)
	}
}

// unexpected fails at the next character, somewhere in the statement such as "after IF".
func (p *parser) unexpected(want, where string) {
	p.fail(p.i, want, "unexpected %s %s", p.nextText(), where)
}

// nextText names the next character, or the name that begins with it.
func (p *parser) nextText() string {
	switch c := p.peek(0); {
	case p.done():
		return "end of the statement"
	case letter(c):
		i := p.i
		name := p.scanName()
		p.i = i
		return name
	default:
		return fmt.Sprintf("%q", c)
	}
}

// finish fails unless the statement is read to its end.
func (p *parser) finish() {
	if !p.done() {
		p.unexpected("the end of the statement", "after a complete statement")
	}
}

// word skips a keyword if it is next. A blank in the keyword matches any blanks. In free form a keyword ends where a
// name would.
func (p *parser) word(key string) bool {
	i, blank := p.i, false
	for k := range len(key) {
		if key[k] == ' ' {
			blank = true
			continue
		}
		if i >= len(p.text) || p.text[i] != key[k] {
			return false
		}
		if p.free && i > p.i && p.gap[i] && !blank {
			return false
		}
		blank = false
		i++
	}
	if p.free && i < len(p.text) && nameChar(p.text[i]) && !p.gap[i] {
		return false
	}
	p.i = i
	return true
}

func letter(c byte) bool   { return 'A' <= c && c <= 'Z' }
func digit(c byte) bool    { return '0' <= c && c <= '9' }
func nameChar(c byte) bool { return letter(c) || digit(c) || c == '_' || c == '$' }

// scanName skips a name and returns it.
func (p *parser) scanName() string {
	from := p.i
	for !p.done() && nameChar(p.text[p.i]) && (p.i == from || !p.free || !p.gap[p.i]) {
		p.i++
	}
	return string(p.text[from:p.i])
}

// name reads a name, or fails.
func (p *parser) name(what string) Name {
	if !letter(p.peek(0)) {
		p.unexpected(what, "instead of "+what)
	}
	pos := p.pos()
	from := p.i
	n := p.scanName()
	if len(n) > 63 {
		p.fail(from, "at most 63 characters", "a name of %d characters", len(n))
	}
	return Name{n, pos}
}

// names reads names separated by commas.
func (p *parser) names(what string) []Name {
	out := []Name{p.name(what)}
	for p.accept(",") {
		out = append(out, p.name(what))
	}
	return out
}

// number reads an integer of at most limit.
func (p *parser) number(what string, limit int) int {
	from := p.i
	p.digits()
	n, err := strconv.Atoi(string(p.text[from:p.i]))
	if from == p.i || err != nil || n > limit {
		if from == p.i {
			p.unexpected(what, "instead of "+what)
		}
		p.fail(from, fmt.Sprintf("at most %d", limit), "%s is too large a number", p.text[from:p.i])
	}
	return n
}

// digits skips digits. In free form a blank ends them.
func (p *parser) digits() {
	for from := p.i; digit(p.peek(0)) && (p.i == from || !p.free || !p.gap[p.i]); {
		p.i++
	}
}

// labelRef reads a reference to a label.
func (p *parser) labelRef() int { return p.number("a label", 99999) }

// quoted reads a character constant; its first quote is next.
func (p *parser) quoted() string {
	q := p.text[p.i]
	from := p.i
	p.i++
	var out []byte
	for !p.done() {
		c := p.text[p.i]
		p.i++
		if c != q {
			out = append(out, c)
		} else if p.peek(0) == q && !p.done() {
			out = append(out, c)
			p.i++
		} else {
			return string(out)
		}
	}
	p.fail(from, string(q), "a character constant is not terminated")
	return ""
}
