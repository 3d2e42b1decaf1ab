package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// uniform reports whether an expression is a scalar that is constant along a strip.
func (c *stripper) uniform(x lower.Expr) bool {
	ok := x.Rank() == 0
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			_, private := c.private[e.Sym]
			ok = ok && !private && (e.Sym != c.inner || c.inner == nil) && e.Sym.Class == lower.Variable
		case *lower.Element, *lower.Const, *lower.Unary, *lower.Binary, *lower.Conv:
		case *lower.Call:
			ok = ok && e.Fn.Sort != lower.Service
		default:
			ok = false
		}
	})
	return ok
}

// changes reports whether the nest writes a variable, or one that may have its storage.
func (c *stripper) changes(s *lower.Symbol) bool {
	if c.written[s] {
		return true
	}
	if s.Shared {
		for w := range c.written {
			if w.Shared {
				return true
			}
		}
	}
	return false
}

// constant reports whether a uniform expression is constant in the nest.
func (c *stripper) constant(x lower.Expr) bool {
	ok := true
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			ok = ok && !c.outer[e.Sym] && !c.changes(e.Sym)
		case *lower.Element:
			ok = ok && !c.changes(e.Sym)
		}
	})
	return ok
}

// guard gives up on an expression under a mask that could fail when it is computed where the mask does not hold.
func (c *stripper) guard(x lower.Expr) {
	if !c.masked {
		return
	}
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref, *lower.Const, *lower.Unary, *lower.Conv:
		case *lower.Binary:
			if e.T.Base == syntax.IntegerType && e.Op >= syntax.Div {
				panic(giveUp{})
			}
		default:
			panic(giveUp{})
		}
	})
}

// reads gives up on an expression that is computed before the nest and reads a variable that the nest writes.
func (c *stripper) reads(x lower.Expr) {
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Ref:
			if c.changes(e.Sym) {
				panic(giveUp{})
			}
		case *lower.Element:
			if c.changes(e.Sym) {
				panic(giveUp{})
			}
		}
	})
}

// scalar compiles a real that is constant along a strip. It returns nil for other expressions.
func (c *stripper) scalar(x lower.Expr) floatOf {
	if !c.uniform(x) {
		return nil
	}
	if k, ok := x.(*lower.Const); ok {
		v := k.F
		return func(*strips) float64 { return v }
	}
	if c.guard(x); c.constant(x) {
		k := len(c.n.floatK)
		c.n.floatK = append(c.n.floatK, x)
		c.n.code.know(&c.n.code.floats, x, k)
		return func(s *strips) float64 { return s.floatK[k] }
	}
	switch e := x.(type) {
	case *lower.Element:
		p := c.place(e)
		return func(s *strips) float64 { at := &s.places[p]; return at.real(at.offset) }
	case *lower.Binary:
		if e.Op > syntax.Div || !e.X.Type().Floating() || !e.Y.Type().Floating() {
			break
		}
		a, b, t, op := c.scalar(e.X), c.scalar(e.Y), e.T, e.Op
		return func(s *strips) float64 {
			x, y := a(s), b(s)
			switch op {
			case syntax.Add:
				x += y
			case syntax.Sub:
				x -= y
			case syntax.Mul:
				x = float64(x * y)
			default:
				x /= y
			}
			return t.Round(x)
		}
	}
	c.reads(x)
	return func(s *strips) float64 { return s.f.value(x).F }
}

// intScalar compiles an integer that is constant along a strip. It returns nil for other expressions.
func (c *stripper) intScalar(x lower.Expr) intOf {
	if !c.uniform(x) {
		return nil
	}
	if k, ok := x.(*lower.Const); ok {
		v := k.I
		return func(*strips) int64 { return v }
	}
	if c.guard(x); c.constant(x) {
		k := len(c.n.intK)
		c.n.intK = append(c.n.intK, x)
		c.n.code.know(&c.n.code.ints, x, k)
		return func(s *strips) int64 { return s.intK[k] }
	}
	if e, ok := x.(*lower.Element); ok {
		p := c.place(e)
		return func(s *strips) int64 { at := &s.places[p]; return at.int(at.offset) }
	}
	c.reads(x)
	return func(s *strips) int64 { return s.f.value(x).I }
}

// transformed reports whether an expression is a transformation or a reduction along a dimension, whose value is a
// new array.
func transformed(x lower.Expr) bool {
	e, ok := x.(*lower.Call)
	return ok && e.N > 0 && (e.Fn.Sort == lower.Transform || e.Fn.Sort == lower.Reduction)
}

// place adds a reference, or an array operand of an array assignment, and returns its number.
func (c *stripper) place(x lower.Expr) int {
	r := &ref{x: x, stmt: c.stmt}
	if c.loops == nil { // an array assignment: the section has the steps
		switch e := x.(type) {
		case *lower.Ref:
			r.sym = e.Sym
		case *lower.Element:
			r.sym = e.Sym
			for _, s := range e.Subs {
				if !s.Section && s.Index.Rank() > 0 {
					panic(giveUp{})
				}
			}
		}
		if x.Rank() == 0 {
			panic(giveUp{})
		}
	} else {
		e, ok := x.(*lower.Element)
		if !ok || e.N > 0 {
			panic(giveUp{})
		}
		r.sym = e.Sym
		for _, s := range e.Subs {
			r.subs = append(r.subs, c.subscript(s.Index))
		}
	}
	if !stripped(x.Type()) {
		panic(giveUp{})
	}
	c.n.refs = append(c.n.refs, r)
	c.n.code.know(&c.n.code.places, x, len(c.n.refs)-1)
	return len(c.n.refs) - 1
}

// subscript returns an index as a sum of the loops' variables and of a part that the nest does not change.
func (c *stripper) subscript(x lower.Expr) refSub {
	s := refSub{value: x, factors: make([]int, len(c.loops))}
	c.guard(x)
	if c.uniform(x) && c.constant(x) {
		return s
	}
	factors, _, ok := lower.Affine(x)
	if !ok {
		panic(giveUp{})
	}
	for v, k := range factors {
		if _, private := c.private[v]; private || c.written[v] {
			panic(giveUp{})
		}
		for l, w := range c.loops {
			if v == w {
				s.factors[l] = int(k)
			}
		}
	}
	return s
}
