package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A writing formats a term as KLIC's streams do. Unlike syntax.Format it writes spaces only between tokens that would otherwise merge.
type writing struct {
	c     Context
	out   []byte
	last  byte // of the last token
	style style
	ops   *syntax.OperatorTable
	wrong term.Word // a term that is not wrapped, in the style typed; term.Nil if there is none
	todo  []piece
	left  int // number of terms that may still be written
}

// A style is a way to write terms.
type style uint8

// The styles.
const (
	quoted style = iota // with operators and quotes
	bare                // without operators and quotes
	typed               // as quoted, for terms that name the types of their parts
)

// A piece is a term or a token still to be written.
type piece struct {
	w        term.Word
	token    string // if not "", written instead of w
	priority int
	tail     bool // w is the tail of a list
	operand  bool // w follows a prefix operator
}

// textOf formats a term. Unbound variables are _. In the style typed, wrong is a part of the term that is not
// wrapped, term.Nil if there is none.
func textOf(c Context, w term.Word, style style, ops *syntax.OperatorTable) (text []byte, wrong term.Word) {
	t := &writing{c: c, style: style, ops: ops, wrong: term.Nil, left: maxSteps, last: ' '}
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
	return t.out, t.wrong
}

// push adds pieces, the first on top.
func (t *writing) push(pieces ...piece) {
	for _, p := range slices.Backward(pieces) {
		t.todo = append(t.todo, p)
	}
}

// Kinds of characters. Tokens of the same kind, other than otherChar, need a space between them.
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
	if t.style == typed {
		var kind string
		switch kind, w = t.unwrap(w); kind {
		case "":
			return
		case "variable":
			t.variable(w)
			return
		}
	}
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
	if _, ok := Size(c, w); ok {
		t.sequence("{", Elements(c, w), "}")
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
		t.token(syntax.FormatFloat(v, 15))
		return
	}
	if w.Tag() == term.Box {
		t.token("$object")
		return
	}
	f, n := functorOf(c, w)
	t.structure(c.Symbols().Name(f.Index()), w, n, p)
}

// tail writes the rest of a list after an element.
func (t *writing) tail(w term.Word) {
	rest := t.c.Deref(w)
	if t.style == typed {
		_, rest = t.unwrap(rest)
	}
	switch {
	case rest.Tag() == term.List:
		t.token(",")
		t.left--
		t.push(piece{w: t.c.Load(rest.Index()), priority: 999}, piece{w: t.c.Load(rest.Index() + 1), tail: true})
	case rest == term.Nil:
		t.token("]")
	default:
		t.token("|")
		t.push(piece{w: w, priority: 999}, piece{token: "]"})
	}
}

// unwrap returns the kind and the value of a wrapped term, whose parts are wrapped. It records terms that are not.
func (t *writing) unwrap(w term.Word) (kind string, value term.Word) {
	if f, n := functorOf(t.c, w); w.Tag() == term.Str && n == 1 {
		kind, value = t.c.Symbols().Name(f.Index()), t.c.Deref(structureArgs(t.c, w, 1)[0])
		if kind == "variable" || kind == kindOf(t.c, value) {
			return kind, value
		}
	}
	t.wrong = w
	return "", w
}

// kindOf returns the name that a wrapped term has for the type of its value.
func kindOf(c Context, w term.Word) string {
	if _, ok := Size(c, w); ok {
		return "vector"
	}
	if _, ok := Length(c, w); ok {
		return "string"
	}
	if _, ok := Float(c, w); ok {
		return "floating_point"
	}
	switch {
	case IsInteger(c, w):
		return "integer"
	case w.Tag() == term.Atom:
		return "atom"
	case w.Tag() == term.List:
		return "list"
	}
	return "functor"
}

// variable writes the name of a wrapped variable, or its number.
func (t *writing) variable(w term.Word) {
	name, ok := Text(t.c, w)
	if n, isInt := Small(t.c, w); isInt && n >= 0 {
		name, ok = fmt.Appendf(nil, "_%d", n), true
	}
	if !ok || len(name) == 0 {
		t.wrong = w
		return
	}
	t.token(string(name))
}

func (t *writing) sequence(open string, parts []term.Word, end string) {
	pieces := []piece{{token: open}}
	for k, w := range parts {
		if k > 0 {
			pieces = append(pieces, piece{token: ","})
		}
		pieces = append(pieces, piece{w: w, priority: 999})
	}
	t.push(append(pieces, piece{token: end})...)
}

// structure writes an atom or a structure with n arguments.
func (t *writing) structure(name string, w term.Word, n int, p piece) {
	text := name
	if t.style != bare {
		text = atomText(name)
	}
	if text == "" {
		text = " "
	}
	args := structureArgs(t.c, w, n)
	if t.style == bare {
		t.token(text)
		if n > 0 {
			t.sequence("(", args, ")")
		}
		return
	}
	prefix, infix, postfix := t.ops.Uses(name)
	var pieces []piece
	switch {
	case n == 2 && infix.Priority > 0:
		sign := text
		if name == "," || name == ";" || name == "|" {
			sign = name
		}
		pieces = []piece{{w: args[0], priority: infix.LeftWritten()}, {token: sign}, {w: args[1], priority: infix.Right}}
	case n == 1 && prefix.Priority > 0:
		pieces = []piece{{token: text}, {w: args[0], priority: prefix.Right, operand: true}}
	case n == 1 && postfix.Priority > 0:
		pieces = []piece{{w: args[0], priority: postfix.Left}, {token: text}}
	case n == 0:
		pieces = []piece{{token: text}}
	default:
		t.token(text)
		t.sequence("(", args, ")")
		return
	}
	open := "("
	if p.operand {
		open = " (" // "(" directly after a name would begin arguments
	}
	if max(infix.Priority, prefix.Priority, postfix.Priority) > p.priority {
		pieces = append(append([]piece{{token: open}}, pieces...), piece{token: ")"})
	}
	t.push(pieces...)
}

// atomText returns the name of an atom, quoted if necessary.
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
