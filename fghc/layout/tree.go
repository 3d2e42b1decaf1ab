package layout

import (
	"slices"
	"unicode/utf8"

	"whorl/fghc/syntax"
)

// A node is a token, or a pair of brackets with its contents; the token is then the opening bracket.
type node struct {
	token
	*group
	space bool // preceded by a space within a line
	width int  // on one line, without that space
	rigid bool // cannot be written on one line, because of comments or the author's line breaks
}

// A group is the contents of brackets.
type group struct {
	close  token
	items  []sequence
	level  int
	choice bool // the cases of a goal
}

// A sequence is a list of nodes and the comma or bar that ends it.
type sequence struct {
	nodes []node
	end   *token
	width int // on one line, including end
	rigid bool
}

// The amounts of blank space around operators.
const (
	goals = iota // between the parts of a goal, where -X and +X are suffixes
	terms        // in the arguments of a goal
	tight        // in lists and vectors
)

// A builder turns tokens into nodes.
type builder struct {
	tokens []token
	next   int
}

// sequence builds nodes up to a closing bracket, a separator or the end of the tokens.
func (b *builder) sequence(level int) sequence {
	var s sequence
	if level == goals && b.compares() {
		level = terms
	}
	for b.next < len(b.tokens) {
		t := b.tokens[b.next]
		if closes(t) {
			break
		}
		b.next++
		if (t.Kind == syntax.Comma || t.Kind == syntax.Bar) && t.Role == syntax.Plain {
			s.end = &t
			s.width += closing(t)
			s.rigid = s.rigid || t.after != ""
			break
		}
		n := node{token: t, width: size(t), rigid: t.after != "" || len(t.before) > 0}
		for _, c := range t.text {
			n.rigid = n.rigid || c == '\n'
		}
		if len(s.nodes) > 0 {
			n.space = spaced(s.nodes[len(s.nodes)-1], n, level)
		}
		if opens(t) {
			b.group(&n, level, s.nodes)
		}
		if n.space {
			s.width++
		}
		s.width += n.width
		s.rigid = s.rigid || n.rigid
		s.nodes = append(s.nodes, n)
	}
	return s
}

// compares reports whether the next goal is an infix operator between two terms.
func (b *builder) compares() bool {
	depth := 0
	for _, t := range b.tokens[b.next:] {
		switch {
		case opens(t):
			depth++
		case closes(t):
			depth--
		case depth == 0 && (t.Kind == syntax.Comma || t.Kind == syntax.Bar) && t.Role == syntax.Plain:
			return false
		case depth == 0 && t.Role == syntax.Infix && syntax.Loose(t.text):
			return true
		}
		if depth < 0 {
			return false
		}
	}
	return false
}

// group builds the contents of the brackets that n opens.
func (b *builder) group(n *node, level int, before []node) {
	call := n.tight && len(before) > 0 && called(before[len(before)-1])
	inner := tight
	if n.text == "(" && level != tight && (len(before) == 0 || before[len(before)-1].text != "#") {
		inner = level
		if call {
			inner = terms
			if name := before[len(before)-1].text; name == "~" || name == "$~" {
				inner = tight
			}
		}
	}
	g := &group{level: inner}
	n.group = g
	n.rigid = n.rigid || n.after != ""
	for b.next < len(b.tokens) && !closes(b.tokens[b.next]) {
		s := b.sequence(inner)
		if k := len(s.nodes); k > 0 && s.nodes[0].lines > 0 {
			n.rigid = true
		}
		g.items = append(g.items, s)
		n.width += s.width
		n.rigid = n.rigid || s.rigid
		if len(g.items) > 1 && commaSpace(inner, *g.items[len(g.items)-2].end) {
			n.width++
		}
	}
	if b.next < len(b.tokens) {
		g.close = b.tokens[b.next]
		b.next++
	}
	n.width += closing(g.close)
	n.rigid = n.rigid || len(g.close.before) > 0 || g.close.after != ""
	if n.text == "(" && !call && len(g.items) == 1 {
		g.choice = slices.ContainsFunc(g.items[0].nodes, func(n node) bool { return n.Role == syntax.Infix && (n.text == ";" || n.text == "->") })
	}
	if g.choice {
		n.width += 2
		for i, n2 := range g.items[0].nodes { // the author wrote several lines
			n.rigid = n.rigid || i > 0 && n2.lines > 0
		}
	}
}

func opens(t token) bool {
	return t.Kind == syntax.Bracket && (t.text == "(" || t.text == "[" || t.text == "{")
}

func closes(t token) bool {
	return t.Kind == syntax.Stop || t.Kind == syntax.Bracket && !opens(t)
}

// called reports whether a parenthesis directly after a node opens the arguments of a structure.
func called(n node) bool {
	switch n.Kind {
	case syntax.Identifier, syntax.Quoted, syntax.Sign:
		return n.Role == syntax.Plain && n.group == nil
	}
	return false
}

// commaSpace reports whether a space follows a separator.
func commaSpace(level int, t token) bool { return level != tight && t.Kind == syntax.Comma }

// size returns the width of a token and its lead.
func size(t token) int {
	n := utf8.RuneCountInString(t.text)
	if t.lead != "" {
		n += utf8.RuneCountInString(t.lead) + 1
	}
	return n
}

// closing returns the width of a separator, a closing bracket or a period, and of the space before its lead.
func closing(t token) int {
	n := size(t)
	if t.lead != "" && t.Kind != syntax.Comma && t.Kind != syntax.Stop { // put writes no space between their lead and them
		n++
	}
	return n
}

// spaced reports whether there is a space between two nodes.
func spaced(a, b node, level int) bool {
	end := a.token
	if a.group != nil {
		end = a.group.close
	}
	switch {
	case b.lead != "":
		return true
	case opens(b.token) && b.text == "(" && b.tight && called(a):
		return false
	case opens(b.token) && b.text == "(" && (called(a) || a.Role == syntax.Prefix):
		return true
	case b.Kind == syntax.Comma:
		return false
	case b.Role == syntax.Infix && apart(b.text, level), a.Role == syntax.Infix && (apart(a.text, level) || a.Kind == syntax.Comma):
		return true
	case a.Role == syntax.Prefix && syntax.Word(a.text):
		return true
	case a.Role == syntax.Plain && a.group == nil && b.Role == syntax.Plain && b.Kind != syntax.Bracket:
		return true // adjacent strings, or a word after a directive
	}
	return touch(end.text, b.text)
}

// apart reports whether there are spaces around an infix operator.
func apart(op string, level int) bool {
	switch {
	case syntax.Word(op), syntax.Loosest(op):
		return true
	case level == tight || op == ":" || op == "@" || op == "#" || op == "::" || op == "^" || op == ",":
		return false
	}
	return level != goals || syntax.Loose(op)
}

// touch reports whether two adjacent tokens would merge.
func touch(a, b string) bool {
	x, y := a[len(a)-1], b[0]
	return syntax.Symbol(x) && syntax.Symbol(y) || alphanumeric(x) && (alphanumeric(y) || y == '\'') || (x == '"' || x == '\'') && x == y
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= utf8.RuneSelf
}
