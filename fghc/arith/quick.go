package arith

import (
	"math"
	"math/bits"

	"whorl/fghc/term"
)

// Quick computes an operation on two Int words. It returns false if the result might not fit in a word. Arith handles all operations and
// operands.
func Quick(o Op, a, b term.Word) (term.Word, bool) {
	v, ok := Checked(o&^Wrap, a.Value(), b.Value())
	return term.MakeInt(v), ok && term.FitsWord(v)
}

// Checked computes an operation on 64-bit integers. It returns false if the result might not fit in 64 bits, and for other operations.
func Checked(o Op, x, y int64) (v int64, ok bool) {
	switch o {
	case Add:
		v = x + y
		return v, (v^x)&(v^y) >= 0
	case Sub:
		v = x - y
		return v, (x^y)&(v^x) >= 0
	case Mul:
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		return x * y, hi == 0 && lo <= math.MaxInt64
	case Div:
		if y == 0 || x == math.MinInt64 {
			return 0, false
		}
		return x / y, true
	case Mod:
		if y == 0 {
			return 0, false
		}
		return x % y, true
	case And:
		return x & y, true
	case Or:
		return x | y, true
	case Xor:
		return x ^ y, true
	case ShiftLeft:
		if y < 0 || y > 62 || x > math.MaxInt64>>y || x < math.MinInt64>>y {
			return 0, false
		}
		return x << y, true
	case ShiftRight:
		if y < 0 || y > 63 {
			return 0, false
		}
		return x >> y, true
	case Negate:
		return -x, x != math.MinInt64
	case Complement:
		return ^x, true
	case Copy:
		return x, true
	}
	return 0, false
}
