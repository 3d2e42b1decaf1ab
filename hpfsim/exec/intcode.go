package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// int compiles a scalar integer or logical.
func (c *code) int(x lower.Expr) intFn {
	switch e := x.(type) {
	case *lower.Const:
		v := e.I
		return func(*frame) int64 { return v }
	case *lower.Ref:
		if c.isLocal(e.Sym) {
			k := e.Sym.Index
			return func(f *frame) int64 { a := f.vars[k]; return a.int(a.off) }
		}
		return func(f *frame) int64 {
			a := f.variable(e.Sym)
			f.present(a, e.Sym, e.Pos)
			return a.int(a.off)
		}
	case *lower.Element:
		place := c.element(e)
		return func(f *frame) int64 {
			a, at := place(f)
			return a.int(at)
		}
	case *lower.Unary:
		of, t := c.int(e.X), e.T
		if e.Op == syntax.Not {
			return func(f *frame) int64 { return 1 - of(f) }
		}
		return func(f *frame) int64 { return t.Wrap(-of(f)) }
	case *lower.Conv:
		return c.toInt(e.X, e.T, x)
	case *lower.Binary:
		if e.Op > syntax.Concat {
			if of := c.relation(e); of != nil {
				return func(f *frame) int64 {
					if of(f) {
						return 1
					}
					return 0
				}
			}
		} else if of := c.intBinary(e); of != nil {
			return of
		}
	case *lower.Call:
		if of := c.intCall(e); of != nil {
			return of
		}
	case *lower.Invoke:
		if of := c.invoked(e); of != nil {
			return func(f *frame) int64 {
				g, a := of(f)
				v := a.int(a.off)
				g.leave()
				return v
			}
		}
	}
	return func(f *frame) int64 { return f.value(x).I }
}

// toInt compiles a conversion of a number to an integer.
func (c *code) toInt(x lower.Expr, to lower.Type, whole lower.Expr) intFn {
	switch from := x.Type(); {
	case from.Base == syntax.IntegerType && to.Base == syntax.IntegerType:
		of := c.int(x)
		if to.Size >= from.Size {
			return of
		}
		return func(f *frame) int64 { return to.Wrap(of(f)) }
	case from.Floating():
		of := c.float(x)
		return func(f *frame) int64 { return to.Wrap(lower.Truncate(of(f))) }
	}
	return func(f *frame) int64 { return f.value(whole).I }
}

// intBinary compiles arithmetic. It returns nil for powers.
func (c *code) intBinary(e *lower.Binary) intFn {
	if e.Op > syntax.Div {
		return nil
	}
	x, t := c.int(e.X), e.T
	if k, ok := e.Y.(*lower.Const); ok && t.Size == 4 && k.I != 0 {
		k := k.I
		if v, ok := c.local(e.X); ok && e.Op <= syntax.Sub {
			if e.Op == syntax.Sub {
				k = -k
			}
			return func(f *frame) int64 { a := f.vars[v]; return int64(int32(a.int(a.off) + k)) }
		}
		switch e.Op {
		case syntax.Add:
			return func(f *frame) int64 { return int64(int32(x(f) + k)) }
		case syntax.Sub:
			return func(f *frame) int64 { return int64(int32(x(f) - k)) }
		case syntax.Mul:
			return func(f *frame) int64 { return int64(int32(x(f) * k)) }
		}
		return func(f *frame) int64 { return int64(int32(x(f) / k)) }
	}
	y := c.int(e.Y)
	if e.Op == syntax.Div {
		return func(f *frame) int64 {
			a, b := x(f), y(f)
			if b == 0 {
				fail(e.Pos, "division of an integer by zero")
			}
			return t.Wrap(a / b)
		}
	}
	if t.Size == 4 {
		switch e.Op {
		case syntax.Add:
			if v, ok := c.local(e.X); ok {
				if w, ok := c.local(e.Y); ok {
					return func(f *frame) int64 { a, b := f.vars[v], f.vars[w]; return int64(int32(a.int(a.off) + b.int(b.off))) }
				}
			}
			return func(f *frame) int64 { return int64(int32(x(f) + y(f))) }
		case syntax.Sub:
			return func(f *frame) int64 { return int64(int32(x(f) - y(f))) }
		}
		return func(f *frame) int64 { return int64(int32(x(f) * y(f))) }
	}
	switch e.Op {
	case syntax.Add:
		return func(f *frame) int64 { return t.Wrap(x(f) + y(f)) }
	case syntax.Sub:
		return func(f *frame) int64 { return t.Wrap(x(f) - y(f)) }
	}
	return func(f *frame) int64 { return t.Wrap(x(f) * y(f)) }
}

// intCall compiles a call of a frequent elemental function. It returns nil for others.
func (c *code) intCall(e *lower.Call) intFn {
	if e.Fn.Sort != lower.Elemental || e.T.Base != syntax.IntegerType {
		return nil
	}
	for _, x := range e.Args {
		if x == nil || x.Type().Base != syntax.IntegerType && !x.Type().Floating() || x.Rank() > 0 {
			return nil
		}
	}
	t := e.T
	switch {
	case len(e.Args) == 1 && e.Fn.Op == lower.OpInt:
		return c.toInt(e.Args[0], t, e)
	case len(e.Args) == 1 && e.Fn.Op == lower.OpAbs && e.Args[0].Type() == t:
		of := c.int(e.Args[0])
		return func(f *frame) int64 { v := of(f); return t.Wrap(max(v, -v)) }
	case len(e.Args) == 2 && e.Args[0].Type() == t && e.Args[1].Type() == t:
		x, y := c.int(e.Args[0]), c.int(e.Args[1])
		switch e.Fn.Op {
		case lower.OpMod:
			if k, ok := e.Args[1].(*lower.Const); ok && k.I > 0 {
				k := k.I
				if k == 2 {
					return func(f *frame) int64 { return x(f) % 2 }
				}
				return func(f *frame) int64 { return x(f) % k }
			}
			return func(f *frame) int64 {
				a, b := x(f), y(f)
				if b == 0 {
					fail(e.Pos, "%s", undefined(e.Fn))
				}
				return t.Wrap(a % b)
			}
		case lower.OpMax:
			return func(f *frame) int64 { return max(x(f), y(f)) }
		case lower.OpMin:
			return func(f *frame) int64 { return min(x(f), y(f)) }
		}
	}
	return nil
}

// truth compiles a condition.
func (c *code) truth(x lower.Expr) boolFn {
	switch e := x.(type) {
	case *lower.Binary:
		if of := c.relation(e); of != nil {
			return of
		}
	case *lower.Unary:
		if e.Op == syntax.Not {
			of := c.truth(e.X)
			return func(f *frame) bool { return !of(f) }
		}
	}
	of := c.int(x)
	return func(f *frame) bool { return of(f) != 0 }
}

// relation compiles a relation of numbers, or .AND. and .OR. of conditions. It returns nil for other operators.
func (c *code) relation(e *lower.Binary) boolFn {
	switch e.Op {
	case syntax.And:
		x, y := c.truth(e.X), c.truth(e.Y)
		return func(f *frame) bool { return x(f) && y(f) }
	case syntax.Or:
		x, y := c.truth(e.X), c.truth(e.Y)
		return func(f *frame) bool { return x(f) || y(f) }
	case syntax.Eqv, syntax.Neqv, syntax.Not:
		return nil
	}
	switch t := e.X.Type(); {
	case t.Floating() && e.Y.Type().Floating():
		return relate(e.Op, c.float(e.X), c.float(e.Y))
	case t.Base == syntax.IntegerType && e.Y.Type().Base == syntax.IntegerType:
		x := c.int(e.X)
		if k, ok := e.Y.(*lower.Const); ok {
			if of := against(e.Op, x, k.I); of != nil {
				return of
			}
		}
		return relate(e.Op, x, c.int(e.Y))
	}
	return nil
}

// against compiles a relation with a constant. It returns nil for other operators.
func against(op syntax.Op, x intFn, k int64) boolFn {
	switch op {
	case syntax.EQ:
		return func(f *frame) bool { return x(f) == k }
	case syntax.NE:
		return func(f *frame) bool { return x(f) != k }
	case syntax.LT:
		return func(f *frame) bool { return x(f) < k }
	case syntax.LE:
		return func(f *frame) bool { return x(f) <= k }
	case syntax.GT:
		return func(f *frame) bool { return x(f) > k }
	case syntax.GE:
		return func(f *frame) bool { return x(f) >= k }
	}
	return nil
}

// local returns the index of a scalar variable of the unit.
func (c *code) local(x lower.Expr) (int, bool) {
	r, ok := x.(*lower.Ref)
	if !ok || r.N > 0 || !c.isLocal(r.Sym) {
		return 0, false
	}
	return r.Sym.Index, true
}

func relate[T int64 | float64](op syntax.Op, x, y func(f *frame) T) boolFn {
	switch op {
	case syntax.EQ:
		return func(f *frame) bool { return x(f) == y(f) }
	case syntax.NE:
		return func(f *frame) bool { return x(f) != y(f) }
	case syntax.LT:
		return func(f *frame) bool { return x(f) < y(f) }
	case syntax.LE:
		return func(f *frame) bool { return x(f) <= y(f) }
	case syntax.GT:
		return func(f *frame) bool { return x(f) > y(f) }
	case syntax.GE:
		return func(f *frame) bool { return x(f) >= y(f) }
	}
	return nil
}
