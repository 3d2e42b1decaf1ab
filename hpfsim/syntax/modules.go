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
	if from := p.i; p.accept(",") {
		if !p.word("INTRINSIC") && !p.word("NON_INTRINSIC") {
			p.fail(from+1, "INTRINSIC or NON_INTRINSIC", "%s is not a kind of module", p.nextText())
		}
	}
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

// interfaceBlock reads an interface up to its END.
func (p *parser) interfaceBlock(pos Pos) Spec {
	s := &Interface{Pos: pos}
	if !p.done() {
		s.Generic = p.generic("a generic name")
		p.finish()
	}
	for p.advance() {
		if p.ending() == "ENDINTERFACE" {
			p.try(func() { p.endInterface(s) })
			return s
		}
		if !p.directive && !p.assignment() && p.word("MODULE PROCEDURE") {
			p.try(func() {
				if s.Generic.Text == "" {
					p.fail(0, "INTERFACE with a generic name", "MODULE PROCEDURE in an interface without a name")
				}
				s.Procedures = append(s.Procedures, p.names("the name of a procedure")...)
				p.finish()
			})
			continue
		}
		p.back()
		s.Units = append(s.Units, p.unit(inUnit))
	}
	p.report(pos, "END INTERFACE", "an interface without END INTERFACE")
	return s
}

// procedures reads PROCEDURE(interface) :: names.
func (p *parser) procedures(pos Pos) Spec {
	p.expect("(", "after PROCEDURE")
	s := &Like{Pos: pos, Interface: p.name("the name of an interface")}
	p.expect(")", "after the name of an interface")
	for from := p.i; p.accept(","); from = p.i {
		switch {
		case p.word("OPTIONAL"):
			s.Optional = true
		case p.word("INTENT"):
			p.intent()
		default:
			p.fail(from, "OPTIONAL", "%s is not an attribute of a procedure of the subset", p.nextText())
		}
	}
	p.accept("::")
	s.Names = p.names("the name of a procedure")
	p.finish()
	return s
}

// endInterface reads the generic name after END INTERFACE.
func (p *parser) endInterface(s *Interface) {
	if p.word("END INTERFACE"); p.done() {
		return
	}
	from := p.i
	if n := p.generic("the generic name"); n.Text != s.Generic.Text {
		p.fail(from, s.Generic.Text, "END INTERFACE names %s, but this is the interface %s", n.Text, s.Generic.Text)
	}
	p.finish()
}

// definedOperator reads an operator of the program, such as .CROSS. It returns "" if none is next.
func (p *parser) definedOperator() string {
	n := p.dottedName()
	if n == "" || n == ".NOT." || n == ".TRUE." || n == ".FALSE." {
		return ""
	}
	for _, level := range levels {
		for _, o := range level {
			if o.text == n {
				return ""
			}
		}
	}
	p.i += len(n)
	return strings.ToLower(n)
}
