package lower

import (
	"math"

	"whorl/hpfsim/syntax"
)

// A knowing returns the value of an inquiry before the program runs on a number of processors, and false where it
// depends on the run.
type knowing func(c *Call, processors int) (Value, bool)

func processors(_ *Call, p int) (Value, bool) { return Value{I: int64(p)}, true }

// noArguments is the value of COMMAND_ARGUMENT_COUNT: programs take none.
func noArguments(*Call, int) (Value, bool) { return Value{}, true }

// kindNumber is the value of KIND: bytes, of a part for complex numbers.
func kindNumber(c *Call, _ int) (Value, bool) {
	t := c.Args[0].Type()
	n := t.Bytes()
	if t.Base == syntax.ComplexType {
		n /= 2
	}
	return Value{I: int64(n)}, true
}

// realKind is the value of SELECTED_REAL_KIND for decimal digits P and a decimal exponent R.
func realKind(c *Call, _ int) (Value, bool) {
	digits, exponent := int64(0), int64(0)
	if p, ok := c.Args[0].(*Const); ok {
		digits = p.I
	}
	if len(c.Args) > 1 {
		if r, ok := c.Args[1].(*Const); ok {
			exponent = r.I
		}
	}
	kind := int64(4)
	switch {
	case digits > 15 && exponent > 307:
		kind = -3
	case exponent > 307:
		kind = -2
	case digits > 15:
		kind = -1
	case digits > 6 || exponent > 37:
		kind = 8
	}
	return Value{I: kind}, true
}

// integerKind is the value of SELECTED_INT_KIND for R decimal digits.
func integerKind(c *Call, _ int) (Value, bool) {
	kind := int64(1)
	if r, ok := c.Args[0].(*Const); ok {
		for _, k := range []struct{ digits, bytes int64 }{{2, 2}, {4, 4}, {9, 8}, {18, -1}} {
			if r.I > k.digits {
				kind = k.bytes
			}
		}
	}
	return Value{I: kind}, true
}

// knownLength is the value of LEN for constants and for variables of constant length.
func knownLength(c *Call, _ int) (Value, bool) {
	switch x := c.Args[0].(type) {
	case *Const:
		return Value{I: int64(len(x.S))}, true
	case *Ref:
		if n, ok := x.Sym.Length.(*Const); ok {
			return Value{I: max(n.I, 0)}, true
		}
	}
	return Value{}, false
}

// storageBits is the value of STORAGE_SIZE: the bits of an element.
func storageBits(c *Call, p int) (Value, bool) {
	if t := c.Args[0].Type(); t.Base != syntax.CharacterType {
		return Value{I: int64(8 * t.Bytes())}, true
	}
	v, ok := knownLength(c, p)
	return Value{I: 8 * v.I}, ok
}

// limit is the value of HUGE, DIGITS and the other inquiries of the model of numbers.
func limit(c *Call, _ int) (Value, bool) { return Limit(c.Fn.Op, c.Args[0].Type()), true }

// Limit returns a property of the numbers of a type (Fortran 95, 13.7.1), such as OpHuge or OpDigits.
func Limit(op Operation, t Type) Value {
	if op == OpRadix {
		return Value{I: 2}
	}
	switch t.Base {
	case syntax.RealType:
		return singleLimits[op]
	case syntax.DoubleType:
		return doubleLimits[op]
	case syntax.IntegerType:
		bits := int64(8*t.Bytes()) - 1
		switch op {
		case OpHuge:
			return Value{I: int64(uint64(1)<<bits - 1)}
		case OpDigits:
			return Value{I: bits}
		case OpBitSize:
			return Value{I: bits + 1}
		case OpRange:
			return Value{I: int64(float64(bits) * math.Log10(2))}
		}
	}
	return Value{}
}

var singleLimits = map[Operation]Value{
	OpHuge: {F: math.MaxFloat32}, OpTiny: {F: 0x1p-126}, OpEpsilon: {F: 0x1p-23}, OpDigits: {I: 24}, OpRange: {I: 37}, OpPrecision: {I: 6},
	OpMaxexponent: {I: 128}, OpMinexponent: {I: -125},
}

var doubleLimits = map[Operation]Value{
	OpHuge: {F: math.MaxFloat64}, OpTiny: {F: 0x1p-1022}, OpEpsilon: {F: 0x1p-52}, OpDigits: {I: 53}, OpRange: {I: 307}, OpPrecision: {I: 15},
	OpMaxexponent: {I: 1024}, OpMinexponent: {I: -1021},
}
