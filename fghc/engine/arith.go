package engine

import (
	"fmt"
	"math/big"
	"math/bits"

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

// compareSlow compares integers of which one at least is no Int word, or waits, or says that they are none.
func (e *Engine) compareSlow(in *compile.Ins, a, b term.Word, pc int32) int32 {
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked
	}
	x, ok := e.heap.big(a)
	y, ok2 := e.heap.big(b)
	if !ok || !ok2 {
		return in.Type
	}
	if !holds(compile.Rel(in.K), int64(x.Cmp(y)), 0) {
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

// arithSlow is Arith without the quick way: operands may be unbound, no integers, or of several words. Not ok means a run-time error.
func (e *Engine) arithSlow(in *compile.Ins, a, b term.Word, pc int32) (int32, bool) {
	h, op := &e.heap, compile.ArithOp(in.K)
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked, true
	}
	if !h.isInteger(a) || !h.isInteger(b) {
		if in.Type != 0 {
			return in.Type, true
		}
		if h.isInteger(a) {
			a = b
		}
		e.err = e.arithError(in, brief(e.Show(a))+" is no integer")
		return 0, false
	}
	any := op&compile.Big != 0
	op &^= compile.Big
	x, _ := h.big(a)
	y, _ := h.big(b)
	z, problem := compute(op, x, y, any)
	switch {
	case problem == divideByZero && in.Type != 0:
		return in.Type, true
	case problem != "":
		e.err = e.arithError(in, brief(e.Show(a))+" "+op.String()+" "+brief(e.Show(b))+": "+problem)
		return 0, false
	}
	if any {
		e.work += int64(len(z.Bits())) * e.costs.Limb
		e.x[in.A] = h.bigInteger(z)
		return pc, true
	}
	if !x.IsInt64() || !y.IsInt64() || !z.IsInt64() {
		e.err = e.arithError(in, "integer overflow: "+brief(e.Show(a))+" "+op.String()+" "+brief(e.Show(b))+" does not fit 64 bits; bigint/2 computes with any precision")
		return 0, false
	}
	e.x[in.A] = h.integer(z.Int64())
	return pc, true
}

const divideByZero = "division by zero"

// maxBits is the length of the longest integer: no program may exhaust memory in one step.
const maxBits = 1 << 22

var tooLong = fmt.Sprintf("the result has more than %d bits", maxBits)

// compute is an operation on integers; a problem is the empty string or says why there is no result.
func compute(op compile.ArithOp, x, y *big.Int, any bool) (z *big.Int, problem string) {
	z = new(big.Int)
	switch op {
	case compile.Add:
		z.Add(x, y)
	case compile.Sub:
		z.Sub(x, y)
	case compile.Mul:
		if x.BitLen()+y.BitLen() > maxBits {
			return nil, tooLong
		}
		z.Mul(x, y)
	case compile.Div, compile.Mod:
		if y.Sign() == 0 {
			return nil, divideByZero
		}
		if op == compile.Div {
			z.Quo(x, y)
		} else {
			z.Rem(x, y)
		}
	case compile.And:
		z.And(x, y)
	case compile.Or:
		z.Or(x, y)
	case compile.Xor:
		z.Xor(x, y)
	case compile.ShiftLeft, compile.ShiftRight:
		if !y.IsInt64() || y.Int64() < 0 || y.Int64() > maxBits {
			return nil, "the shift is out of range"
		}
		if op == compile.ShiftLeft {
			if int64(x.BitLen())+y.Int64() > maxBits {
				return nil, tooLong
			}
			z.Lsh(x, uint(y.Int64()))
		} else {
			z.Rsh(x, uint(y.Int64()))
		}
	case compile.Negate:
		z.Neg(x)
	case compile.Complement:
		z.Not(x)
	case compile.Copy:
		z.Set(x)
	}
	return z, ""
}
