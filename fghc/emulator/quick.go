package emulator

import (
	"math/bits"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// quick computes on two integers of a word each where the result surely fits one.
func quick(o builtin.ArithOp, a, b term.Word) (term.Word, bool) {
	x, y := a.Value(), b.Value()
	switch o {
	case builtin.Add:
		x += y
	case builtin.Sub:
		x -= y
	case builtin.Mul:
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi != 0 || lo > term.MaxInt {
			return 0, false
		}
		x *= y
	case builtin.Div:
		if y == 0 {
			return 0, false
		}
		x /= y
	case builtin.Mod:
		if y == 0 {
			return 0, false
		}
		x %= y
	case builtin.And:
		x &= y
	case builtin.Or:
		x |= y
	case builtin.Xor:
		x ^= y
	case builtin.ShiftLeft:
		if y < 0 || y > 60 || x > term.MaxInt>>y || x < term.MinInt>>y {
			return 0, false
		}
		x <<= y
	case builtin.ShiftRight:
		if y < 0 || y > 63 {
			return 0, false
		}
		x >>= y
	case builtin.Negate:
		x = -x
	case builtin.Complement:
		x = ^x
	case builtin.Copy:
	default:
		return 0, false
	}
	return term.MakeInt(x), term.FitsWord(x)
}
