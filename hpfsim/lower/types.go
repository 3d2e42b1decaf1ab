package lower

import (
	"math"
	"strings"

	"whorl/hpfsim/syntax"
)

// A Type is the type of a value, with its kind.
type Type struct {
	Base syntax.BaseType
	Size uint8 // bytes of an integer or logical: 1, 2, 4 or 8; of a part of a complex: 4 or 8; 0 for others
}

// The types that programs have most.
var (
	Integer   = Type{syntax.IntegerType, 4}
	Real      = Type{syntax.RealType, 0}
	Double    = Type{syntax.DoubleType, 0}
	Complex   = Type{syntax.ComplexType, 4}
	Logical   = Type{syntax.LogicalType, 4}
	Character = Type{syntax.CharacterType, 0}
)

// String returns the type as a program declares it.
func (t Type) String() string {
	switch {
	case t.Base == syntax.IntegerType && t.Size != 4, t.Base == syntax.LogicalType && t.Size != 4:
		return t.Base.String() + "(" + string('0'+rune(t.Size)) + ")"
	case t.Base == syntax.ComplexType && t.Size == 8:
		return "double complex"
	}
	return t.Base.String()
}

// Bytes is how much an element takes in a message; of characters, for each.
func (t Type) Bytes() int {
	switch t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		return int(t.Size)
	case syntax.RealType:
		return 4
	case syntax.DoubleType:
		return 8
	case syntax.ComplexType:
		return 2 * int(t.Size)
	}
	return 1
}

// Numeric tells numbers from logicals and characters.
func (t Type) Numeric() bool {
	return t.Base >= syntax.IntegerType && t.Base <= syntax.ComplexType
}

// Floating tells whether values are REAL or DOUBLE PRECISION.
func (t Type) Floating() bool { return t.Base == syntax.RealType || t.Base == syntax.DoubleType }

// wider is the type of the result of an arithmetic operator.
func wider(a, b Type) Type {
	if a.Base > b.Base {
		a, b = b, a
	}
	switch {
	case a.Base == b.Base:
		a.Size = max(a.Size, b.Size)
		return a
	case b.Base == syntax.ComplexType && a.Base == syntax.DoubleType:
		b.Size = 8
	}
	return b
}

// A Value is a scalar: of an integer or logical I, of a real F, of a complex Z, of characters S.
type Value struct {
	I int64
	F float64
	Z complex128
	S string
}

// Round brings a float to what a type holds.
func (t Type) Round(x float64) float64 {
	if t.Base == syntax.RealType {
		return float64(float32(x))
	}
	return x
}

// Wrap brings an integer to the size of a type, as two's complement.
func (t Type) Wrap(i int64) int64 {
	switch t.Size {
	case 1:
		return int64(int8(i))
	case 2:
		return int64(int16(i))
	case 4:
		return int64(int32(i))
	}
	return i
}

// Convert brings a value of one numeric type to another; logicals and characters stay what they are.
func Convert(v Value, from, to Type) Value {
	var f float64
	var z complex128
	switch from.Base {
	case syntax.IntegerType:
		f = float64(v.I)
		z = complex(f, 0)
	case syntax.RealType, syntax.DoubleType:
		f = v.F
		z = complex(f, 0)
	case syntax.ComplexType:
		f, z = real(v.Z), v.Z
	default:
		return v
	}
	switch to.Base {
	case syntax.IntegerType:
		if from.Base == syntax.IntegerType {
			return Value{I: to.Wrap(v.I)}
		}
		return Value{I: to.Wrap(Truncate(f))}
	case syntax.RealType, syntax.DoubleType:
		return Value{F: to.Round(f)}
	case syntax.ComplexType:
		return Value{Z: RoundComplex(z, to)}
	}
	return v
}

// Truncate is the integer part of a float, as near as 64 bits come to it.
func Truncate(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// RoundComplex brings a complex number to what a type holds.
func RoundComplex(z complex128, t Type) complex128 {
	if t.Size == 4 {
		return complex128(complex64(z))
	}
	return z
}

// pad brings characters to a length, as an assignment does.
func pad(s string, n int) string {
	if len(s) >= n {
		return s[:n]
	}
	return s + strings.Repeat(" ", n-len(s))
}
