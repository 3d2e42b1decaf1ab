package syntax

import "whorl/internal/nearest"

// directives lists the keywords of directives, for suggestions.
var directives = []string{
	"PROCESSORS", "TEMPLATE", "ALIGN", "REALIGN", "DISTRIBUTE", "REDISTRIBUTE", "DYNAMIC", "INDEPENDENT", "SEQUENCE", "NOSEQUENCE", "INHERIT",
	"SHADOW", "RANGE", "ON", "RESIDENT",
}

// directiveSpec reads a directive. For an executable directive it returns a function that makes the statement.
func (p *parser) directiveSpec() (Spec, func() Stmt, *Independent) {
	pos := p.posAt(0)
	h := p.head()
	switch {
	case p.word("INDEPENDENT"):
		return nil, func() Stmt { return nil }, p.independent(pos)
	case p.word("REALIGN"):
		a := p.align(pos)
		p.behind(a)
		return nil, func() Stmt { return &Realign{h, a} }, nil
	case p.word("REDISTRIBUTE"):
		d := p.distribute(pos)
		if p.behind(d); d.Kept {
			p.fail(0, "distributions", "REDISTRIBUTE with * in place of its distributions, which is for dummy arguments")
		}
		return nil, func() Stmt { return &Redistribute{h, d} }, nil
	case p.word("NO SEQUENCE"), p.word("SEQUENCE"):
		return &Advice{pos, string(p.text)}, nil, nil
	case p.word("END ON"):
		p.fail(0, "ON with BEGIN before it", "END ON ends no block")
	case p.word("RESIDENT"), p.word("END RESIDENT"): // the mappings determine the data at the processors of an ON
		return &Advice{pos, string(p.text)}, nil, nil
	case p.word("TASK_REGION"), p.word("END TASK_REGION"):
		p.warn(pos, "", "this directive of HPF 2.0 is not in the subset, and changes nothing here")
		return &Advice{pos, string(p.text)}, nil, nil
	}
	if s := p.combined(pos); s != nil {
		return s, nil, nil
	}
	from := p.i
	n := p.scanName()
	p.i = from
	want := "a directive, such as DISTRIBUTE, ALIGN, PROCESSORS, TEMPLATE or INDEPENDENT"
	p.fail(from, nearest.Suggest(want, nearest.Names(n, directives)), "%s is not a directive", p.nextText())
	return nil, nil, nil
}

// directive reads a directive among executable statements.
func (b *builder) directive() Stmt {
	p := b.parser
	if h := p.head(); p.word("ON") {
		return b.on(h)
	}
	spec, stmt, ind := p.directiveSpec()
	if ind != nil {
		b.pending = ind
		return nil
	}
	if stmt != nil {
		return stmt()
	}
	if _, ok := spec.(*Advice); !ok {
		p.fail(0, "declarations first", "a mapping directive follows an executable statement; only REALIGN and REDISTRIBUTE may")
	}
	return nil
}

// on reads ON HOME(A(i)), NEW(x), RESIDENT with the statement that follows it, or with BEGIN and the block up to END ON.
func (b *builder) on(h Head) Stmt {
	p := b.parser
	o := &On{Head: h, End: h.To}
	o.OfData = p.accept("HOME")
	p.expect("(", "in ON before the data or the processors")
	o.Home = p.expr()
	p.expect(")", "after the data or the processors of ON")
	block := p.accept("BEGIN")
	for !block && p.accept(",") {
		switch {
		case p.accept("NEW"):
			p.expect("(", "instead of names")
			o.New = append(o.New, p.names("a variable")...)
			p.expect(")", "in the names")
		case p.accept("RESIDENT"):
			if end := p.closing(p.i); p.is("(") && end >= 0 {
				p.i = end
			}
		default:
			p.unexpected("NEW or RESIDENT", "in the clauses of ON")
		}
		block = p.accept("BEGIN")
	}
	p.finish()
	if block {
		o.Body = b.block(0)
		o.End, _ = b.ends("ENDON", "", h)
		return o
	}
	for len(o.Body) == 0 {
		if !p.advance() || p.ending() != "" {
			p.back()
			p.report(h.Pos, "a statement", "no statement follows this ON, and it has no BEGIN")
			return nil
		}
		own := p.label
		s := b.statement()
		if s != nil {
			o.Body = []Stmt{s}
		} else if own != 0 {
			o.Body = []Stmt{&Continue{Head{Lab: own}}}
		}
	}
	return o
}

// combined reads a directive of several attributes, as in DISTRIBUTE (BLOCK), DYNAMIC :: A, or of one with its names.
func (p *parser) combined(pos Pos) Spec {
	first := p.single(pos)
	if first == nil {
		return nil
	}
	specs := []Spec{first}
	for p.accept(",") {
		s := p.single(p.pos())
		if s == nil {
			p.unexpected("an attribute, or ::", "in the attributes of a directive")
		}
		specs = append(specs, s)
	}
	p.behind(specs...)
	if len(specs) == 1 {
		return specs[0]
	}
	return &compound{pos, specs}
}

// behind reads the names after ::, for directives without names so far, up to the end of the statement.
func (p *parser) behind(specs ...Spec) {
	if p.accept("::") {
		from := p.i
		var es []Entity
		p.commas(func() {
			es = append(es, p.entity())
		})
		for _, s := range specs {
			if !attach(s, es) {
				p.fail(from, "names in one place", "a directive has names before and after ::")
			}
		}
	}
	p.finish()
	for _, s := range specs {
		if !named(s) {
			p.fail(p.i, "the names that it is for", "a directive without names")
		}
	}
}

// single reads one directive or attribute, and the names that follow it directly.
func (p *parser) single(pos Pos) Spec {
	switch {
	case p.word("PROCESSORS"):
		return &Processors{pos, p.optionalEntities()}
	case p.word("TEMPLATE"):
		return &Template{pos, p.optionalEntities()}
	case p.word("DYNAMIC"):
		d := &Dynamic{Pos: pos}
		for _, e := range p.optionalEntities() {
			d.Names = append(d.Names, e.Name)
		}
		return d
	case p.word("DIMENSION"):
		return &shape{pos, p.dims()}
	case p.word("ALIGN"):
		return p.align(pos)
	case p.word("DISTRIBUTE"):
		return p.distribute(pos)
	case p.word("INHERIT"):
		s := &Inherit{Pos: pos}
		for _, e := range p.optionalEntities() {
			s.Names = append(s.Names, e.Name)
		}
		return s
	case p.word("SHADOW"):
		if p.is("(") {
			return &shadowed{&Shadow{Pos: pos}, p.dims()}
		}
		return &Shadow{pos, p.optionalEntities()}
	case p.word("RANGE"):
		return p.ranged(pos)
	}
	return nil
}

// ranged reads RANGE A (BLOCK), (CYCLIC) and RANGE (BLOCK), (CYCLIC) :: A, after the keyword.
func (p *parser) ranged(pos Pos) *Ranged {
	r := &Ranged{Pos: pos}
	if letter(p.peek(0)) {
		r.Names = []Name{p.name("an array or a template")}
	}
	for {
		r.Formats = append(r.Formats, p.distFormats(false))
		if !p.accept(",") {
			return r
		}
	}
}

// distribute reads DISTRIBUTE A(BLOCK, *) ONTO P and DISTRIBUTE (BLOCK) ONTO P :: A, B, after the keyword. Formats and processors may be missing. A *
// before the formats says that the argument has this mapping already; * without formats keeps the mapping of the argument.
func (p *parser) distribute(pos Pos) *Distribute {
	d := &Distribute{Pos: pos}
	if letter(p.peek(0)) && !p.is("ONTO") {
		d.Arrays = []Name{p.before("ONTO", "an array or a template")}
	}
	star := p.accept("*")
	if p.is("(") {
		d.Formats = p.distFormats(true)
	} else {
		d.Kept = star
	}
	if p.word("ONTO") || p.accept("ONTO") {
		if p.accept("*") && (p.done() || p.is("::") || p.is(",")) {
			return d // onto the processors of the actual argument
		}
		n := p.name("an arrangement of processors")
		if p.is("(") {
			p.fail(p.i, "all of it", "a section of processors is legal HPF, but not in the subset")
		}
		d.Onto = &n
	}
	return d
}

// distFormats reads the distributions of dimensions, in parentheses. GEN_BLOCK and INDIRECT have arrays if they are full.
func (p *parser) distFormats(full bool) []DistFormat {
	var out []DistFormat
	p.expect("(", "instead of the distribution of the dimensions")
	p.commas(func() {
		out = append(out, p.distFormat(full))
	})
	p.expect(")", "in the distributions of dimensions")
	return out
}

func (p *parser) distFormat(full bool) DistFormat {
	f := DistFormat{Pos: p.pos()}
	from := p.i
	switch {
	case p.accept("*"):
		return f
	case p.accept("BLOCK"):
		f.Kind = Block
	case p.accept("CYCLIC"):
		f.Kind = Cyclic
	case p.accept("GEN_BLOCK"):
		f.Kind = GenBlock
	case p.accept("INDIRECT"):
		f.Kind = Indirect
	default:
		p.fail(from, "BLOCK, CYCLIC, GEN_BLOCK, INDIRECT or *", "%s is not a distribution", p.nextText())
	}
	if p.is("(") || f.Kind >= GenBlock && full {
		p.expect("(", "before the array of GEN_BLOCK or INDIRECT")
		f.Size = p.expr()
		p.expect(")", "after the size of the blocks of a distribution")
	}
	return f
}

// independent reads the clauses of INDEPENDENT: NEW, REDUCTION, and in the old form the loop's variables.
func (p *parser) independent(pos Pos) *Independent {
	ind := &Independent{Pos: pos}
	list := func() []Name {
		p.expect("(", "instead of names")
		names := p.names("a variable")
		p.expect(")", "in the names")
		return names
	}
	if p.is("(") {
		ind.Index = list()
	}
	for p.accept(",") {
		switch {
		case p.word("NEW"):
			ind.New = append(ind.New, list()...)
		case p.word("REDUCTION"):
			ind.Reduction = append(ind.Reduction, list()...)
		case p.word("ON HOME"), p.word("ON"):
			p.warn(p.pos(), "", "ON HOME of HPF 2.0 is not in the subset, and changes nothing here")
			p.i = len(p.text)
		default:
			p.unexpected("NEW or REDUCTION", "after INDEPENDENT")
		}
	}
	p.finish()
	return ind
}
