package lower

import "whorl/hpfsim/syntax"

// associate resolves p => target and NULLIFY. A pointer is a view of its target that a run binds, as it binds an argument
// to a section.
func (l *lowerer) associate(left, right syntax.Expr, head Stat) Stmt {
	x := l.expr(left)
	p, ok := entire(x).(*Ref)
	switch {
	case x == nil:
		return nil
	case !ok || !p.Sym.Pointer:
		l.fail(left.Position(), "a variable that is declared POINTER", "this is not a pointer")
		return nil
	case p.Sym.Intent == "IN":
		l.fail(left.Position(), "INTENT(INOUT)", "%s is an argument with INTENT(IN) and cannot be associated", p.Sym.Name)
		return nil
	case right == nil || isNull(right):
		return &Associate{Stat: head, Sym: p.Sym}
	}
	t := l.expr(right)
	if t == nil {
		return nil
	}
	s := assigned(t)
	e, section := t.(*Element)
	switch {
	case s == nil || s.Class != Variable:
		l.fail(right.Position(), "a variable that is declared TARGET or POINTER", "the target of %s is not a variable", p.Sym.Name)
		return nil
	case !s.Pointer && !s.Target:
		l.fail(right.Position(), "TARGET or POINTER in its declaration", "%s is the target of a pointer, but is neither TARGET nor POINTER", s.Name)
		return nil
	case s.Place != nil || s.Dynamic:
		l.fail(right.Position(), "an array without a mapping", "the target of a pointer, %s, is a mapped array: legal, but not in the subset", s.Name)
		return nil
	case t.Type() != p.Sym.Type, t.Rank() != x.Rank():
		l.fail(right.Position(), described(x), "the target of %s is %s", p.Sym.Name, described(t))
		return nil
	case isSubstring(t):
		l.fail(right.Position(), "all characters", "the target of a pointer is part of a text: legal, but not in the subset")
		return nil
	}
	if section {
		for _, sub := range e.Subs {
			if !sub.Section && sub.Index.Rank() > 0 {
				l.fail(right.Position(), "a section with a step", "the target of a pointer has a vector of subscripts")
				return nil
			}
		}
	}
	return &Associate{Stat: head, Sym: p.Sym, Target: t}
}

func isSubstring(x Expr) bool {
	_, ok := x.(*Substring)
	return ok
}

// isNull reports whether an expression is NULL().
func isNull(e syntax.Expr) bool {
	a, ok := e.(*syntax.Apply)
	return ok && a.Text == "NULL"
}

// pointers checks the declaration of a symbol that is a POINTER or a TARGET.
func (l *lowerer) pointers(s *Symbol) {
	switch {
	case !s.Pointer && !s.Target:
	case s.Pointer && s == l.unit.Out:
		l.fail(s.Pos, "an argument that is a POINTER", "the value of the function %s is a pointer: legal Fortran, but not in the subset", l.unit.Name)
	case s.Place != nil || s.Dynamic:
		l.fail(s.Pos, "an array without a mapping", "%s is a mapped array and a POINTER or TARGET: legal, but not in the subset", s.Name)
	case s.Pointer && (s.Block != nil || s.Class != Variable):
		l.fail(s.Pos, "a variable that is not in COMMON", "%s is a POINTER and in COMMON, or no variable: not in the subset", s.Name)
	case s.Pointer:
		for _, b := range s.Bounds {
			if b.Hi != nil || b.Lo != nil {
				l.fail(s.Pos, "a deferred shape, as in "+s.Name+"(:)", "%s is a POINTER, but has bounds", s.Name)
				return
			}
		}
	}
}

// isPointer reports whether an expression is a whole pointer.
func isPointer(x Expr) bool {
	r, ok := entire(x).(*Ref)
	return ok && r.Sym.Pointer
}
