package lower

import (
	"fmt"

	"whorl/hpfsim/syntax"
)

// elementwise turns an assignment to a mapped array that calls ELEMENTAL functions for arrays into a FORALL that calls them for elements, so that the
// owner of an element computes it. It returns nil if an operand is not known to have the shape of the target, or has no elements of its own.
func (l *lowerer) elementwise(head Stat, left, right Expr) Stmt {
	to := whole(left)
	if l.within > 0 || to == nil || to.N == 0 || to.Sym.Place == nil || !callsForElements(right) {
		return nil
	}
	if len(l.loops) > 0 && to.N < len(to.Subs) { // iterations of the loop may have owners
		return nil
	}
	e := &elements{}
	for d, s := range to.Subs {
		lo, hi, ok := span(to.Sym, d, s)
		if !ok {
			return nil
		}
		if s.Section {
			e.los, e.his = append(e.los, lo), append(e.his, hi)
		}
	}
	if e.checks(right); e.failed {
		return nil
	}
	out := &Forall{Stat: head, Los: e.los, His: e.his, Step: make([]Expr, len(e.los))}
	for k := range e.los {
		out.Vars = append(out.Vars, l.index(k, head.Pos))
	}
	e.vars = out.Vars
	head.Label = 0
	out.Body = []Stmt{&Assign{head, e.element(to), e.element(right)}}
	return out
}

// index returns the variable for dimension k of an assignment that calls functions for elements. No statement of the
// program has its name.
func (l *lowerer) index(k int, pos syntax.Pos) *Symbol {
	name := fmt.Sprintf("index %d", k+1)
	if s := l.unit.names[name]; s != nil {
		return s
	}
	s := &Symbol{Name: name, Pos: pos, Unit: l.unit, Index: len(l.unit.Symbols), Type: Integer, typed: true}
	l.unit.Symbols = append(l.unit.Symbols, s)
	l.unit.names[name] = s
	return s
}

// callsForElements reports whether an expression calls an ELEMENTAL function of the program for arrays.
func callsForElements(x Expr) bool {
	found := false
	Walk(x, func(e Expr) {
		f, ok := e.(*Invoke)
		found = found || ok && f.N > 0 && f.Sym.Proc != nil && f.Sym.Proc.Elemental
	})
	return found
}

// span returns the bounds of a subscript that is a section with a step of 1. For an index it returns true alone.
func span(s *Symbol, d int, sub Sub) (lo, hi Expr, ok bool) {
	switch {
	case !sub.Section:
		return nil, nil, sub.Index.Rank() == 0
	case sub.Step != nil || s.Allocatable:
		return nil, nil, false
	}
	if lo, hi = sub.Lo, sub.Hi; lo == nil {
		if lo = s.Bounds[d].Lo; !settled(lo, s.Unit) {
			return nil, nil, false
		}
	}
	if hi == nil {
		if hi = s.Bounds[d].Hi; !settled(hi, s.Unit) {
			return nil, nil, false
		}
	}
	return lo, hi, lo.Type() == Integer && hi.Type() == Integer
}

// settled reports whether a bound in a declaration of a unit has the same value in all of its statements.
func settled(bound Expr, u *Unit) bool {
	ok := bound != nil && !IsAssumed(bound)
	Walk(bound, func(x Expr) {
		switch x := x.(type) {
		case *Ref:
			ok = ok && x.Sym.Unit == u && x.Sym.Intent == "IN"
		case *Const, *Binary, *Unary:
		default:
			ok = false
		}
	})
	return ok
}

// An elements writes an expression of arrays as that of one element.
type elements struct {
	los, his []Expr // of the target
	vars     []*Symbol
	failed   bool
}

// checks fails unless each array of an expression has an element for each element of the target.
func (e *elements) checks(x Expr) {
	if x == nil {
		return
	}
	if x.Rank() == 0 {
		Walk(x, func(y Expr) { // it would be computed again for each element
			f, service := y.(*Call)
			_, call := y.(*Invoke)
			e.failed = e.failed || call || service && f.Fn.Sort != Elemental && f.Fn.Sort != Inquiry
		})
		return
	}
	switch x := x.(type) {
	case *Ref, *Element:
		k, w := 0, whole(x)
		for d, s := range w.Subs {
			lo, hi, ok := span(w.Sym, d, s)
			if e.failed = e.failed || !ok; e.failed {
				return
			}
			if s.Section {
				e.failed = !sameExtent(lo, hi, e.los[k], e.his[k])
				k++
			}
		}
	case *Unary:
		e.checks(x.X)
	case *Binary:
		e.checks(x.X)
		e.checks(x.Y)
	case *Conv:
		e.checks(x.X)
	case *Call:
		e.failed = e.failed || x.Fn.Sort != Elemental
		e.all(x.Args)
	case *Invoke:
		e.failed = e.failed || x.Sym.Proc == nil || !x.Sym.Proc.Elemental
		e.all(x.Args)
	default:
		e.failed = true
	}
}

func (e *elements) all(list []Expr) {
	for _, x := range list {
		if !e.failed {
			e.checks(x)
		}
	}
}

// sameExtent reports whether two ranges are known to have the same number of indices.
func sameExtent(lo, hi, lo2, hi2 Expr) bool {
	a, ok1 := affineOf(hi)
	b, ok2 := affineOf(lo)
	c, ok3 := affineOf(hi2)
	d, ok4 := affineOf(lo2)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return false
	}
	diff := a.plus(b.times(-1)).plus(c.times(-1)).plus(d)
	return len(diff.factors) == 0 && diff.offset == 0
}

// element returns an expression for one element.
func (e *elements) element(x Expr) Expr {
	if x == nil || x.Rank() == 0 {
		return x
	}
	switch x := x.(type) {
	case *Ref, *Element:
		y := *whole(x)
		y.N = 0
		y.Subs = make([]Sub, len(y.Subs))
		k := 0
		for d, s := range whole(x).Subs {
			if y.Subs[d] = s; s.Section {
				lo, _, _ := span(y.Sym, d, s)
				y.Subs[d] = Sub{Index: e.index(k, lo, y.Pos)}
				k++
			}
		}
		return &y
	case *Unary:
		y := *x
		y.N, y.X = 0, e.element(x.X)
		return &y
	case *Binary:
		y := *x
		y.N, y.X, y.Y = 0, e.element(x.X), e.element(x.Y)
		return &y
	case *Conv:
		y := *x
		y.N, y.X = 0, e.element(x.X)
		return &y
	case *Call:
		y := *x
		y.N, y.Args = 0, e.list(x.Args)
		return &y
	case *Invoke:
		y := *x
		y.N, y.Args = 0, e.list(x.Args)
		return &y
	}
	return x
}

func (e *elements) list(all []Expr) []Expr {
	out := make([]Expr, len(all))
	for i, x := range all {
		out[i] = e.element(x)
	}
	return out
}

// index returns the index of an operand in a dimension that begins at lo: the variable, plus how far lo is from the
// beginning of the target.
func (e *elements) index(k int, lo Expr, pos syntax.Pos) Expr {
	v := &Ref{typed{Integer, 0, pos}, e.vars[k]}
	a, _ := affineOf(lo)
	b, _ := affineOf(e.los[k])
	t := typed{Integer, 0, pos}
	diff := a.plus(b.times(-1))
	switch {
	case len(diff.factors) > 0:
		return &Binary{t, syntax.Add, v, &Binary{t, syntax.Sub, lo, e.los[k]}}
	case diff.offset != 0:
		return &Binary{t, syntax.Add, v, &Const{t, Value{I: diff.offset}}}
	}
	return v
}
