package lower

import "whorl/hpfsim/syntax"

// allocate resolves an ALLOCATE statement. With SOURCE= the assignments of the values follow it.
func (l *lowerer) allocate(s *syntax.Allocate, head Stat, labels map[int]bool) []Stmt {
	out := &Allocate{Stat: head, Targets: l.targets(s.Targets)}
	var length Expr
	if s.Type != nil {
		_, length = l.typeOf(s.Type)
	}
	from := s.Source
	if from == nil {
		from = s.Mold
	}
	var values []syntax.Stmt
	var arrays []*Symbol // nil for those that are reported
	for _, e := range s.Arrays {
		a := l.symbol(e.Name)
		if !l.allocatable(a, e.Name) {
			a = nil
		}
		arrays = append(arrays, a)
	}
	all := s.Arrays
	for _, c := range s.Components {
		x := l.held(c.Object)
		arrays = append(arrays, x)
		all = append(all[:len(all):len(all)], syntax.Entity{Name: nameOf(c.Object), Dims: c.Dims})
	}
	for i, e := range all {
		a := arrays[i]
		if a == nil {
			continue
		}
		bounds, ok := l.allocated(a, e, from)
		if !ok {
			continue
		}
		n := length
		switch {
		case s.Type != nil && s.Type.Base == syntax.StructureType:
			l.fail(s.Type.Pos, "ALLOCATE without a type", "ALLOCATE with the derived type %s: legal, but not in the subset", s.Type.Of.Text)
		case s.Type != nil:
			if t, _ := l.typeOf(s.Type); t != a.Type {
				l.fail(s.Type.Pos, a.Type.String(), "%s is %v, and is allocated as %v", a.Name, a.Type, t)
			}
		case a.Deferred && from != nil:
			n = l.intExpr(&syntax.Apply{Name: syntax.Name{Text: "LEN", Pos: e.Pos}, Args: []syntax.Arg{{Value: from}}}, "the length of characters")
		case a.Deferred:
			l.fail(e.Pos, "a type with a length, as in ALLOCATE(CHARACTER(LEN=9) :: "+e.Text+")", "the characters of %s have no length", e.Text)
		}
		if !a.Deferred {
			n = nil
		}
		out.Arrays, out.Bounds, out.Lengths = append(out.Arrays, a), append(out.Bounds, bounds), append(out.Lengths, n)
		if s.Source != nil {
			to := syntax.Expr(&syntax.Var{Name: e.Name})
			if k := i - len(s.Arrays); k >= 0 {
				to = s.Components[k].Object
			}
			values = append(values, &syntax.Assign{Head: syntax.Head{Pos: s.Pos, To: s.To}, Left: to, Right: s.Source})
		}
	}
	out.Status, out.Message = l.status(s.Stat, s.Message)
	stmts := []Stmt{out}
	if values != nil && s.Stat != nil { // they follow where it has succeeded
		h := syntax.Head{Pos: s.Pos, To: s.To}
		zero := &syntax.Binary{OpPos: s.Pos, Op: syntax.EQ, X: s.Stat, Y: &syntax.Int{Pos: s.Pos}}
		values = []syntax.Stmt{&syntax.If{Head: h, Arms: []syntax.IfArm{{Pos: s.Pos, Cond: zero, Body: values}}, End: s.To}}
	}
	return append(stmts, l.block(values, labels)...)
}

// status resolves the variables of STAT= and ERRMSG=, which are nil if they are not given.
func (l *lowerer) status(stat, message syntax.Expr) (Expr, Expr) {
	variable := func(e syntax.Expr, t syntax.BaseType, what string) Expr {
		if e == nil {
			return nil
		}
		x := l.left(e)
		if x != nil && (x.Type().Base != t || x.Rank() > 0) {
			l.fail(e.Position(), "a variable that is "+t.String(), "%s is %s", what, described(x))
			return nil
		}
		return x
	}
	return variable(stat, syntax.IntegerType, "STAT"), variable(message, syntax.CharacterType, "ERRMSG")
}

// allocated returns the bounds of an array in ALLOCATE: those that are given, or those of the value of SOURCE= or MOLD=.
func (l *lowerer) allocated(a *Symbol, e syntax.Entity, from syntax.Expr) ([]Bound, bool) {
	switch {
	case a.Boxed && e.Dims == nil:
		one := l.integer(1, e.Pos)
		return []Bound{{one, one}}, true
	case a.Boxed:
		l.fail(e.Pos, "no bounds", "%s is a scalar, and is allocated with bounds", e.Text)
		return nil, false
	case e.Dims == nil && from != nil:
		return l.boundsOf(from, a, e.Pos)
	case len(e.Dims) != a.Rank():
		l.fail(e.Pos, "bounds for each dimension", "%s has %d dimensions, but %d are given", e.Text, a.Rank(), len(e.Dims))
		return nil, false
	}
	return l.bounds(e.Dims), true
}

// boundsOf returns the bounds of a value.
func (l *lowerer) boundsOf(e syntax.Expr, a *Symbol, pos syntax.Pos) ([]Bound, bool) {
	x := l.expr(e)
	if x == nil {
		return nil, false
	}
	if x.Rank() != a.Rank() {
		l.fail(e.Position(), "bounds for "+a.Name+", or a value of its rank", "%s has %d dimensions, but the value is %s", a.Name, a.Rank(), described(x))
		return nil, false
	}
	impure := false
	calls(x, func(_ syntax.Pos, callee *Unit) { impure = impure || !callee.Pure })
	if impure {
		l.fail(e.Position(), "a variable that gets the value before", "the value of SOURCE= or MOLD= is that of a function which is not PURE: legal Fortran, but not in the subset")
		return nil, false
	}
	inquire := func(name string, d int) Expr {
		args := []syntax.Arg{{Value: e}, {Value: &syntax.Int{Pos: pos, Value: int64(d + 1)}}}
		return l.intExpr(&syntax.Apply{Name: syntax.Name{Text: name, Pos: pos}, Args: args}, "a bound")
	}
	var out []Bound
	_, variable := x.(*Ref)
	for d := range a.Rank() {
		if variable {
			out = append(out, Bound{inquire("LBOUND", d), inquire("UBOUND", d)})
		} else {
			out = append(out, Bound{l.integer(1, pos), inquire("SIZE", d)})
		}
	}
	return out, true
}

func (l *lowerer) allocatable(s *Symbol, n syntax.Name) bool {
	if !s.Allocatable {
		l.fail(n.Pos, "a variable that is declared ALLOCATABLE", "%s is not allocatable", n.Text)
	}
	return s.Allocatable
}

// entire returns the variable itself for the content of a scalar that is kept as an array, and other expressions unchanged.
func entire(x Expr) Expr {
	if e, ok := x.(*Element); ok && e.Sym.Boxed {
		return &Ref{typed{e.T, 1, e.Pos}, e.Sym}
	}
	return x
}

// isAllocatable reports whether an expression is a whole variable that is ALLOCATABLE.
func isAllocatable(x Expr) bool {
	r, ok := entire(x).(*Ref)
	return ok && r.Sym.Allocatable && !r.Sym.Pointer
}

// defining returns the assignment to a scalar that is ALLOCATABLE, which allocates it first. It returns nil for others.
func defining(head Stat, left, right Expr) Stmt {
	if e, ok := left.(*Element); ok && e.Sym.Boxed && e.Sym.Allocatable && !e.Sym.Pointer {
		return &Define{head, e.Sym, right}
	}
	return nil
}
