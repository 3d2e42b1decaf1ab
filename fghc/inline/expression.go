package inline

import (
	"fmt"
	"slices"
	"strconv"

	"whorl/fghc/syntax"
)

// A parser reads the expressions of a statement by operator precedence.
type parser struct {
	*translator
	rest []string
}

// A node is an operator with its operands, or an argument or a number.
type node struct {
	op   string
	args []*node
}

// levels are the operators of C with two operands by ascending precedence.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// parentheses reads an expression in parentheses.
func (p *parser) parentheses() (*node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	e, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	return e, p.expect(")")
}

func (p *parser) expect(token string) error {
	if len(p.rest) == 0 || p.rest[0] != token {
		return fmt.Errorf("a statement lacks %s", token)
	}
	p.rest = p.rest[1:]
	return nil
}

func (p *parser) expression(level int) (*node, error) {
	if level == len(levels) {
		return p.operand()
	}
	left, err := p.expression(level + 1)
	for err == nil && len(p.rest) > 0 && slices.Contains(levels[level], p.rest[0]) {
		op := p.rest[0]
		p.rest = p.rest[1:]
		var right *node
		right, err = p.expression(level + 1)
		left = &node{op, []*node{left, right}}
	}
	return left, err
}

func (p *parser) operand() (*node, error) {
	if len(p.rest) == 0 {
		return nil, fmt.Errorf("a statement ends too early")
	}
	token := p.rest[0]
	switch {
	case token == "(":
		return p.parentheses()
	case slices.Contains([]string{"-", "+", "~", "!"}, token):
		p.rest = p.rest[1:]
		e, err := p.operand()
		return &node{token, []*node{e}}, err
	case token == "intval":
		p.rest = p.rest[1:]
		return p.parentheses()
	case classOf(token) != nil:
		p.rest = p.rest[1:]
		e, err := p.parentheses()
		return &node{token, []*node{e}}, err
	case p.locals[token] != nil:
		p.rest = p.rest[1:]
		return &node{op: token}, nil
	case isArgument(token), token[0] >= '0' && token[0] <= '9', token[0] == '\'':
		p.rest = p.rest[1:]
		return &node{op: token}, nil
	}
	return nil, fmt.Errorf("unknown value: %s", token)
}

// arithmetic are the operators of integer expressions, of C and of the language.
var arithmetic = []struct {
	c    string
	n    int
	name string
}{
	{"+", 2, "+"},
	{"-", 2, "-"},
	{"*", 2, "*"},
	{"/", 2, "/"},
	{"%", 2, "mod"},
	{"&", 2, `/\`},
	{"|", 2, `\/`},
	{"^", 2, "xor"},
	{"<<", 2, "<<"},
	{">>", 2, ">>"},
	{"-", 1, "-"},
	{"+", 1, "+"},
	{"~", 1, `\`},
}

// number returns the integer expression of the language for an expression of C.
func (p *parser) number(e *node) (syntax.Term, error) {
	if len(e.args) == 0 {
		if isArgument(e.op) {
			return p.variable(e.op)
		}
		if v := p.locals[e.op]; v != nil {
			return v, nil
		}
		return p.constant(e.op)
	}
	for _, a := range arithmetic {
		if a.c != e.op || a.n != len(e.args) {
			continue
		}
		var args []syntax.Term
		for _, arg := range e.args {
			x, err := p.number(arg)
			if err != nil {
				return nil, err
			}
			args = append(args, x)
		}
		return p.compound(a.name, args...), nil
	}
	return nil, fmt.Errorf("%s is no operator of arithmetic", e.op)
}

func (p *parser) constant(token string) (syntax.Term, error) {
	if token[0] == '\'' {
		s, err := strconv.Unquote(token)
		if err != nil {
			return nil, fmt.Errorf("unknown character: %s", token)
		}
		return p.integer(strconv.Itoa(int([]rune(s)[0]))), nil
	}
	if _, err := strconv.ParseInt(token, 0, 64); err != nil {
		return nil, fmt.Errorf("unknown number: %s", token)
	}
	return p.integer(token), nil
}

// integer returns a number in decimal, octal or hexadecimal notation.
func (p *parser) integer(text string) syntax.Term {
	v, _ := strconv.ParseInt(text, 0, 64) // constant has checked it
	return &syntax.Int{Pos: p.pos, Value: v}
}

func (p *parser) compound(name string, args ...syntax.Term) syntax.Term {
	return &syntax.Compound{Pos: p.pos, Name: name, Args: args}
}
