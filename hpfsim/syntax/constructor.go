package syntax

import "strings"

// constructor reads an array constructor up to its end.
func (p *parser) constructor(pos Pos, end string) Expr {
	c := &Constructor{Pos: pos}
	if from := p.i; p.typeAhead(end) {
		if c.Type = p.optionalType(); c.Type == nil {
			c.Type = &Type{Pos: pos, Base: StructureType, Of: p.name("a type")}
		}
		if !p.accept("::") {
			p.i = from
			p.unexpected("a type", "in an array constructor")
		}
		if p.accept(end) {
			return c
		}
	}
	for {
		c.Items = append(c.Items, p.item())
		if !p.accept(",") {
			p.expect(end, "in an array constructor")
			return c
		}
	}
}

// typeAhead reports whether a type and :: come before the end of an array constructor.
func (p *parser) typeAhead(end string) bool {
	found := false
	if !letter(p.peek(0)) {
		return false
	}
	p.scan(p.i, func(i, depth int) bool {
		c := p.text[i]
		found = depth == 0 && c == ':' && i+1 < len(p.text) && p.text[i+1] == ':'
		return !found && depth >= 0 && !(depth == 0 && (c == ',' || c == '/' && end == "/)"))
	})
	return found
}

// item reads an expression, or an implied loop: (items, v = lo, hi[, step]).
func (p *parser) item() Expr {
	if p.peek(0) == '(' && p.loopAhead() {
		defer p.enter()()
		d := &ImpliedDo{Pos: p.pos()}
		p.i++
		for {
			d.Items = append(d.Items, p.item())
			p.expect(",", "in an implied loop")
			if p.controlAhead() {
				break
			}
		}
		d.Control = p.control()
		p.expect(")", "in an implied loop")
		return d
	}
	return p.expr()
}

// controlAhead reports whether name= is next.
func (p *parser) controlAhead() bool {
	from := p.i
	defer func() { p.i = from }()
	return letter(p.peek(0)) && p.scanName() != "" && p.peek(0) == '=' && p.peek(1) != '='
}

// loopAhead reports whether the next parentheses hold v=... outside of inner ones.
func (p *parser) loopAhead() bool {
	loop := false
	p.scan(p.i, func(i, depth int) bool {
		loop = p.text[i] == '=' && depth == 1 && i > 0 && strings.IndexByte("=/<>", p.text[i-1]) < 0 && (i+1 == len(p.text) || p.text[i+1] != '=')
		return !loop && (depth != 0 || p.text[i] != ')')
	})
	return loop
}

// control reads v = lo, hi[, step].
func (p *parser) control() Control {
	c := Control{Var: p.name("a variable")}
	p.expect("=", "after the variable of a loop")
	c.Lo = p.expr()
	p.expect(",", "in the bounds of a loop")
	c.Hi = p.expr()
	if p.accept(",") {
		c.Step = p.expr()
	}
	return c
}
