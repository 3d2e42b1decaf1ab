package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// logicals compiles a relation or a logical operator to strips of 0 and 1.
func (c *stripper) logicals(e *lower.Binary, free int) intStrip {
	switch {
	case e.Op >= syntax.And:
		a, t, b := c.ints(e.X, free), c.intStrip(), c.ints(e.Y, free)
		op := e.Op
		return func(s *strips, dst []int64) []int64 {
			x := a(s, dst)[:len(dst)]
			y := b(s, s.ints[t][:len(dst)])[:len(dst)]
			switch op {
			case syntax.And:
				for i, v := range x {
					dst[i] = v & y[i]
				}
			case syntax.Or:
				for i, v := range x {
					dst[i] = v | y[i]
				}
			case syntax.Eqv:
				for i, v := range x {
					dst[i] = 1 - v ^ y[i]
				}
			default:
				for i, v := range x {
					dst[i] = v ^ y[i]
				}
			}
			return dst
		}
	case e.X.Type().Floating() && e.Y.Type().Floating():
		t, u := c.floatStrip(free), c.floatStrip(free+1)
		a, b, op := c.floats(e.X, free+1), c.floats(e.Y, free+2), e.Op
		return func(s *strips, dst []int64) []int64 {
			x := a(s, s.floats[t][:len(dst)])
			compare(op, dst, x, b(s, s.floats[u][:len(dst)]))
			return dst
		}
	case e.X.Type().Base == syntax.IntegerType && e.Y.Type().Base == syntax.IntegerType:
		a, t, b, op := c.ints(e.X, free), c.intStrip(), c.ints(e.Y, free), e.Op
		return func(s *strips, dst []int64) []int64 {
			x := a(s, dst)
			compare(op, dst, x, b(s, s.ints[t][:len(dst)]))
			return dst
		}
	}
	panic(giveUp{})
}

// compare computes dst[i] = x[i] op y[i], 0 or 1; dst may be x.
func compare[S int64 | float64](op syntax.Op, dst []int64, x, y []S) {
	if op == syntax.GT || op == syntax.GE {
		x, y, op = y, x, op-syntax.GT+syntax.LT
	}
	x, y = x[:len(dst)], y[:len(dst)]
	switch op {
	case syntax.EQ:
		for i := range dst {
			dst[i] = boolInt(x[i] == y[i])
		}
	case syntax.NE:
		for i := range dst {
			dst[i] = boolInt(x[i] != y[i])
		}
	case syntax.LT:
		for i := range dst {
			dst[i] = boolInt(x[i] < y[i])
		}
	default:
		for i := range dst {
			dst[i] = boolInt(x[i] <= y[i])
		}
	}
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
