package lower

import (
	"strings"

	"whorl/hpfsim/syntax"
)

// A purity checks a PURE procedure: it changes only its own variables and its arguments, does not read, print or
// stop, and calls PURE procedures only (Fortran 95, section 12.6).
type purity struct {
	*lowerer
	unit *Unit
}

// pure checks a PURE unit. In other units it checks that FORALL calls PURE functions only.
func (l *lowerer) pure(u *Unit) {
	if !u.Pure {
		Statements(u.Body, func(s Stmt) {
			if forall, ok := s.(*Forall); ok {
				l.pureForall(forall)
			}
		})
		return
	}
	p := &purity{l, u}
	p.declarations()
	Statements(u.Body, p.stmt)
}

// pureForall reports functions that are not PURE in a FORALL, which may call them in any order.
func (l *lowerer) pureForall(f *Forall) {
	check := func(x Expr) {
		calls(x, func(pos syntax.Pos, callee *Unit) {
			if !callee.Pure {
				l.fail(pos, "a function that is declared PURE", "a FORALL calls %s, which is not PURE", callee.Name)
			}
		})
	}
	Expressions(f, check)
	for _, s := range f.Body {
		if _, nested := s.(*Forall); !nested { // a nested FORALL is checked by itself
			Statements([]Stmt{s}, func(s Stmt) { Expressions(s, check) })
		}
	}
}

// calls visits the functions of the program that an expression calls, also those called by statement functions.
func calls(x Expr, visit func(pos syntax.Pos, callee *Unit)) {
	Walk(x, func(e Expr) {
		f, ok := e.(*Invoke)
		switch {
		case !ok:
		case f.Sym.Class == StatementFunction:
			calls(f.Sym.Func.Value, func(_ syntax.Pos, callee *Unit) { visit(f.Pos, callee) })
		case f.Sym.Proc != nil:
			visit(f.Pos, f.Sym.Proc)
		}
	})
}

// declarations reports variables that outlive a call, and arguments without the INTENT that PURE requires.
func (p *purity) declarations() {
	u := p.unit
	for _, s := range u.Symbols {
		switch {
		case s.Class != Variable:
		case u.Elemental && s.Dummy > 0 && s.Rank() > 0 && strings.Contains(s.Name, "%"):
			p.fail(s.Pos, "a type whose components are no arrays, or a procedure that is not ELEMENTAL", "the component %s is an array, and %s is ELEMENTAL: legal, but not in the subset", s.Name, u.Name)
		case u.Elemental && (s.Dummy > 0 || s == u.Out) && s.dimensions() > 0:
			p.fail(s.Pos, "a scalar", "%s is an array, but %s is ELEMENTAL", s.Name, u.Name)
		case s.Dummy == 0 && s.Saved && s.Block == nil:
			p.fail(s.Pos, "a variable without SAVE and first value", "%s keeps its value after a call of %s, which is PURE", s.Name, u.Name)
		case s.Dummy > 0 && s.Intent != "IN" && u.Kind == syntax.Function:
			p.fail(s.Pos, "INTENT(IN)", "the argument %s of %s, a PURE function, may be changed", s.Name, u.Name)
		case s.Dummy > 0 && s.Intent == "":
			p.fail(s.Pos, "INTENT(IN), INTENT(OUT) or INTENT(INOUT)", "the argument %s of %s, which is PURE, has no INTENT", s.Name, u.Name)
		}
	}
	for _, inner := range u.units {
		if !inner.Pure {
			p.fail(inner.Pos, "PURE", "%s is not PURE, but is within %s, which is", inner.Name, u.Name)
		}
	}
}

// changes reports an assignment to a variable that is not the procedure's own.
func (p *purity) changes(x Expr, pos syntax.Pos) {
	var s *Symbol
	switch x := x.(type) {
	case *Ref:
		s = x.Sym
	case *Element:
		s = x.Sym
	case *Substring:
		p.changes(x.X, pos)
	}
	if s != nil {
		p.given(s, pos)
	}
}

func (p *purity) given(s *Symbol, pos syntax.Pos) {
	if s.Pool == nil && (s.Block != nil || s.Unit != p.unit) {
		p.fail(pos, "a variable of its own, or an argument", "%s is PURE, but assigns to %s, which is not its own", p.unit.Name, s.Name)
	}
}

func (p *purity) stmt(s Stmt) {
	pos := s.Info().Pos
	Expressions(s, func(x Expr) {
		calls(x, p.calls)
		Walk(x, func(e Expr) {
			switch e := e.(type) {
			case *Call:
				if e.Fn.Sort == Service {
					p.fail(e.Pos, "", "%s is PURE, but reads the clock by %s", p.unit.Name, e.Fn.Name)
				}
			case *Invoke:
				if e.Sym.Proc != nil {
					p.arguments(e.Sym.Proc, e.Args)
				}
			}
		})
	})
	switch s := s.(type) {
	case *Assign:
		p.changes(s.Left, pos)
	case *Do:
		if s.Var != nil {
			p.given(s.Var, pos)
		}
	case *Forall:
		for _, v := range s.Vars {
			p.given(v, pos)
		}
	case *Subcall:
		switch {
		case s.Native != nil && s.Native.Op != OpMvbits:
			p.fail(pos, "", "%s is PURE, but calls %s", p.unit.Name, s.Native.Name)
		case s.Native != nil:
			p.changes(s.Args[3], pos)
		case s.Proc.Proc != nil:
			p.calls(pos, s.Proc.Proc)
			p.arguments(s.Proc.Proc, s.Args)
		}
	case *Output:
		p.channel(s.Unit, pos, "prints")
		p.changes(s.Unit, pos)
		p.specified(s.Specs, pos)
	case *FileStmt:
		p.fail(pos, "characters as the unit of WRITE or READ", "%s is PURE, but uses files", p.unit.Name)
	case *Input:
		p.channel(s.Unit, pos, "reads input")
		p.specified(s.Specs, pos)
		if s.Names != nil {
			for _, x := range s.Names.Vars {
				p.changes(x, pos)
			}
		}
		for _, x := range s.Items {
			p.changes(x, pos)
		}
	case *Leave:
		if s.Kind == Stop {
			p.fail(pos, "RETURN", "%s is PURE, but stops the program", p.unit.Name)
		}
	case *Allocate:
		for _, a := range s.Arrays {
			p.given(a, pos)
		}
	case *Associate:
		p.given(s.Sym, pos)
	case *Define:
		p.given(s.Sym, pos)
	case *Deallocate:
		for _, a := range s.Arrays {
			p.given(a, pos)
		}
	case *Remap:
		for _, a := range s.Arrays {
			p.given(a, pos)
		}
	}
}

// specified reports controls that define variables which are not the procedure's own.
func (p *purity) specified(specs []Specifier, pos syntax.Pos) {
	for _, s := range specs {
		if s.Out {
			p.changes(s.Value, pos)
		}
	}
}

// channel reports input and output on units other than internal files.
func (p *purity) channel(unit Expr, pos syntax.Pos, does string) {
	if unit == nil || unit.Type().Base != syntax.CharacterType {
		p.fail(pos, "characters as the unit", "%s is PURE, but %s", p.unit.Name, does)
	}
}

func (p *purity) calls(pos syntax.Pos, callee *Unit) {
	if !callee.Pure {
		p.fail(pos, "a procedure that is declared PURE", "%s is PURE, but calls %s, which is not", p.unit.Name, callee.Name)
	}
}

// arguments reports variables that are not the procedure's own and that it passes to a procedure that may change them.
func (p *purity) arguments(callee *Unit, args []Expr) {
	for i, d := range callee.Params {
		if i < len(args) && args[i] != nil && d.Intent != "IN" {
			p.changes(args[i], args[i].Position())
		}
	}
}
