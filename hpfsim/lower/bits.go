package lower

import (
	"encoding/binary"
	"math"

	"whorl/hpfsim/syntax"
)

// boz resolves a constant of bits: an integer of 4 bytes if they are enough, else of 8.
func (l *lowerer) boz(e *syntax.Boz) Expr {
	t := Integer
	if e.Bits > math.MaxUint32 {
		t.Size = 8
	}
	c := &Const{typed{t, 0, e.Pos}, Value{I: t.Wrap(int64(e.Bits))}}
	l.bits[c] = e.Bits
	return c
}

// asBits returns the first argument of a function. Bits are the representation of a number in INT, REAL, DBLE and CMPLX.
func (l *lowerer) asBits(fn *Intrinsic, args []Expr) Expr {
	c, ok := args[0].(*Const)
	if !ok {
		return args[0]
	}
	bits, ok := l.bits[c]
	if !ok {
		return c
	}
	t := Type{syntax.IntegerType, 8}
	switch fn.Name {
	case "REAL", "CMPLX":
		if t = fn.resultType(args); t.Base == syntax.ComplexType {
			t = Type{Base: syntax.RealType}
		}
	case "DBLE":
		t = Double
	case "INT":
	default:
		return c
	}
	return &Const{typed{t, 0, c.Pos}, fromBits(bits, t)}
}

// fromBits returns the number with a representation.
func fromBits(bits uint64, t Type) Value {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	return FromBytes(b[:t.Bytes()], t, binary.LittleEndian)
}

// A ByteOrder is the order of the bytes of a value.
type ByteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// AppendBytes appends the bytes of a value as it is in the memory of a machine.
func AppendBytes(b []byte, v Value, t Type, order ByteOrder) []byte {
	switch t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		switch t.Size {
		case 1:
			return append(b, byte(v.I))
		case 2:
			return order.AppendUint16(b, uint16(v.I))
		case 4:
			return order.AppendUint32(b, uint32(v.I))
		}
		return order.AppendUint64(b, uint64(v.I))
	case syntax.RealType:
		return order.AppendUint32(b, math.Float32bits(float32(v.F)))
	case syntax.DoubleType:
		return order.AppendUint64(b, math.Float64bits(v.F))
	case syntax.ComplexType:
		part := Type{Base: syntax.RealType}
		if t.Size == 8 {
			part.Base = syntax.DoubleType
		}
		return AppendBytes(AppendBytes(b, Value{F: real(v.Z)}, part, order), Value{F: imag(v.Z)}, part, order)
	}
	return append(b, v.S...)
}

// FromBytes returns the value of bytes. There are as many as the type has; for characters they are the text.
func FromBytes(b []byte, t Type, order ByteOrder) Value {
	switch t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		switch t.Size {
		case 1:
			return Value{I: int64(int8(b[0]))}
		case 2:
			return Value{I: int64(int16(order.Uint16(b)))}
		case 4:
			return Value{I: int64(int32(order.Uint32(b)))}
		}
		return Value{I: int64(order.Uint64(b))}
	case syntax.RealType:
		return Value{F: float64(math.Float32frombits(order.Uint32(b)))}
	case syntax.DoubleType:
		return Value{F: math.Float64frombits(order.Uint64(b))}
	case syntax.ComplexType:
		part := Type{Base: syntax.RealType}
		if t.Size == 8 {
			part.Base = syntax.DoubleType
		}
		n := int(t.Size)
		return Value{Z: complex(FromBytes(b[:n], part, order).F, FromBytes(b[n:], part, order).F)}
	}
	return Value{S: string(b)}
}
