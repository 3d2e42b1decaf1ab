package effects

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// binary applies an operation on ints.
func (s *Survey) binary(z *Zone, n int, in *ssa.BinOp) {
	x, ok1 := s.term(in.X)
	y, ok2 := s.term(in.Y)
	v, zero := Term{n, 0}, Term{0, 0}
	if !ok1 || !ok2 {
		return
	}
	switch in.Op {
	case token.ADD:
		switch {
		case y.v == 0:
			z.equate(v, x.plus(y.c))
		case x.v == 0:
			z.equate(v, y.plus(x.c))
		default:
			s.sum(z, v, x, y)
			s.sum(z, v, y, x)
			if a, b, ok := s.halfway(in.X, in.Y); ok && z.Holds(a, b) { // a + (b-a)/c
				z.assume(a, v)
				z.assume(v, b)
			}
		}
	case token.SUB:
		if y.v == 0 {
			z.equate(v, x.plus(-y.c))
			return
		}
		if m := z.above(y, zero); m < unbounded {
			z.assume(x.plus(-m), v)
		}
		if m := z.above(zero, y); m < unbounded {
			z.assume(v, x.plus(m))
		}
		if m := z.above(x, y); m < unbounded {
			z.assume(v, zero.plus(m))
		}
		if m := z.above(y, x); m < unbounded {
			z.assume(zero.plus(-m), v)
		}
	case token.QUO, token.SHR:
		if y.v != 0 || in.Op == token.QUO && y.c < 1 || y.c < 0 {
			return
		}
		if z.Holds(zero, x) {
			z.assume(zero, v)
			z.assume(v, x)
		}
		if add, ok := in.X.(*ssa.BinOp); ok && add.Op == token.ADD && (in.Op == token.QUO && y.c == 2 || in.Op == token.SHR && y.c == 1) {
			a, ok1 := s.term(add.X)
			b, ok2 := s.term(add.Y)
			if ok1 && ok2 && z.Holds(b, a) {
				a, b = b, a
			}
			if ok1 && ok2 && z.Holds(a, b) { // the middle of two numbers
				z.assume(a, v)
				z.assume(v, b)
			}
		}
	case token.REM:
		if z.Holds(zero, x) {
			z.assume(zero, v)
			z.assume(v, x)
			if z.Holds(zero.plus(1), y) {
				z.assume(v.plus(1), y)
			}
		}
	}
}

// sum bounds v = x + y by x and the bounds of y.
func (s *Survey) sum(z *Zone, v, x, y Term) {
	zero := Term{0, 0}
	if m := z.above(y, zero); m < unbounded {
		z.assume(v, x.plus(m))
	}
	if m := z.above(zero, y); m < unbounded {
		z.assume(x.plus(-m), v)
	}
}

// halfway returns a and b if y is a positive part of b - a and x is a.
func (s *Survey) halfway(x, y ssa.Value) (a, b Term, ok bool) {
	part, isBin := y.(*ssa.BinOp)
	if !isBin || part.Op != token.QUO && part.Op != token.SHR {
		return a, b, false
	}
	by, known := s.term(part.Y)
	minus, isBin := part.X.(*ssa.BinOp)
	if !known || by.v != 0 || by.c < 1 || !isBin || minus.Op != token.SUB || minus.Y != x {
		return a, b, false
	}
	a, ok = s.term(x)
	b, known = s.term(minus.X)
	return a, b, ok && known
}

// lengthCut bounds the end of a slice of a slice that begins anywhere: a part of it up to its length or less ends in it.
func (s *Survey) lengthCut(z *Zone, in *ssa.Slice, end, high Term) {
	for v, n := range s.number {
		c, ok := v.(*ssa.Call)
		if !ok || !isLen(c) || c.Call.Args[0] != in.X {
			continue
		}
		if z.Holds(high, Term{n, 0}) {
			z.assume(end, s.end(in.X))
		}
	}
}

func isLen(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}
