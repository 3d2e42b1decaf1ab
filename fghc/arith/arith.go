// Package arith has the operations on numbers of FGHC: their table, and their results on integers of any size, on floats and on words. It knows no
// memory; builtin.Arith applies them to terms.
package arith

import (
	"math"
	"math/big"
)

// An Op is an operation on numbers. An integer operation with the flag Big has arbitrary precision, and with the flag Wrap it is modulo
// 2^64 as in KL1.
type Op uint8

// The operations. Those up to Copy take integers, those from FloatAdd to ToInt take floats, except ToFloat.
const (
	Add Op = iota
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
	NumOps

	Big  Op = 0x80
	Wrap Op = 0x40
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
	Op    Op
	Doc   string
}

// Lookup returns the operation of an operator in IntOps or FloatOps.
func Lookup(table []Operator, name string, arity int) (Op, bool) {
	for i := range table {
		if table[i].Name == name && table[i].Arity == arity {
			return table[i].Op, true
		}
	}
	return 0, false
}

// String returns the operator in source notation.
func (o Op) String() string {
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
func (o Op) OnFloats() bool { return o >= FloatAdd && o < ToFloat || o == ToInt }

// Unary reports whether the operation has one operand.
func (o Op) Unary() bool {
	o &^= Big | Wrap
	switch o {
	case Negate, Complement, Copy:
		return true
	}
	return o >= FloatNegate && o < NumOps
}

// DivideByZero is the problem of a division by 0.
const DivideByZero = "division by zero"

// maxBits bounds the length of integers, so that no single operation exhausts the memory.
const maxBits = 1 << 22

const tooLong = "the result has more than 4194304 bits"

// Compute computes an operation on integers. The problem is empty if there is a result.
func Compute(op Op, x, y *big.Int) (z *big.Int, problem string) {
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
			return nil, DivideByZero
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

var functions = map[Op]func(float64) float64{
	Sin: math.Sin, Cos: math.Cos, Tan: math.Tan, Asin: math.Asin, Acos: math.Acos, Atan: math.Atan, Sinh: math.Sinh, Cosh: math.Cosh,
	Tanh: math.Tanh, Exp: math.Exp, Log: math.Log, Sqrt: math.Sqrt, Ceil: math.Ceil, Floor: math.Floor,
}

// ComputeFloat computes an operation on floats. Unary operations ignore b.
func ComputeFloat(op Op, a, b float64) float64 {
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
