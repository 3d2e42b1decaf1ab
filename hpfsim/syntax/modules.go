package syntax

import "strings"

type (
	// A Use makes names of a module known in a unit.
	Use struct {
		Pos
		Module Name
		Only   bool // the names of Names alone; else all, and Names has the renamed ones
		Names  []Rename
	}

	// A Rename is a name of a module and the name that it has here, which may be the same.
	Rename struct{ Local, Name Name }

	// An Access is PUBLIC or PRIVATE: for its names, or for all names of a module without an Access of their own.
	Access struct {
		Pos
		Private bool
		Names   []Name
	}
)

// use reads USE module, USE module, local => name and USE module, ONLY: names.
func (p *parser) use(pos Pos) Spec {
	p.accept("::")
	u := &Use{Pos: pos, Module: p.name("the name of a module")}
	if p.done() {
		return u
	}
	p.expect(",", "after the name of a module")
	if p.accept("ONLY:") {
		if u.Only = true; p.done() {
			return u
		}
	}
	p.commas(func() {
		from := p.i
		r := Rename{Local: p.generic("a name of the module")}
		if r.Name = r.Local; p.accept("=>") {
			r.Name = p.generic("a name of the module")
		} else if !u.Only {
			p.fail(from, "ONLY: "+r.Local.Text+", or local => "+r.Local.Text, "a name without => follows the module %s", u.Module.Text)
		}
		u.Names = append(u.Names, r)
	})
	p.finish()
	return u
}

// access reads the names after PUBLIC or PRIVATE.
func (p *parser) access(pos Pos, private bool) Spec {
	a := &Access{Pos: pos, Private: private}
	p.accept("::")
	if !p.done() {
		p.commas(func() { a.Names = append(a.Names, p.generic("a name of the module")) })
	}
	p.finish()
	return a
}

// generic reads a name, OPERATOR(.name.), OPERATOR(+) or ASSIGNMENT(=). The text of an operator is that of its
// canonical form: OPERATOR(==) for OPERATOR(.EQ.).
func (p *parser) generic(what string) Name {
	pos, from := p.pos(), p.i
	switch {
	case p.accept("ASSIGNMENT(=)"):
		return Name{"ASSIGNMENT(=)", pos}
	case p.accept("OPERATOR("):
		op := p.operatorName()
		if op == "" {
			p.fail(from, "an operator in parentheses, such as OPERATOR(+) or OPERATOR(.name.)", "this is not an operator")
		}
		p.expect(")", "after an operator")
		return Name{"OPERATOR(" + op + ")", pos}
	}
	return p.name(what)
}

// operatorName reads an operator, in its canonical form. It returns "" if there is none.
func (p *parser) operatorName() string {
	if p.accept("**") {
		return Pow.String()
	}
	if p.accept(".NOT.") {
		return Not.String()
	}
	for _, level := range levels {
		for _, o := range level {
			if text := o.text; p.is(text) && (text[0] == '.' || p.peek(len(text)) == ')') {
				p.i += len(text)
				return o.op.String()
			}
		}
	}
	if n := p.dottedName(); n != "" {
		p.i += len(n)
		return strings.ToLower(n)
	}
	return ""
}

// dottedName returns the name between points that is next, with its points, and "" if there is none. It reads nothing.
func (p *parser) dottedName() string {
	if p.peek(0) != '.' {
		return ""
	}
	n := 1
	for letter(p.peek(n)) {
		n++
	}
	if n == 1 || p.peek(n) != '.' {
		return ""
	}
	return string(p.text[p.i : p.i+n+1])
}
