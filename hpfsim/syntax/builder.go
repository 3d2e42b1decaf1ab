package syntax

import "strings"

// A builder reads the statements of one unit.
type builder struct {
	*parser
	unit    *Unit
	within  level
	nested  int // blocks
	arrays  map[string]bool
	entries int       // ENTRY statements so far
	ended   int       // the label that closed loops last
	labeled *Continue // for the label of the END that was read last; nil if it has none
	pending *Independent
}

// close reads the end of a unit: CONTAINS with its procedures, and END.
func (b *builder) close() {
	p := b.parser
	for p.advance() {
		switch end := p.ending(); end {
		case "CONTAINS":
			if b.within == inUnit {
				p.report(p.posAt(0), "", "an internal procedure contains others")
			}
			inner := inUnit
			if b.unit.Kind == Module {
				inner = inModule
			}
			for p.advance() {
				end := p.ending()
				p.back()
				if end != "" {
					break
				}
				b.unit.Contains = append(b.unit.Contains, p.unit(inner))
			}
		case "END":
			b.unit.End = p.posAt(0)
			p.try(func() { p.endOf(b.unit) })
			return
		default: // a stray end of a block
			p.report(p.posAt(0), "", "%s does not end a block", spaced(end))
			b.unit.Body = append(b.unit.Body, b.block(0)...)
		}
	}
	b.unit.End = p.src.pos(p.end)
	p.report(b.unit.End, "END", "the text ends within %s", b.unit.Name)
}

// endOf reads the keyword and the name after END.
func (p *parser) endOf(u *Unit) {
	p.i = len("END")
	if p.done() {
		return
	}
	kind := strings.ToUpper(u.Kind.String())
	if !p.word(kind) {
		p.fail(p.i, "END "+kind, "this END does not fit %s %s", u.Kind, u.Name)
	}
	if !p.done() {
		from := p.i
		if n := p.name("the name of the unit"); n.Text != u.Name {
			p.fail(from, u.Name, "END %s names %s, but this is %s", kind, n.Text, u.Name)
		}
		p.finish()
	}
}

// specification reads declarations and directives, up to the first executable statement.
func (b *builder) specification() {
	b.arrays = map[string]bool{}
	b.declarations()
}

// declarations reads declarations up to the first executable statement.
func (b *builder) declarations() {
	p := b.parser
	for p.advance() {
		if p.ending() != "" && !p.directive {
			p.back()
			return
		}
		var spec Spec
		executable := false
		ok := p.try(func() {
			if p.directive {
				if executable = p.word("ON"); executable {
					return
				}
				var stmt func() Stmt
				spec, stmt, _ = p.directiveSpec()
				executable = stmt != nil
				return
			}
			if p.format(b.unit) {
				return
			}
			if spec = p.statementFunction(b.arrays); spec == nil {
				spec = p.spec()
			}
			executable = spec == nil
			b.fits(spec)
		})
		if ok && executable {
			p.back()
			return
		}
		if spec != nil {
			for _, s := range parts(spec) {
				b.note(s)
				b.unit.Specs = append(b.unit.Specs, s)
			}
		}
	}
}

// fits fails at a specification that does not belong here: USE after others, PUBLIC and PRIVATE outside of modules.
func (b *builder) fits(spec Spec) {
	switch s := spec.(type) {
	case *Use:
		for _, before := range b.unit.Specs {
			if _, ok := before.(*Use); !ok {
				b.fail(0, "USE before all declarations", "USE follows a declaration")
			}
		}
	case *StatementFunction:
		if k := b.unit.Kind; !k.Executable() {
			b.fail(0, "declarations, or END "+strings.ToUpper(k.String()), "the %v %s has an executable statement", k, b.unit.Name)
		}
	case *Access:
		if b.unit.Kind != Module {
			b.fail(0, "PUBLIC and PRIVATE in modules only", "%s is not a module, and all of its names are its own", b.unit.Name)
		}
	case *Declare:
		if s.Attrs&(AttrPublic|AttrPrivate) != 0 && b.unit.Kind != Module {
			b.fail(0, "PUBLIC and PRIVATE in modules only", "%s is not a module, and all of its names are its own", b.unit.Name)
		}
	}
}

// note records which names are arrays.
func (b *builder) note(s Spec) {
	entities := func(es []Entity, dims bool) {
		for _, e := range es {
			if dims || e.Dims != nil {
				b.arrays[e.Text] = true
			}
		}
	}
	switch s := s.(type) {
	case *Declare:
		entities(s.Entities, s.Dims != nil || s.Attrs&AttrAllocatable != 0)
	case *Common:
		entities(s.Entities, false)
	}
}

// block reads statements up to one that ends a block, which it does not read, or through the one with a label that
// ends a loop.
func (b *builder) block(label int) []Stmt {
	p := b.parser
	var out []Stmt
	if b.nested++; b.nested > maxDepth {
		if p.advance() {
			p.report(p.posAt(0), "", "blocks nest more than %d deep", maxDepth)
			p.next = len(p.stmts)
		}
	}
	defer func() { b.nested-- }()
	for p.advance() {
		if p.ending() != "" {
			if label == 0 || p.label != label || p.ending() != "ENDDO" {
				p.back()
				return out
			}
			b.ended = label
			return append(out, &Continue{p.head()})
		}
		own := p.label
		var s Stmt
		b.labeled = nil
		p.try(func() { s = b.statement() })
		if s != nil {
			out = append(out, s)
			if b.labeled != nil {
				out = append(out, b.labeled) // the target of a GO TO within an IF or a SELECT CASE
			}
		} else if own != 0 && own == label {
			out = append(out, &Continue{Head{Lab: own}})
			b.ended = label
		}
		if label != 0 && (own == label || b.ended == label) {
			b.ended = label
			return out
		}
	}
	return out
}
