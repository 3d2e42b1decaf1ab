package engine

import (
	"math/bits"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// holds compares two numbers; words of two Ints compare as their values do.
func holds(r compile.Rel, a, b int64) bool {
	switch r {
	case compile.Less:
		return a < b
	case compile.GreaterEqual:
		return a >= b
	case compile.LessEqual:
		return a <= b
	case compile.Greater:
		return a > b
	case compile.Same:
		return a == b
	}
	return a != b
}

// quick computes on two Int words where the result surely fits one.
func quick(op compile.ArithOp, a, b term.Word) (term.Word, bool) {
	x, y := a.Value(), b.Value()
	switch op {
	case compile.Add:
		x += y
	case compile.Sub:
		x -= y
	case compile.Mul:
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi != 0 || lo > term.MaxInt {
			return 0, false
		}
		x *= y
	case compile.Div:
		if y == 0 {
			return 0, false
		}
		x /= y
	case compile.Mod:
		if y == 0 {
			return 0, false
		}
		x %= y
	case compile.And:
		x &= y
	case compile.Or:
		x |= y
	case compile.Xor:
		x ^= y
	case compile.ShiftLeft:
		if y < 0 || y > 60 || x > term.MaxInt>>y || x < term.MinInt>>y {
			return 0, false
		}
		x <<= y
	case compile.ShiftRight:
		if y < 0 || y > 63 {
			return 0, false
		}
		x >>= y
	case compile.Negate:
		x = -x
	case compile.Complement:
		x = ^x
	case compile.Copy:
	default:
		return 0, false
	}
	return term.MakeInt(x), term.FitsWord(x)
}

// compareSlow compares numbers of which one at least is no Int word, or waits, or says that they are none.
func (e *Engine) compareSlow(in *compile.Ins, a, b term.Word, pc int32) int32 {
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked
	}
	sign, ok := builtin.Sign((*platform)(e), in.Op == compile.FloatCompare, a, b)
	if !ok {
		return in.Type
	}
	if !holds(compile.Rel(in.K), int64(sign), 0) {
		return in.Fail
	}
	return pc
}

func (e *Engine) blockBoth(a, b term.Word) {
	if a.Tag() == term.Ref {
		e.block(a)
	}
	if b.Tag() == term.Ref {
		e.block(b)
	}
}

// arithSlow is Arith without the quick way: operands may be unbound, no numbers, or of several words. Not ok means a run-time error.
func (e *Engine) arithSlow(in *compile.Ins, a, b term.Word, pc int32) (int32, bool) {
	op := compile.ArithOp(in.K)
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked, true
	}
	work := e.work // the words of a number cost nothing but their limbs
	w, problem, text := builtin.Arith((*platform)(e), op, a, b)
	e.work = work
	switch {
	case problem == builtin.None:
		if op&compile.Big != 0 {
			v, _ := builtin.Integer((*platform)(e), w)
			e.work += int64(len(v.Bits())) * e.costs.Limb
		}
		e.x[in.A] = w
		return pc, true
	case problem != builtin.TooLarge && in.Type != 0:
		return in.Type, true
	}
	e.err = e.arithError(in, text)
	return 0, false
}
