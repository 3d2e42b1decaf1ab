package syntax

type (
	// A Scope is BLOCK, a construct with declarations of its own.
	Scope struct {
		Head
		Name  string
		Specs []Spec
		// Copies are the indices and the variables in LOCAL and LOCAL_INIT of a DO CONCURRENT: variables of the scope with the type
		// of those around it, and the value of those that are Initial.
		Copies []Copy
		Body   []Stmt
		End    Pos
	}

	// A Copy is a variable of a Scope that is like one around it.
	Copy struct {
		Name
		Initial bool
	}

	// An Association gives variables and values names within a construct.
	Association struct {
		Head
		Construct string
		Names     []Name
		Values    []Expr
		Body      []Stmt
		End       Pos
	}
)

// blockConstruct reads the declarations and statements of BLOCK.
func (b *builder) blockConstruct(name string) Stmt {
	p := b.parser
	s := &Scope{Head: p.head(), Name: name}
	around, arrays := b.unit.Specs, b.arrays
	b.unit.Specs = nil
	b.arrays = map[string]bool{}
	for n := range arrays {
		b.arrays[n] = true
	}
	b.declarations()
	s.Specs, b.unit.Specs = b.unit.Specs, around
	s.Body = b.block(0)
	b.arrays = arrays
	s.End, _ = b.ends("ENDBLOCK", name, s.Head)
	return s
}

// association reads ASSOCIATE (name => value, ...) and its statements.
func (b *builder) association(construct string) Stmt {
	p := b.parser
	s := &Association{Head: p.head(), Construct: construct}
	p.expect("(", "after ASSOCIATE")
	p.commas(func() {
		n := p.name("a name for a variable or a value")
		p.expect("=>", "after the name "+n.Text)
		s.Names, s.Values = append(s.Names, n), append(s.Values, p.expr())
	})
	p.expect(")", "after the names of ASSOCIATE")
	p.finish()
	s.Body = b.block(0)
	s.End, _ = b.ends("ENDASSOCIATE", construct, s.Head)
	return s
}

// concurrent reads the head of a DO CONCURRENT after the keywords, and returns its loops: one for each index, the innermost
// with the mask.
func (b *builder) concurrent(d *Do) Stmt {
	p := b.parser
	all := &Scope{Head: d.Head}
	f := &Forall{Head: d.Head}
	var of *Type
	p.expect("(", "after DO CONCURRENT")
	if p.typeAhead(")") {
		if of = p.optionalType(); of == nil || of.Base != IntegerType {
			p.unexpected("INTEGER", "before :: in DO CONCURRENT")
		}
		p.expect("::", "after the type of the indices")
	}
	p.forallIndices(f)
	inner := &Scope{Head: d.Head}
	ind := &Independent{Pos: d.Pos}
	for !p.done() {
		b.locality(inner, ind)
	}
	if of != nil {
		decl := &Declare{Pos: d.Pos, Type: of}
		for _, c := range f.Indices {
			decl.Entities = append(decl.Entities, Entity{Name: c.Var})
		}
		all.Specs = []Spec{decl}
	}
	for _, c := range f.Indices {
		if of == nil {
			all.Copies = append(all.Copies, Copy{Name: c.Var})
		}
		ind.New = append(ind.New, c.Var)
	}
	body := b.block(0)
	d.End, _ = b.ends("ENDDO", d.Name, d.Head)
	if b.labeled != nil {
		body, b.labeled = append(body, b.labeled), nil
	}
	if f.Mask != nil {
		body = []Stmt{&If{Head: Head{Pos: d.Pos, To: d.To}, Arms: []IfArm{{Pos: f.Mask.Position(), Cond: f.Mask, Body: body}}, End: d.End}}
	}
	if len(inner.Copies) > 0 {
		inner.Body, inner.End = body, d.End
		body = []Stmt{inner}
	}
	for k := len(f.Indices) - 1; k >= 0; k-- {
		c := f.Indices[k]
		loop := &Do{Head: Head{Pos: d.Pos, To: d.To}, Count: &c, Body: body, End: d.End}
		loop.Independent = &Independent{Pos: ind.Pos, New: ind.New[k+1:], Reduction: ind.Reduction, Concurrent: true}
		if k == len(f.Indices)-1 {
			loop.Name = d.Name
		}
		body = []Stmt{loop}
	}
	all.Body, all.End = body, d.End
	return all
}

// locality reads LOCAL, LOCAL_INIT, SHARED, REDUCE or DEFAULT(NONE) after the head of a DO CONCURRENT.
func (b *builder) locality(inner *Scope, ind *Independent) {
	p := b.parser
	open := func() { p.expect("(", "in the variables of DO CONCURRENT") }
	switch {
	case p.word("LOCAL_INIT"), p.word("LOCAL"):
		initial := p.text[p.i-1] == 'T'
		open()
		for _, n := range p.names("a variable") {
			inner.Copies = append(inner.Copies, Copy{n, initial})
		}
	case p.word("SHARED"):
		open()
		p.names("a variable")
	case p.word("REDUCE"):
		open()
		for !p.done() && !p.accept(":") {
			p.i++
		}
		ind.Reduction = append(ind.Reduction, p.names("a variable")...)
	case p.word("DEFAULT"):
		if open(); !p.word("NONE") {
			p.unexpected("NONE", "after DEFAULT")
		}
	default:
		p.unexpected("LOCAL, LOCAL_INIT, SHARED, REDUCE or DEFAULT(NONE)", "after the head of a DO CONCURRENT")
	}
	p.expect(")", "after the variables of DO CONCURRENT")
}
