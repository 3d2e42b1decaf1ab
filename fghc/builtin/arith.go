package builtin

import (
	"math"
	"math/big"

	"whorl/fghc/arith"
	"whorl/fghc/term"
)

// A Problem is the reason why an operation has no result.
type Problem uint8

// The problems. NoNumber and NoResult make a guard fail; TooLarge is an error in guards too.
const (
	None     Problem = iota
	NoNumber         // an operand has the wrong type
	NoResult         // division by zero, or the result is not a finite float
	TooLarge         // integer overflow
)

// Arith computes x op y for dereferenced values; a unary op ignores y. The text describes the problem.
func Arith(c Context, op arith.Op, x, y term.Word) (w term.Word, p Problem, text string) {
	if op.Unary() {
		y = x
	}
	switch {
	case op.OnFloats():
		return floats(c, op, x, y)
	case op == arith.ToFloat:
		v, ok := Integer(c, x)
		if !ok {
			return 0, NoNumber, c.Show(x) + " is not an integer"
		}
		f, _ := new(big.Float).SetInt(v).Float64()
		return finite(c, op, x, x, f)
	}
	any, wrap := op&arith.Big != 0, op&arith.Wrap != 0
	op &^= arith.Big | arith.Wrap
	if v, ok := small(c, op, x, y, wrap); ok {
		return NewSmall(c, v), None, ""
	}
	a, ok := Integer(c, x)
	if !ok {
		return 0, NoNumber, c.Show(x) + " is not an integer"
	}
	b, ok := Integer(c, y)
	if !ok {
		return 0, NoNumber, c.Show(y) + " is not an integer"
	}
	z, why := arith.Compute(op, a, b)
	switch {
	case why == arith.DivideByZero:
		return 0, NoResult, operation(c, op, x, y) + ": " + why
	case why != "":
		return 0, TooLarge, operation(c, op, x, y) + ": " + why
	case wrap:
		return NewSmall(c, low(z)), None, ""
	case !any && !(a.IsInt64() && b.IsInt64() && z.IsInt64()):
		return 0, TooLarge, "integer overflow: " + operation(c, op, x, y) + " does not fit in 64 bits; bigint/2 has arbitrary precision"
	}
	return NewInteger(c, z), None, ""
}

// small computes an operation on integers of 64 bits whose result has 64 bits: of itself, or modulo 2^64 if wrap is set. It returns false for
// operations and operands that it does not handle.
func small(c Context, op arith.Op, x, y term.Word, wrap bool) (v int64, ok bool) {
	a, ok := Small(c, x)
	b, ok2 := Small(c, y)
	if !ok || !ok2 {
		return 0, false
	}
	if v, ok = arith.Checked(op, a, b); ok || !wrap {
		return v, ok
	}
	switch op {
	case arith.Add:
		return a + b, true
	case arith.Sub:
		return a - b, true
	case arith.Mul:
		return a * b, true
	case arith.Negate:
		return -a, true
	case arith.ShiftLeft:
		return a << uint64(b), b >= 0
	}
	return 0, false
}

// low returns the lowest 64 bits of an integer in two's complement.
func low(z *big.Int) int64 {
	var all big.Int
	return int64(all.And(z, all.SetUint64(math.MaxUint64)).Uint64())
}

func operation(c Context, op arith.Op, x, y term.Word) string {
	switch {
	case op == arith.FloatPow:
		return "pow(" + c.Show(x) + "," + c.Show(y) + ")"
	case !op.Unary():
		return c.Show(x) + " " + op.String() + " " + c.Show(y)
	}
	return op.String() + "(" + c.Show(x) + ")"
}

func floats(c Context, op arith.Op, x, y term.Word) (term.Word, Problem, string) {
	a, ok := Float(c, x)
	if !ok {
		return 0, NoNumber, c.Show(x) + " is not a float"
	}
	b, ok := Float(c, y)
	if !ok {
		return 0, NoNumber, c.Show(y) + " is not a float"
	}
	if op == arith.ToInt {
		v, _ := big.NewFloat(a).Int(nil)
		if !v.IsInt64() {
			return 0, TooLarge, "integer overflow: " + operation(c, op, x, y) + " does not fit in 64 bits"
		}
		return NewInteger(c, v), None, ""
	}
	return finite(c, op, x, y, arith.ComputeFloat(op, a, b))
}

// finite makes a float term of the result v of an operation, if v is finite.
func finite(c Context, op arith.Op, x, y term.Word, v float64) (term.Word, Problem, string) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, NoResult, operation(c, op, x, y) + " has no finite value"
	}
	return NewFloat(c, v), None, ""
}

// Sign compares two floats, or two integers if floats is false. It returns false if an operand has the wrong type.
func Sign(c Context, floats bool, a, b term.Word) (sign int, ok bool) {
	if floats {
		x, ok1 := Float(c, a)
		y, ok2 := Float(c, b)
		switch {
		case x < y:
			sign = -1
		case x > y:
			sign = 1
		}
		return sign, ok1 && ok2
	}
	x, ok1 := Integer(c, a)
	y, ok2 := Integer(c, b)
	if !ok1 || !ok2 {
		return 0, false
	}
	return x.Cmp(y), true
}
