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
