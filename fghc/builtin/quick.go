package builtin

import (
	"math/bits"

	"whorl/fghc/term"
)

// Quick computes an operation on two Int words. It returns false if the result might not fit in a word. Arith handles all operations and
// operands.
func Quick(o ArithOp, a, b term.Word) (term.Word, bool) {
	x, y := a.Value(), b.Value()
	switch o &^ Wrap {
	case Add:
		x += y
	case Sub:
		x -= y
	case Mul:
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi != 0 || lo > term.MaxInt {
			return 0, false
		}
		x *= y
	case Div:
		if y == 0 {
			return 0, false
		}
		x /= y
	case Mod:
		if y == 0 {
			return 0, false
		}
		x %= y
	case And:
		x &= y
	case Or:
		x |= y
	case Xor:
		x ^= y
	case ShiftLeft:
		if y < 0 || y > 60 || x > term.MaxInt>>y || x < term.MinInt>>y {
			return 0, false
		}
		x <<= y
	case ShiftRight:
		if y < 0 || y > 63 {
			return 0, false
		}
		x >>= y
	case Negate:
		x = -x
	case Complement:
		x = ^x
	case Copy:
	default:
		return 0, false
	}
	return term.MakeInt(x), term.FitsWord(x)
}
