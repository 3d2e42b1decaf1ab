package syntax

import (
	"maps"
	"strings"
)

// advance moves to the next statement. It returns false at the end of the source.
func (p *parser) advance() bool {
	if p.next == len(p.stmts) {
		return false
	}
	p.stmt, p.i, p.depth = &p.stmts[p.next], 0, 0
	p.free = p.sources.form == Free
	p.next++
	return true
}

// back moves back to the statement before.
func (p *parser) back() { p.next-- }

func (p *parser) head() Head {
	return Head{Pos: p.posAt(0), To: p.src.pos(p.end), Lab: p.label}
}

// program reads all units.
func (p *parser) program() {
	for p.advance() {
		p.back()
		p.file.Units = append(p.file.Units, p.unit(outermost))
	}
	if len(p.file.Units) == 0 && !p.errs.Failed() {
		p.errs = append(p.errs, &Error{Pos: Pos{File: p.file.Name, Line: 1, Column: 1}, Msg: "the file has no program", Want: "PROGRAM, or a statement"})
	}
	mains := 0
	for _, u := range p.file.Units {
		if u.Kind == Program {
			if mains++; mains > 1 {
				p.report(u.Pos, "one", "a second main program")
			}
		}
	}
}

// A level is the place of a unit: by itself, in a module, or in another unit or an interface.
type level uint8

const (
	outermost level = iota
	inModule
	inUnit
)

// unit reads a program unit.
func (p *parser) unit(within level) *Unit {
	u := &Unit{Name: "MAIN", Formats: map[int]*Format{}, applied: map[string]bool{}}
	around := p.applied
	p.applied = u.applied
	defer func() {
		if p.applied = around; within > outermost {
			maps.Copy(around, u.applied)
		}
	}()
	p.advance()
	u.Pos = p.posAt(0)
	named := false
	if !p.try(func() { named = p.unitHead(u) }) {
		named = true
	} else if !named {
		p.back()
	}
	if within > outermost && (!named || u.Kind != Subroutine && u.Kind != Function) {
		what := "an internal procedure"
		if within == inModule {
			what = "a procedure of a module"
		}
		p.report(u.Pos, "SUBROUTINE or FUNCTION", "%s begins with neither", what)
	}
	b := &builder{parser: p, unit: u, within: within}
	b.specification()
	if u.Body = b.block(0); !u.Kind.Executable() && len(u.Body) > 0 {
		p.report(u.Body[0].Position(), "declarations, or END "+strings.ToUpper(u.Kind.String()), "the %v %s has an executable statement", u.Kind, u.Name)
	}
	b.close()
	return u
}

// unitHead reads PROGRAM, SUBROUTINE or FUNCTION with its prefixes. It returns false for other statements.
func (p *parser) unitHead(u *Unit) bool {
	if p.directive || p.assignment() {
		return false
	}
	from := p.i
	impure := false
	defer func() { u.Pure = u.Pure || u.Elemental && !impure }()
	for {
		switch {
		case p.word("PURE"):
			u.Pure = true
		case p.word("IMPURE"):
			impure = true
		case p.word("ELEMENTAL"):
			u.Elemental = true
		case p.word("RECURSIVE"):
			u.Recursive = true
		case p.word("EXTRINSIC"):
			p.expect("(", "after EXTRINSIC")
			kind := p.name("HPF_LOCAL").Text
			if kind != "HPF_LOCAL" && kind != "HPF_SERIAL" && kind != "HPF" {
				p.fail(p.i-len(kind), "HPF, HPF_LOCAL or HPF_SERIAL", "EXTRINSIC(%s) is not in the subset", kind)
			}
			u.Local, u.Serial = kind == "HPF_LOCAL", kind == "HPF_SERIAL"
			p.expect(")", "after the kind of an extrinsic procedure")
		case p.word("PROGRAM"):
			n := p.name("the program's name")
			u.Name, u.Pos = n.Text, n.Pos
			p.finish()
			return true
		case p.word("BLOCK DATA"):
			if u.Kind, u.Name = BlockData, "BLOCK DATA"; !p.done() {
				n := p.name("the name of the unit")
				u.Name, u.Pos = n.Text, n.Pos
			}
			p.finish()
			return true
		case p.word("MODULE"):
			n := p.name("the module's name")
			u.Kind, u.Name, u.Pos = Module, n.Text, n.Pos
			p.finish()
			return true
		case p.word("SUBROUTINE"):
			u.Kind = Subroutine
			n := p.name("the subroutine's name")
			u.Name, u.Pos = n.Text, n.Pos
			if p.accept("(") && !p.accept(")") {
				u.Params, u.Returns = p.dummies()
			}
			p.finish()
			return true
		case p.functionHead(u):
			return true
		default:
			if u.Type == nil {
				at := p.i
				if t := p.optionalType(); t != nil && (p.is("FUNCTION") || p.is("RECURSIVE") || p.is("PURE") || p.is("IMPURE") || p.is("ELEMENTAL")) {
					u.Type = t
					continue
				}
				p.i = at
			}
			if u.Type != nil || p.i != from {
				if u.Type != nil && !u.Pure && !u.Elemental && !u.Recursive {
					u.Type = nil
					p.i = from
					return false // a declaration of a name that begins with FUNCTION
				}
				p.unexpected("SUBROUTINE or FUNCTION", "instead of a procedure")
			}
			return false
		}
	}
}

// functionHead reads FUNCTION name(...) [RESULT(r)].
func (p *parser) functionHead(u *Unit) bool {
	from := p.i
	if !p.word("FUNCTION") {
		return false
	}
	if !letter(p.peek(0)) {
		p.i = from
		return false
	}
	n := p.name("the function's name")
	if !p.is("(") {
		if u.Type != nil {
			p.i = from
			return false
		}
		p.unexpected("( and the arguments", "after a function's name")
	}
	p.i++
	u.Kind, u.Name, u.Pos, u.Result = Function, n.Text, n.Pos, n.Text
	if from = p.i; !p.accept(")") {
		if u.Params, u.Returns = p.dummies(); u.Returns > 0 {
			p.fail(from, "a subroutine", "the function %s has an alternate return", u.Name)
		}
	}
	p.result(u)
	p.finish()
	return true
}

// result reads RESULT with a name.
func (p *parser) result(u *Unit) {
	if p.word("RESULT") {
		p.expect("(", "after RESULT")
		u.Result = p.name("the result's name").Text
		p.expect(")", "after the name of the result")
	}
}

// dummies reads dummy arguments up to the closing parenthesis. Returns is the number of alternate returns, *.
func (p *parser) dummies() (names []Name, returns int) {
	for {
		if p.accept("*") {
			returns++
		} else {
			names = append(names, p.name("a dummy argument"))
		}
		if !p.accept(",") {
			p.expect(")", "in the dummy arguments")
			return names, returns
		}
	}
}

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
