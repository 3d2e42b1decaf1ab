package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// ints compiles an expression of integers or logicals. Its scratch strips of reals begin at number free.
func (c *stripper) ints(x lower.Expr, free int) intStrip {
	if k := c.intScalar(x); k != nil {
		return repeated(k)
	}
	switch e := x.(type) {
	case *lower.Ref:
		if e.Sym == c.inner && c.inner != nil {
			return func(s *strips, dst []int64) []int64 {
				v := s.lo + int64(s.done)*s.step
				for i := range dst {
					dst[i] = v
					v += s.step
				}
				return dst
			}
		}
		if p, ok := c.private[e.Sym]; ok {
			return func(s *strips, dst []int64) []int64 { return s.kept[p].i[:len(dst)] }
		}
		return c.intPlace(c.place(e))
	case *lower.Element:
		return c.intPlace(c.place(e))
	case *lower.Conv:
		return c.intConv(e.X, e.T, free)
	case *lower.Unary:
		if e.Op == syntax.Not {
			of := c.ints(e.X, free)
			return func(s *strips, dst []int64) []int64 {
				for i, v := range of(s, dst)[:len(dst)] {
					dst[i] = 1 - v
				}
				return dst
			}
		}
		if e.Op == syntax.Sub {
			of := c.ints(e.X, free)
			return func(s *strips, dst []int64) []int64 {
				for i, v := range of(s, dst)[:len(dst)] {
					dst[i] = e.T.Wrap(-v)
				}
				return dst
			}
		}
	case *lower.Binary:
		return c.intBinary(e, free)
	case *lower.Call:
		return c.intCall(e, free)
	}
	panic(giveUp{})
}

func (c *stripper) intPlace(p int) intStrip {
	return func(s *strips, dst []int64) []int64 { return s.places[p].nextInts(dst) }
}

func (c *stripper) intConv(x lower.Expr, to lower.Type, free int) intStrip {
	from := x.Type()
	switch {
	case from.Base == syntax.IntegerType:
		of := c.ints(x, free)
		if to.Size >= from.Size {
			return of
		}
		return func(s *strips, dst []int64) []int64 {
			for i, v := range of(s, dst)[:len(dst)] {
				dst[i] = to.Wrap(v)
			}
			return dst
		}
	case from.Floating():
		t := c.floatStrip(free)
		of := c.floats(x, free+1)
		return func(s *strips, dst []int64) []int64 {
			for i, v := range of(s, s.floats[t][:len(dst)])[:len(dst)] {
				dst[i] = to.Wrap(lower.Truncate(v))
			}
			return dst
		}
	}
	panic(giveUp{})
}

func (c *stripper) intBinary(e *lower.Binary, free int) intStrip {
	if e.Op > syntax.Concat {
		return c.logicals(e, free)
	}
	if e.Op > syntax.Mul || e.X.Type().Base != syntax.IntegerType || e.Y.Type().Base != syntax.IntegerType {
		return c.remainder(e, e.X, e.Y, e.Op == syntax.Div, free)
	}
	k := integerKernels(e.T)
	x, y := e.X, e.Y
	left, right := c.intScalar(x), c.intScalar(y)
	if left != nil && e.Op != syntax.Sub {
		x, y, left, right = y, x, right, left
	}
	if right != nil {
		op, sign := k.addK, int64(1)
		switch e.Op {
		case syntax.Sub:
			sign = -1
		case syntax.Mul:
			op = k.mulK
		}
		of := c.ints(x, free)
		return func(s *strips, dst []int64) []int64 {
			op(dst, of(s, dst), sign*right(s))
			return dst
		}
	}
	if left != nil {
		of := c.ints(y, free)
		return func(s *strips, dst []int64) []int64 {
			k.kSub(dst, of(s, dst), left(s))
			return dst
		}
	}
	op := [...]func(dst, x, y []int64){syntax.Add: k.add, syntax.Sub: k.sub, syntax.Mul: k.mul}[e.Op]
	a, t, b := c.ints(x, free), c.intStrip(), c.ints(y, free)
	return func(s *strips, dst []int64) []int64 {
		p := a(s, dst)
		op(dst, p, b(s, s.ints[t][:len(dst)]))
		return dst
	}
}

// remainder compiles x / k and MOD(x, k) for a constant k other than 0. It gives up for other divisors.
func (c *stripper) remainder(at, x, y lower.Expr, quotient bool, free int) intStrip {
	k, ok := y.(*lower.Const)
	if !ok || k.T.Base != syntax.IntegerType || x.Type().Base != syntax.IntegerType || k.I == 0 {
		panic(giveUp{})
	}
	if b, ok := at.(*lower.Binary); ok && b.Op != syntax.Div {
		panic(giveUp{})
	}
	of, t, by := c.ints(x, free), at.Type(), k.I
	return func(s *strips, dst []int64) []int64 {
		v := of(s, dst)[:len(dst)]
		if quotient {
			for i, v := range v {
				dst[i] = t.Wrap(v / by)
			}
			return dst
		}
		for i, v := range v {
			dst[i] = v % by
		}
		return dst
	}
}

func (c *stripper) intCall(e *lower.Call, free int) intStrip {
	if transformed(e) {
		return c.intPlace(c.place(e))
	}
	switch {
	case len(e.Args) == 1 && e.Fn.Op == lower.OpInt:
		return c.intConv(e.Args[0], e.T, free)
	case e.Fn.Op == lower.OpMod && len(e.Args) == 2:
		return c.remainder(e, e.Args[0], e.Args[1], false, free)
	case e.Fn.Op == lower.OpAbs && e.Args[0].Type() == e.T:
		of := c.ints(e.Args[0], free)
		return func(s *strips, dst []int64) []int64 {
			for i, v := range of(s, dst)[:len(dst)] {
				dst[i] = e.T.Wrap(max(v, -v))
			}
			return dst
		}
	}
	panic(giveUp{})
}
