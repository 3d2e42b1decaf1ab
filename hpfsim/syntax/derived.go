package syntax

import "slices"

type (
	// A TypeDef defines a derived type. Each component is declared by itself.
	TypeDef struct {
		Name
		Components []*Declare
	}

	// A Component is a component of a variable of a derived type. Args are its subscripts, nil for none.
	Component struct {
		X Expr
		Name
		Args []Arg
	}
)

// Position returns the position of the variable.
func (e *Component) Position() Pos { return e.X.Position() }

// derivedType reads TYPE(name). It returns nil and reads nothing if there is none.
func (p *parser) derivedType() *Type {
	pos, from := p.pos(), p.i
	if !p.word("TYPE") || p.peek(0) != '(' {
		p.i = from
		return nil
	}
	p.i++
	t := &Type{Pos: pos, Base: StructureType, Of: p.name("the name of a derived type")}
	p.expect(")", "after the name of a derived type")
	return t
}

// typeDefinition reads a definition of a derived type up to END TYPE. It returns nil and reads nothing if there is none.
func (p *parser) typeDefinition(pos Pos) Spec {
	from := p.i
	if !p.word("TYPE") || p.peek(0) == '(' {
		p.i = from
		return nil
	}
	t := &TypeDef{}
	for p.accept(",") {
		at := p.i
		if !p.word("PUBLIC") && !p.word("PRIVATE") {
			p.fail(at, "PUBLIC or PRIVATE", "%s is not an attribute of a derived type of the subset", p.nextText())
		}
	}
	p.accept("::")
	t.Name = p.name("the name of a derived type")
	p.finish()
	for p.advance() {
		if p.word("END TYPE") {
			p.try(func() { p.endOfType(t) })
			return t
		}
		p.try(func() {
			if p.word("SEQUENCE") || p.word("PRIVATE") {
				p.finish()
				return
			}
			if of := p.optionalType(); of != nil {
				spec := p.declare(p.posAt(0), of)
				if c, ok := spec.(*compound); ok && !slices.ContainsFunc(c.parts, isData) {
					spec = c.parts[0] // the others save pointers that begin with NULL()
				}
				d, ok := spec.(*Declare)
				if !ok {
					p.fail(0, "=", "values between slashes are for variables, and this is a component")
				}
				t.Components = append(t.Components, apart(d)...)
				return
			}
			if p.ending() == "CONTAINS" {
				p.fail(0, "", "procedures of derived types are legal Fortran, but not in the subset")
			}
			p.fail(0, "the declaration of a component, or END TYPE", "%s is not part of a derived type", p.nextText())
		})
	}
	p.report(pos, "END TYPE", "a derived type without END TYPE")
	return t
}

func isData(s Spec) bool {
	_, ok := s.(*Data)
	return ok
}

// endOfType reads the name after END TYPE.
func (p *parser) endOfType(t *TypeDef) {
	if p.done() {
		return
	}
	from := p.i
	if n := p.name("the name of the type"); n.Text != t.Text {
		p.fail(from, t.Text, "END TYPE names %s, but this is %s", n.Text, t.Text)
	}
	p.finish()
}

// apart returns a declaration of several entities as one for each of them.
func apart(d *Declare) []*Declare {
	var out []*Declare
	for _, e := range d.Entities {
		one := *d
		one.Entities = []Entity{e}
		out = append(out, &one)
	}
	return out
}

// components reads the components after a variable.
func (p *parser) components(x Expr) Expr {
	for p.accept("%") {
		c := &Component{X: x, Name: p.name("the name of a component")}
		if p.peek(0) == '(' {
			c.Args = p.args()
		}
		x = c
	}
	return x
}

// path reads the names of components after that of a variable, as in A%B, and joins them.
func (p *parser) path(n Name) Name {
	for p.accept("%") {
		n.Text += "%" + p.name("the name of a component").Text
	}
	return n
}
