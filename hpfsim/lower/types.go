package lower

import (
	"math"
	"strings"

	"whorl/hpfsim/syntax"
)

// A Type is the type of a value, with its kind.
type Type struct {
	Base syntax.BaseType
	Size uint8 // bytes of an integer or logical (1, 2, 4 or 8) or of a part of a complex number (4 or 8); 0 for other types
}

// The default types.
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

// Bytes returns the size of an element in a message. For characters it is that of one character.
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

// Numeric reports whether values are numbers.
func (t Type) Numeric() bool {
	return t.Base >= syntax.IntegerType && t.Base <= syntax.ComplexType
}

// Floating reports whether values are REAL or DOUBLE PRECISION.
func (t Type) Floating() bool { return t.Base == syntax.RealType || t.Base == syntax.DoubleType }

// wider returns the type of the result of an arithmetic operator.
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

// A Value is a scalar. Its type says which field is used: I for integers and logicals, F for reals, Z for complex
// numbers, S for characters.
type Value struct {
	I int64
	F float64
	Z complex128
	S string
}

// Round rounds a float to the precision of a type.
func (t Type) Round(x float64) float64 {
	if t.Base == syntax.RealType {
		return float64(float32(x))
	}
	return x
}

// Wrap cuts an integer to the size of a type in two's complement.
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

// Convert converts a value from one numeric type to another. It returns logicals and characters unchanged.
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

// Truncate returns the integer part of a float, or the nearest integer of 64 bits.
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

// RoundComplex rounds a complex number to the precision of a type.
func RoundComplex(z complex128, t Type) complex128 {
	if t.Size == 4 {
		return complex128(complex64(z))
	}
	return z
}

// pad pads or cuts characters to a length, as an assignment does.
func pad(s string, n int) string {
	if len(s) >= n {
		return s[:n]
	}
	return s + strings.Repeat(" ", n-len(s))
}
