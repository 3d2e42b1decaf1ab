package syntax

// spec reads a specification statement. It returns nil and reads nothing for other statements.
func (p *parser) spec() Spec {
	pos := p.posAt(0)
	from := p.i
	if p.assignment() {
		return nil
	}
	switch {
	case p.word("USE"):
		return p.use(pos)
	case p.word("PUBLIC"):
		return p.access(pos, false)
	case p.word("PRIVATE"):
		return p.access(pos, true)
	case p.word("IMPLICIT"):
		return p.implicit(pos)
	case p.word("PARAMETER"):
		return p.parameters(pos)
	case p.word("DATA"):
		return p.data(pos)
	case p.word("NAMELIST"):
		return p.namelist(pos)
	case p.word("COMMON"):
		return p.common(pos)
	case p.word("EQUIVALENCE"):
		return p.equivalence(pos)
	case p.word("ABSTRACT INTERFACE"):
		i := p.interfaceBlock(pos).(*Interface)
		return &Abstract{pos, i.Units}
	case p.peek(len("PROCEDURE")) == '(' && p.word("PROCEDURE"):
		return p.procedures(pos)
	case p.word("INTERFACE"):
		return p.interfaceBlock(pos)
	case p.word("DIMENSION"):
		return p.attribute(pos, 0)
	case p.word("ALLOCATABLE"):
		return p.attribute(pos, AttrAllocatable)
	case p.word("SAVE"):
		if p.done() {
			return &Declare{Pos: pos, Attrs: AttrSave}
		}
		return p.attribute(pos, AttrSave)
	case p.word("EXTERNAL"):
		return p.attribute(pos, AttrExternal)
	case p.word("INTRINSIC"):
		return p.attribute(pos, AttrIntrinsic)
	case p.word("OPTIONAL"):
		return p.attribute(pos, AttrOptional)
	case p.word("POINTER"):
		return p.attribute(pos, AttrPointer|AttrAllocatable)
	case p.word("TARGET"):
		return p.attribute(pos, AttrTarget)
	case p.word("PROTECTED"):
		return p.attribute(pos, AttrProtected)
	case p.word("VALUE"):
		return p.attribute(pos, AttrValue)
	case p.word("VOLATILE"), p.word("ASYNCHRONOUS"), p.word("CONTIGUOUS"):
		return p.attribute(pos, 0)
	case p.word("IMPORT"):
		if p.accept("::"); !p.done() {
			p.names("a name of the unit around the interface")
		}
		p.finish()
		return &Advice{pos, string(p.text)}
	case p.word("ENUM"):
		return p.enumeration(pos)
	case p.word("INTENT"):
		intent := p.intent()
		d := p.attribute(pos, 0)
		d.Intent = intent
		return d
	}
	if t := p.typeDefinition(pos); t != nil {
		return t
	}
	if t := p.optionalType(); t != nil {
		return p.declare(pos, t)
	}
	p.i = from
	p.outsideStmt()
	if p.simpleAhead() {
		return nil
	}
	p.unknown()
	return nil
}

// attribute reads the names of a statement that gives them an attribute.
func (p *parser) attribute(pos Pos, a Attr) *Declare {
	d := &Declare{Pos: pos, Attrs: a}
	p.accept("::")
	p.commas(func() {
		if a&AttrSave != 0 && p.accept("/") { // SAVE /block/: COMMON blocks are always saved here
			p.name("the name of a block of COMMON")
			p.expect("/", "after the name of a block")
		} else {
			d.Entities = append(d.Entities, p.entity())
		}
	})
	p.finish()
	return d
}

// equivalence reads the sets of an EQUIVALENCE statement.
func (p *parser) equivalence(pos Pos) Spec {
	e := &Equivalence{Pos: pos}
	p.commas(func() {
		from := p.i
		p.expect("(", "before variables that share storage")
		var set []Expr
		p.commas(func() { set = append(set, p.reference()) })
		p.expect(")", "after variables that share storage")
		if len(set) < 2 {
			p.fail(from, "two or more", "EQUIVALENCE of one variable")
		}
		e.Sets = append(e.Sets, set)
	})
	p.finish()
	return e
}

// enumeration reads ENUM, BIND(C) with its enumerators up to END ENUM.
func (p *parser) enumeration(pos Pos) Spec {
	e := &Parameters{Pos: pos}
	if p.expect(",", "after ENUM"); !p.word("BIND") {
		p.unexpected("BIND(C)", "after ENUM")
	}
	p.expect("(", "after BIND")
	if p.name("C").Text != "C" {
		p.fail(p.i-1, "BIND(C)", "ENUM is not bound to C")
	}
	p.expect(")", "after BIND(C")
	p.finish()
	var next Expr = &Int{pos, 0, ""}
	all := &compound{Pos: pos}
	for p.advance() {
		if p.word("END ENUM") {
			p.try(p.finish)
			if len(e.Names) > 0 {
				d := &Declare{Pos: pos, Type: &Type{Pos: pos, Base: IntegerType}}
				for _, n := range e.Names {
					d.Entities = append(d.Entities, Entity{Name: n})
				}
				all.parts = []Spec{d, e}
			}
			return all
		}
		p.try(func() {
			if !p.word("ENUMERATOR") {
				p.fail(0, "ENUMERATOR or END ENUM", "%s is not part of an enumeration", p.nextText())
			}
			p.accept("::")
			p.commas(func() {
				n := p.name("the name of a constant")
				if p.accept("=") {
					next = p.expr()
				}
				e.Names, e.Values = append(e.Names, n), append(e.Values, next)
				next = &Binary{n.Pos, Add, &Var{n}, &Int{n.Pos, 1, ""}}
			})
			p.finish()
		})
	}
	p.report(pos, "END ENUM", "an enumeration without END ENUM")
	return all
}

func (p *parser) intent() string {
	p.expect("(", "after INTENT")
	out := ""
	switch {
	case p.word("IN OUT"):
		out = "INOUT"
	case p.accept("INOUT"):
		out = "INOUT"
	case p.accept("IN"):
		out = "IN"
	case p.accept("OUT"):
		out = "OUT"
	default:
		p.unexpected("IN, OUT or INOUT", "instead of an intent")
	}
	p.expect(")", "after an intent")
	return out
}

// declare reads the attributes and names after a type. Values between slashes, as in INTEGER I /3/, are those of a DATA statement.
func (p *parser) declare(pos Pos, t *Type) Spec {
	d := &Declare{Pos: pos, Type: t}
	for p.peek(0) == ',' {
		p.i++
		from := p.i
		switch {
		case p.word("PARAMETER"):
			d.Attrs |= AttrParameter
		case p.word("ALLOCATABLE"):
			d.Attrs |= AttrAllocatable
		case p.word("SAVE"):
			d.Attrs |= AttrSave
		case p.word("EXTERNAL"):
			d.Attrs |= AttrExternal
		case p.word("INTRINSIC"):
			d.Attrs |= AttrIntrinsic
		case p.word("OPTIONAL"):
			d.Attrs |= AttrOptional
		case p.word("INTENT"):
			d.Intent = p.intent()
		case p.word("DIMENSION"):
			d.Dims = p.dims()
		case p.word("POINTER"):
			d.Attrs |= AttrPointer | AttrAllocatable
		case p.word("TARGET"):
			d.Attrs |= AttrTarget
		case p.word("PROTECTED"):
			d.Attrs |= AttrProtected
		case p.word("VALUE"):
			d.Attrs |= AttrValue
		case p.word("VOLATILE"), p.word("ASYNCHRONOUS"), p.word("CONTIGUOUS"):
		case p.word("PUBLIC"):
			d.Attrs |= AttrPublic
		case p.word("PRIVATE"):
			d.Attrs |= AttrPrivate
		default:
			p.fail(from, "an attribute, such as DIMENSION, PARAMETER, ALLOCATABLE, INTENT, SAVE", "%s is not an attribute", p.nextText())
		}
	}
	p.accept("::")
	parts := []Spec{d}
	p.commas(func() {
		e := p.entity()
		if p.accept("/") {
			parts = append(parts, &Data{pos, []DataSet{{Targets: []Expr{&Var{e.Name}}, Values: p.dataValues()}}})
		}
		if p.peek(0) == '=' {
			if p.accept("=>") {
				if !p.accept("NULL()") {
					p.fail(p.i, "NULL()", "the initial target of a pointer is not NULL()")
				}
				if d.Attrs&AttrPointer == 0 {
					p.fail(p.i, "POINTER among its attributes", "%s is not a pointer", e.Text)
				}
				d.Entities = append(d.Entities, e)
				parts = append(parts, &Declare{Pos: pos, Attrs: AttrSave, Entities: []Entity{{Name: e.Name}}})
				return
			}
			p.i++
			e.Init = p.expr()
		}
		d.Entities = append(d.Entities, e)
	})
	p.finish()
	return several(pos, parts)
}

// entity reads a name with its dimensions and the length of its characters.
func (p *parser) entity() Entity {
	e := Entity{Name: p.name("a name to declare")}
	length := func() {
		if p.peek(0) == '*' {
			p.i++
			pos := p.pos()
			if p.accept("(") {
				if p.accept("*") {
					e.Len = &Star{pos}
				} else {
					e.Len = p.expr()
				}
				p.expect(")", "after the length of characters")
			} else {
				e.Len = &Int{pos, int64(p.number("a length", 1<<30)), ""}
			}
		}
	}
	e.Name = p.path(e.Name)
	length()
	if p.is("(") {
		e.Dims = p.dims()
	}
	length()
	return e
}

const maxRank = 7

// dims reads the bounds of an array.
func (p *parser) dims() []Dim {
	from := p.i
	p.expect("(", "instead of dimensions")
	var out []Dim
	p.commas(func() {
		out = append(out, p.dim())
	})
	p.expect(")", "in dimensions")
	if len(out) > maxRank {
		p.fail(from, "at most 7", "%d dimensions", len(out))
	}
	return out
}

func (p *parser) dim() Dim {
	pos := p.pos()
	if p.accept("*") {
		return Dim{Hi: &Star{pos}}
	}
	if p.accept(":") {
		return Dim{}
	}
	x := p.expr()
	if !p.accept(":") {
		return Dim{Hi: x}
	}
	if p.accept("*") {
		return Dim{x, &Star{pos}}
	}
	if p.is(",") || p.is(")") {
		return Dim{Lo: x}
	}
	return Dim{x, p.expr()}
}
