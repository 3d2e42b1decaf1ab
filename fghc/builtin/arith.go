package builtin

import (
	"math"
	"math/big"

	"whorl/fghc/term"
)

// An ArithOp is an operation on numbers. An integer operation with the flag Big has arbitrary precision, and with the flag Wrap it is modulo
// 2^64 as in KL1.
type ArithOp uint8

// The operations. Those up to Copy take integers, those from FloatAdd to ToInt take floats, except ToFloat.
const (
	Add ArithOp = iota
	Sub
	Mul
	Div
	Mod
	And
	Or
	Xor
	ShiftLeft
	ShiftRight
	Negate
	Complement
	Copy // the operand itself, which must be an integer
	FloatAdd
	FloatSub
	FloatMul
	FloatDiv
	FloatPow
	FloatNegate
	FloatCopy // the operand itself, which must be a float
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Exp
	Log
	Sqrt
	Ceil
	Floor
	ToFloat // converts an integer
	ToInt   // converts a float, truncating
	NumArithOps

	Big  ArithOp = 0x80
	Wrap ArithOp = 0x40
)

// IntOps and FloatOps are the operators and functions of integer and of float expressions.
var (
	IntOps = []Operator{
		{"+", 2, Add, "sum"},
		{"-", 2, Sub, "difference"},
		{"*", 2, Mul, "product"},
		{"/", 2, Div, "integer quotient, truncated toward 0"},
		{"mod", 2, Mod, "remainder, with the sign of the dividend"},
		{`/\`, 2, And, "bitwise and"},
		{`\/`, 2, Or, "bitwise or"},
		{"xor", 2, Xor, "bitwise exclusive or"},
		{"<<", 2, ShiftLeft, "left shift"},
		{">>", 2, ShiftRight, "arithmetic right shift"},
		{"-", 1, Negate, "negation"},
		{"+", 1, Copy, "the operand"},
		{`\`, 1, Complement, "bitwise complement"},
		{"int", 1, ToInt, "integer part of a float expression"},
	}
	FloatOps = []Operator{
		{"+", 2, FloatAdd, "sum"},
		{"-", 2, FloatSub, "difference"},
		{"*", 2, FloatMul, "product"},
		{"/", 2, FloatDiv, "quotient"},
		{"pow", 2, FloatPow, "pow(X, Y) is X to the power of Y"},
		{"-", 1, FloatNegate, "negation"},
		{"+", 1, FloatCopy, "the operand"},
		{"sin", 1, Sin, "sine"},
		{"cos", 1, Cos, "cosine"},
		{"tan", 1, Tan, "tangent"},
		{"asin", 1, Asin, "inverse sine"},
		{"acos", 1, Acos, "inverse cosine"},
		{"atan", 1, Atan, "inverse tangent"},
		{"sinh", 1, Sinh, "hyperbolic sine"},
		{"cosh", 1, Cosh, "hyperbolic cosine"},
		{"tanh", 1, Tanh, "hyperbolic tangent"},
		{"exp", 1, Exp, "e to the power of"},
		{"log", 1, Log, "natural logarithm"},
		{"sqrt", 1, Sqrt, "square root"},
		{"ceil", 1, Ceil, "least whole number that is not less"},
		{"floor", 1, Floor, "greatest whole number that is not greater"},
		{"float", 1, ToFloat, "float value of an integer expression"},
	}
)

// An Operator is an operator or a function of expressions.
type Operator struct {
	Name  string
	Arity int
	Op    ArithOp
	Doc   string
}

// Lookup returns the operation of an operator in IntOps or FloatOps.
func Lookup(table []Operator, name string, arity int) (ArithOp, bool) {
	for i := range table {
		if table[i].Name == name && table[i].Arity == arity {
			return table[i].Op, true
		}
	}
	return 0, false
}

// String returns the operator in source notation.
func (o ArithOp) String() string {
	prefix := ""
	if o&Big != 0 {
		prefix, o = "big", o&^Big
	}
	o &^= Wrap
	for _, table := range [][]Operator{IntOps, FloatOps} {
		for i := range table {
			if table[i].Op == o {
				return prefix + table[i].Name
			}
		}
	}
	return "invalid"
}

// OnFloats reports whether the operands are floats.
func (o ArithOp) OnFloats() bool { return o >= FloatAdd && o < ToFloat || o == ToInt }

// Unary reports whether the operation has one operand.
func (o ArithOp) Unary() bool {
	o &^= Big | Wrap
	switch o {
	case Negate, Complement, Copy:
		return true
	}
	return o >= FloatNegate && o < NumArithOps
}

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
func Arith(c Context, op ArithOp, x, y term.Word) (w term.Word, p Problem, text string) {
	if op.Unary() {
		y = x
	}
	switch {
	case op.OnFloats():
		return floats(c, op, x, y)
	case op == ToFloat:
		v, ok := Integer(c, x)
		if !ok {
			return 0, NoNumber, c.Show(x) + " is not an integer"
		}
		f, _ := new(big.Float).SetInt(v).Float64()
		return finite(c, op, x, x, f)
	}
	any, wrap := op&Big != 0, op&Wrap != 0
	op &^= Big | Wrap
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
	z, why := compute(op, a, b)
	switch {
	case why == divideByZero:
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
func small(c Context, op ArithOp, x, y term.Word, wrap bool) (v int64, ok bool) {
	a, ok := Small(c, x)
	b, ok2 := Small(c, y)
	if !ok || !ok2 {
		return 0, false
	}
	if v, ok = quick(op, a, b); ok || !wrap {
		return v, ok
	}
	switch op {
	case Add:
		return a + b, true
	case Sub:
		return a - b, true
	case Mul:
		return a * b, true
	case Negate:
		return -a, true
	case ShiftLeft:
		return a << uint64(b), b >= 0
	}
	return 0, false
}

// low returns the lowest 64 bits of an integer in two's complement.
func low(z *big.Int) int64 {
	var all big.Int
	return int64(all.And(z, all.SetUint64(math.MaxUint64)).Uint64())
}

func operation(c Context, op ArithOp, x, y term.Word) string {
	switch {
	case op == FloatPow:
		return "pow(" + c.Show(x) + "," + c.Show(y) + ")"
	case !op.Unary():
		return c.Show(x) + " " + op.String() + " " + c.Show(y)
	}
	return op.String() + "(" + c.Show(x) + ")"
}

const divideByZero = "division by zero"

// maxBits bounds the length of integers, so that no single operation exhausts the memory.
const maxBits = 1 << 22

const tooLong = "the result has more than 4194304 bits"

// compute computes an operation on integers. The problem is empty if there is a result.
func compute(op ArithOp, x, y *big.Int) (z *big.Int, problem string) {
	z = new(big.Int)
	switch op {
	case Add:
		z.Add(x, y)
	case Sub:
		z.Sub(x, y)
	case Mul:
		if x.BitLen()+y.BitLen() > maxBits {
			return nil, tooLong
		}
		z.Mul(x, y)
	case Div, Mod:
		if y.Sign() == 0 {
			return nil, divideByZero
		}
		if op == Div {
			z.Quo(x, y)
		} else {
			z.Rem(x, y)
		}
	case And:
		z.And(x, y)
	case Or:
		z.Or(x, y)
	case Xor:
		z.Xor(x, y)
	case ShiftLeft, ShiftRight:
		if !y.IsInt64() || y.Int64() < 0 || y.Int64() > maxBits {
			return nil, "the shift is out of range"
		}
		if op == ShiftLeft {
			if int64(x.BitLen())+y.Int64() > maxBits {
				return nil, tooLong
			}
			z.Lsh(x, uint(y.Int64()))
		} else {
			z.Rsh(x, uint(y.Int64()))
		}
	case Negate:
		z.Neg(x)
	case Complement:
		z.Not(x)
	case Copy:
		z.Set(x)
	}
	return z, ""
}

func floats(c Context, op ArithOp, x, y term.Word) (term.Word, Problem, string) {
	a, ok := Float(c, x)
	if !ok {
		return 0, NoNumber, c.Show(x) + " is not a float"
	}
	b, ok := Float(c, y)
	if !ok {
		return 0, NoNumber, c.Show(y) + " is not a float"
	}
	if op == ToInt {
		v, _ := big.NewFloat(a).Int(nil)
		if !v.IsInt64() {
			return 0, TooLarge, "integer overflow: " + operation(c, op, x, y) + " does not fit in 64 bits"
		}
		return NewInteger(c, v), None, ""
	}
	return finite(c, op, x, y, computeFloat(op, a, b))
}

// finite makes a float term of the result v of an operation, if v is finite.
func finite(c Context, op ArithOp, x, y term.Word, v float64) (term.Word, Problem, string) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, NoResult, operation(c, op, x, y) + " has no finite value"
	}
	return NewFloat(c, v), None, ""
}

var functions = map[ArithOp]func(float64) float64{
	Sin: math.Sin, Cos: math.Cos, Tan: math.Tan, Asin: math.Asin, Acos: math.Acos, Atan: math.Atan, Sinh: math.Sinh, Cosh: math.Cosh,
	Tanh: math.Tanh, Exp: math.Exp, Log: math.Log, Sqrt: math.Sqrt, Ceil: math.Ceil, Floor: math.Floor,
}

func computeFloat(op ArithOp, a, b float64) float64 {
	switch op {
	case FloatAdd:
		return a + b
	case FloatSub:
		return a - b
	case FloatMul:
		return a * b
	case FloatDiv:
		return a / b
	case FloatPow:
		return math.Pow(a, b)
	case FloatNegate:
		return -a
	case FloatCopy:
		return a
	}
	return functions[op](a)
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
