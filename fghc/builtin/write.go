package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A writing turns a term into the text that KLIC's streams print, which is not quite that of a program's listing: there are no spaces but
// where two names or two signs would run together.
type writing struct {
	c     Context
	out   []byte
	last  byte // of the last token
	plain bool // no operators, and no quotes around atoms
	todo  []piece
	left  int // terms that may still be printed
}

// A piece is a term or a token that is still to be written.
type piece struct {
	w        term.Word
	token    string // instead of a term, where it is not ""
	priority int
	tail     bool // w is the tail of a list
	operand  bool // w stands behind a prefix operator
}

// textOf returns a term as putt prints it, or plainly, as print does. Unbound variables are _.
func textOf(c Context, w term.Word, plain bool) []byte {
	t := &writing{c: c, plain: plain, left: maxSteps, last: ' '}
	t.push(piece{w: w, priority: 1200})
	for len(t.todo) > 0 && t.left > 0 {
		p := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		switch {
		case p.token != "":
			t.token(p.token)
		case p.tail:
			t.tail(p.w)
		default:
			t.left--
			t.term(p)
		}
	}
	c.Work(maxSteps - t.left)
	return t.out
}

// push adds pieces so that the first is written first.
func (t *writing) push(pieces ...piece) {
	for _, p := range slices.Backward(pieces) {
		t.todo = append(t.todo, p)
	}
}

// Kinds of characters; two tokens of one kind need a space between them, but for others.
const (
	otherChar = iota
	letterChar
	signChar
)

func charKind(c byte) int {
	switch {
	case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
		return letterChar
	case syntax.Symbol(c):
		return signChar
	}
	return otherChar
}

func (t *writing) token(s string) {
	if k := charKind(s[0]); k != otherChar && k == charKind(t.last) {
		t.out = append(t.out, ' ')
	}
	t.out = append(t.out, s...)
	t.last = s[len(s)-1]
}

func (t *writing) term(p piece) {
	c, w := t.c, t.c.Deref(p.w)
	switch w.Tag() {
	case term.Ref:
		t.token("_")
		return
	case term.Int:
		t.token(strconv.FormatInt(w.Value(), 10))
		return
	case term.List:
		t.push(piece{token: "["}, piece{w: c.Load(w.Index()), priority: 999}, piece{w: c.Load(w.Index() + 1), tail: true})
		return
	}
	if n, ok := Size(c, w); ok {
		t.sequence("{", Elements(c, w), "}", n)
		return
	}
	if b, ok := Text(c, w); ok {
		t.token(quotedString(b))
		return
	}
	if v, ok := Integer(c, w); ok {
		t.token(v.String())
		return
	}
	if v, ok := Float(c, w); ok {
		t.token(floatText(v))
		return
	}
	if w.Tag() == term.Box {
		t.token("$object")
		return
	}
	f, n := functorOf(c, w)
	t.structure(c.Symbols().Name(f.Index()), w, n, p)
}

// tail writes the rest of a list behind an element.
func (t *writing) tail(w term.Word) {
	w = t.c.Deref(w)
	switch {
	case w.Tag() == term.List:
		t.token(",")
		t.left--
		t.push(piece{w: t.c.Load(w.Index()), priority: 999}, piece{w: t.c.Load(w.Index() + 1), tail: true})
	case w == term.Nil:
		t.token("]")
	default:
		t.token("|")
		t.push(piece{w: w, priority: 999}, piece{token: "]"})
	}
}

func (t *writing) sequence(open string, parts []term.Word, end string, n int) {
	pieces := []piece{{token: open}}
	for k, w := range parts {
		if k > 0 {
			pieces = append(pieces, piece{token: ","})
		}
		pieces = append(pieces, piece{w: w, priority: 999})
	}
	t.push(append(pieces, piece{token: end})...)
}

// structure writes an atom or a structure of n arguments.
func (t *writing) structure(name string, w term.Word, n int, p piece) {
	text := name
	if !t.plain {
		text = atomText(name)
	}
	if text == "" {
		text = " "
	}
	if t.plain {
		if n == 0 {
			t.token(text)
			return
		}
		t.token(text)
		t.sequence("(", structureArgs(t.c, w, n), ")", n)
		return
	}
	infix, prefix, postfix := infixes[name], prefixes[name], postfixes[name]
	var pieces []piece
	args := structureArgs(t.c, w, n)
	switch {
	case n == 2 && infix.Priority > 0:
		sign := text
		if name == "," || name == ";" || name == "|" {
			sign = name
		}
		pieces = []piece{{w: args[0], priority: infix.Left}, {token: sign}, {w: args[1], priority: infix.Right}}
	case n == 1 && prefix.Priority > 0:
		pieces = []piece{{token: text}, {w: args[0], priority: prefix.Right, operand: true}}
	case n == 1 && postfix.Priority > 0:
		pieces = []piece{{w: args[0], priority: postfix.Left}, {token: text}}
	case n == 0:
		pieces = []piece{{token: text}}
	default:
		t.token(text)
		t.sequence("(", args, ")", n)
		return
	}
	open := "("
	if p.operand {
		open = " (" // or it would be an application
	}
	if max(infix.Priority, prefix.Priority, postfix.Priority) > p.priority {
		pieces = append(append([]piece{{token: open}}, pieces...), piece{token: ")"})
	}
	t.push(pieces...)
}

// atomText returns the name of an atom, in quotes where it needs them.
func atomText(name string) string {
	if name == "[]" || name == "!" {
		return name
	}
	bare := name != "" && name != "."
	kind := otherChar
	for i := range len(name) {
		switch k := charKind(name[i]); {
		case i == 0 && (k == otherChar || name[i] >= '0' && name[i] <= '9' || name[i] >= 'A' && name[i] <= 'Z' || name[i] == '_'):
			bare = false
		case i > 0 && k != kind:
			bare = false
		default:
			kind = k
		}
	}
	if bare {
		return name
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(name) + "'"
}

func quotedString(b []byte) string {
	out := []byte{'"'}
	for _, c := range b {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c < ' ':
			out = fmt.Appendf(out, `\%03o`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

// floatText returns a float with up to 15 digits, and always with a point.
func floatText(v float64) string {
	s := strconv.FormatFloat(v, 'g', 15, 64)
	if strings.ContainsAny(s, ".IN") {
		return s
	}
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return s + ".0"
	}
	return mantissa + ".0e" + exponent
}

var infixes, prefixes, postfixes = operators(false, false), operators(true, false), operators(false, true)

func operators(prefix, postfix bool) map[string]syntax.Operator {
	m := map[string]syntax.Operator{}
	for _, op := range syntax.Operators {
		if op.Prefix == prefix && op.Postfix == postfix {
			m[op.Name] = op
		}
	}
	return m
}
