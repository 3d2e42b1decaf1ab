package inline

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/syntax"
)

// statements translates statements in sequence.
func (t *translator) statements(tokens []string) error {
	for len(tokens) > 0 {
		switch tokens[0] {
		case ";", "{", "}":
			tokens = tokens[1:]
			continue
		}
		end := slices.Index(tokens, ";")
		if end < 0 {
			end = len(tokens)
		}
		if err := t.statement(tokens[:end]); err != nil {
			return err
		}
		tokens = tokens[end:]
	}
	return nil
}

// maxTokens bounds the nesting of expressions, and with it recursion.
const maxTokens = 5_000

func (t *translator) statement(s []string) error {
	if len(s) > maxTokens {
		return fmt.Errorf("a statement has more than %d tokens", maxTokens)
	}
	if done, err := t.replace(s); done || err != nil {
		return err
	}
	p := &parser{translator: t, rest: s}
	var err error
	switch {
	case isType(s[0]):
		err = p.declaration()
	case s[0] == "if":
		err = p.condition()
	case isArgument(s[0]) && len(s) > 2 && s[1] == "=":
		err = p.assignment()
	case s[0] == "goto" && len(s) == 2 && s[1] == "%f":
		t.add(&syntax.Compound{Pos: t.pos, Name: "=", Args: []syntax.Term{p.integer("0"), p.integer("1")}})
		return nil
	default:
		return fmt.Errorf("unknown statement: %s", strings.Join(s, " "))
	}
	if err == nil && len(p.rest) > 0 {
		err = fmt.Errorf("unexpected %s", p.rest[0])
	}
	return err
}

// isType reports whether a token is part of a type of integers.
func isType(token string) bool {
	return slices.Contains([]string{"int", "long", "short", "char", "unsigned", "signed"}, token)
}

// declaration translates long c = Expression.
func (p *parser) declaration() error {
	for len(p.rest) > 0 && isType(p.rest[0]) {
		p.rest = p.rest[1:]
	}
	if len(p.rest) < 3 || p.rest[1] != "=" {
		return fmt.Errorf("unknown declaration: %s", strings.Join(p.rest, " "))
	}
	name := p.rest[0]
	p.rest = p.rest[2:]
	e, err := p.expression(0)
	if err != nil {
		return err
	}
	value, err := p.number(e)
	if err == nil {
		p.locals[name] = p.assigned(value)
	}
	return err
}

// assigned adds the assignment of a value to a new variable.
func (p *parser) assigned(value syntax.Term) *syntax.Var {
	p.variables++
	v := &syntax.Var{Pos: p.pos, Name: fmt.Sprintf("_C%d", p.variables)}
	p.add(p.compound(":=", v, value))
	return v
}

// assignment translates %1 = makeint(Expression) and %1 = %0.
func (p *parser) assignment() error {
	v, err := p.variable(p.rest[0])
	if err != nil {
		return err
	}
	p.rest = p.rest[2:]
	if isArgument(p.rest[0]) && len(p.rest) == 1 {
		w, err := p.variable(p.rest[0])
		if err != nil {
			return err
		}
		p.rest = nil
		p.add(p.compound("=", v, w))
		return nil
	}
	if p.rest[0] != "makeint" {
		return fmt.Errorf("unknown value: %s", strings.Join(p.rest, " "))
	}
	p.rest = p.rest[1:]
	e, err := p.parentheses()
	if err == nil {
		var value syntax.Term
		if value, err = p.number(e); err == nil {
			p.add(p.compound(":=", v, value))
		}
	}
	return err
}

// condition translates if (Condition) goto %f.
func (p *parser) condition() error {
	p.rest = p.rest[1:]
	e, err := p.parentheses()
	if err != nil {
		return err
	}
	if len(p.rest) > 0 && p.rest[0] == "{" {
		p.rest = p.rest[1:]
	}
	if len(p.rest) != 2 || p.rest[0] != "goto" || p.rest[1] != "%f" {
		return fmt.Errorf("unknown statement after a condition: %s", strings.Join(p.rest, " "))
	}
	p.rest = nil
	return p.require(e, false)
}

// require adds tests that hold if a condition has a truth value.
func (p *parser) require(e *node, truth bool) error {
	switch {
	case e.op == "!" && len(e.args) == 1:
		return p.require(e.args[0], !truth)
	case e.op == "&&" && truth, e.op == "||" && !truth:
		if err := p.require(e.args[0], truth); err != nil {
			return err
		}
		return p.require(e.args[1], truth)
	case e.op == "&&", e.op == "||":
		return fmt.Errorf("a guard cannot test that one of two conditions holds")
	}
	if class := classOf(e.op); class != nil {
		return p.classify(e.args[0], class, truth)
	}
	i := slices.IndexFunc(comparisons, func(c comparison) bool { return c.c == e.op })
	if i < 0 {
		e, i = &node{op: "!=", args: []*node{e, {op: "0"}}}, slices.IndexFunc(comparisons, func(c comparison) bool { return c.c == "!=" })
	}
	x, err := p.number(e.args[0])
	if err != nil {
		return err
	}
	y, err := p.number(e.args[1])
	if err != nil {
		return err
	}
	name := comparisons[i].yes
	if !truth {
		name = comparisons[i].no
	}
	p.add(p.compound(name, x, y))
	return nil
}

// classify adds the test whether a character is in a class, as an element of a string.
func (p *parser) classify(e *node, class func(c byte) bool, truth bool) error {
	value, err := p.number(e)
	if err != nil {
		return err
	}
	table := make([]byte, 256)
	for c := range table {
		table[c] = '0'
		if class(byte(c)) == truth {
			table[c] = '1'
		}
	}
	if _, ok := value.(*syntax.Var); !ok {
		value = p.assigned(value)
	}
	p.add(p.compound("string_element", &syntax.Str{Pos: p.pos, Value: string(table)}, value, &syntax.Int{Pos: p.pos, Value: '1'}))
	return nil
}

// classOf returns the class of characters that a function of C tests, nil for other names.
func classOf(name string) func(c byte) bool {
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	lower := func(c byte) bool { return c >= 'a' && c <= 'z' }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	alpha := func(c byte) bool { return upper(c) || lower(c) }
	graph := func(c byte) bool { return c > ' ' && c < 0x7f }
	switch name {
	case "isupper":
		return upper
	case "islower":
		return lower
	case "isdigit":
		return digit
	case "isalpha":
		return alpha
	case "isalnum":
		return func(c byte) bool { return alpha(c) || digit(c) }
	case "isgraph":
		return graph
	case "isprint":
		return func(c byte) bool { return c == ' ' || graph(c) }
	case "ispunct":
		return func(c byte) bool { return graph(c) && !alpha(c) && !digit(c) }
	case "isspace":
		return func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
	}
	return nil
}

// A comparison is an operator of C, the test that it holds, and the test that it does not.
type comparison struct{ c, yes, no string }

var comparisons = []comparison{
	{"<", "<", ">="}, {">", ">", "=<"}, {"<=", "=<", ">"}, {">=", ">=", "<"}, {"==", "=:=", `=\=`}, {"!=", `=\=`, "=:="},
}
