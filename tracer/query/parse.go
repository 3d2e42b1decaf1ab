package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whorl/internal/fault"
)

// Bounds of an expression, which may come from a file.
const (
	mostText    = 1 << 18 // bytes
	mostNesting = 200
)

// Parse reads an expression. Its errors are of type *fault.Error.
func Parse(text string) (*Expr, error) {
	if len(text) > mostText || !utf8.ValidString(text) {
		return nil, fail("", 0, fmt.Sprintf("an expression of %d bytes", len(text)), fmt.Sprintf("at most %d bytes of valid UTF-8", mostText))
	}
	p := &parser{lexer: lexer{text: text}}
	root, err := p.parse()
	if err != nil {
		return nil, err
	}
	return &Expr{text, root}, nil
}

// fail returns an error at an offset of a text.
func fail(text string, offset int, msg, want string) error {
	begin := strings.LastIndexByte(text[:offset], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	pos := fault.Pos{File: "expression", Line: int32(1 + strings.Count(text[:begin], "\n")), Column: int32(1 + utf8.RuneCountInString(text[begin:offset]))}
	return &fault.Error{Pos: pos, Msg: msg, Line: line, Want: want}
}

// A parser reads an expression by recursive descent with one token of lookahead.
type parser struct {
	lexer
	token   token
	nesting int
	err     error // the first one
}

func (p *parser) parse() (*node, error) {
	p.advance()
	if p.err == nil && p.token.kind == endToken {
		p.fail("the expression is empty", "a condition such as pe in 3..7")
	}
	n := p.expression()
	if p.err == nil && p.token.kind != endToken {
		p.fail("unexpected "+p.token.String(), "an operator such as and, or, =, <, in or ~, or the end")
	}
	return n, p.err
}

func (p *parser) fail(msg, want string) {
	if p.err == nil {
		p.err = fail(p.text, p.token.offset, msg, want)
	}
	p.token = token{offset: p.token.offset} // ends all loops
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	t, err := p.next()
	if p.token = t; err != nil {
		p.err = err
		p.token = token{offset: t.offset}
	}
}

// accept skips a word or a sign. It reports whether it was there.
func (p *parser) accept(text string) bool {
	if p.token.text != text || p.token.kind != nameToken && p.token.kind != signToken {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(sign, where string) {
	if !p.accept(sign) {
		p.fail("unexpected "+p.token.String(), sign+" "+where)
	}
}

func (p *parser) expression() *node {
	if p.nesting++; p.nesting > mostNesting {
		p.fail("the expression is nested too deeply", fmt.Sprintf("at most %d levels", mostNesting))
		return &node{}
	}
	defer func() { p.nesting-- }()
	x := p.conjunction()
	for {
		offset := p.token.offset
		if !p.accept("or") {
			return x
		}
		x = &node{op: orNode, offset: offset, args: []*node{x, p.conjunction()}}
	}
}

func (p *parser) conjunction() *node {
	x := p.negation()
	for {
		offset := p.token.offset
		if !p.accept("and") {
			return x
		}
		x = &node{op: andNode, offset: offset, args: []*node{x, p.negation()}}
	}
}

// negation parses a comparison behind any number of nots.
func (p *parser) negation() *node {
	var offsets []int
	for {
		offset := p.token.offset
		if !p.accept("not") {
			break
		}
		offsets = append(offsets, offset)
	}
	return p.prefix(notNode, offsets, p.comparison())
}

// prefix returns x behind prefix operators.
func (p *parser) prefix(o op, offsets []int, x *node) *node {
	if len(offsets) > mostNesting {
		p.fail("the expression is nested too deeply", fmt.Sprintf("at most %d levels", mostNesting))
		return x
	}
	for _, offset := range slices.Backward(offsets) {
		x = &node{op: o, offset: offset, args: []*node{x}}
	}
	return x
}

func (p *parser) comparison() *node {
	x := p.sum()
	offset := p.token.offset
	if p.token.kind == signToken {
		for o := equalNode; o <= atLeastNode; o++ {
			if p.accept(operators[o].sign) {
				return &node{op: o, offset: offset, args: []*node{x, p.sum()}}
			}
		}
		if p.token.text == "~" {
			return p.match(x, offset)
		}
	}
	if p.accept("in") {
		return &node{op: inNode, offset: offset, args: append([]*node{x}, p.members()...)}
	}
	return x
}

func (p *parser) match(x *node, offset int) *node {
	text, begin, err := p.pattern()
	if err == nil {
		_, err = Pattern(text)
	}
	if wrong := new(fault.Error); errors.As(err, &wrong) && wrong.Pos.File == patternFile {
		before := string([]rune(wrong.Line)[:wrong.Pos.Column-1])
		err = fail(p.text, begin+len(before), wrong.Msg, wrong.Want)
	}
	if err != nil {
		p.err, p.token = err, token{}
		return x
	}
	p.advance()
	return &node{op: matchNode, offset: offset, text: text, args: []*node{x}}
}

func (p *parser) members() (members []*node) {
	if !p.accept("{") {
		return []*node{p.member()}
	}
	for {
		members = append(members, p.member())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", "or a comma and another member")
	return members
}

func (p *parser) member() *node {
	x := p.sum()
	offset := p.token.offset
	if p.accept("..") {
		x = &node{op: rangeNode, offset: offset, args: []*node{x, p.sum()}}
	}
	return x
}

func (p *parser) sum() *node { return p.chain(p.product, addNode, subtractNode) }

func (p *parser) product() *node { return p.chain(p.factor, multiplyNode, divideNode) }

// chain parses operands joined by two operators that bind equally.
func (p *parser) chain(operand func() *node, a, b op) *node {
	x := operand()
	for {
		offset := p.token.offset
		var o op
		switch {
		case p.accept(operators[a].sign):
			o = a
		case p.accept(operators[b].sign):
			o = b
		default:
			return x
		}
		x = &node{op: o, offset: offset, args: []*node{x, operand()}}
	}
}

func (p *parser) factor() *node {
	var offsets []int
	for {
		offset := p.token.offset
		if !p.accept("-") {
			break
		}
		offsets = append(offsets, offset)
	}
	return p.prefix(negateNode, offsets, p.primary())
}

// keywords cannot be names.
var keywords = []string{"and", "or", "not", "in"}

func (p *parser) primary() *node {
	t := p.token
	n := &node{offset: t.offset, text: t.text}
	switch {
	case t.kind == numberToken:
		p.number(n)
	case t.kind == textToken:
		n.op = textNode
		if p.advance(); p.accept(":") {
			line := &node{offset: p.token.offset, text: p.token.text}
			if p.number(line); p.err == nil && (!line.value.whole || line.value.dimension != 0) {
				p.err = fail(p.text, line.offset, line.text+" is no line", "the number of a line")
			}
			n.op, n.args = placeNode, []*node{line}
		}
	case t.kind == nameToken && !slices.Contains(keywords, t.text):
		p.advance()
		if t.text == "subtree" && p.accept("(") {
			root := &node{offset: p.token.offset, text: p.token.text}
			p.number(root)
			p.expect(")", "after the task")
			return &node{op: subtreeNode, offset: t.offset, args: []*node{root}}
		}
	case p.accept("("):
		n = p.expression()
		p.expect(")", "to close the parenthesis")
	default:
		p.fail("unexpected "+t.String(), "a field, a number, a text in double quotes or a parenthesis")
	}
	return n
}

// number completes the node of a number.
func (p *parser) number(n *node) {
	n.op = numberNode
	var ok bool
	if n.value, ok = parseNumber(p.token.text); !ok || p.token.kind != numberToken {
		p.fail("unexpected "+p.token.String(), "a number, with or without one of the units ns, us, ms, s")
		return
	}
	p.advance()
}
