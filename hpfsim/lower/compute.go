package lower

import (
	"math"
	"math/bits"
	"math/cmplx"
	"strings"

	"whorl/hpfsim/syntax"
)

// A computing computes an elemental function of scalars v of some types, with a result of type t. It returns false
// where the result is not defined. An argument that is left out has the type NoType.
type computing func(v []Value, types []Type, t Type) (Value, bool)

// Compute computes an elemental function of scalars. It returns false where the result is not defined.
func (fn *Intrinsic) Compute(v []Value, types []Type, t Type) (Value, bool) {
	switch {
	case fn.compute != nil:
		return fn.compute(v, types, t)
	case types[0].Base == syntax.ComplexType && fn.Complex != nil:
		return Value{Z: RoundComplex(fn.Complex(v[0].Z), t)}, true
	case fn.Real != nil:
		return Value{F: t.Round(fn.Real(v[0].F))}, true
	}
	return Value{}, false
}

// ofReal computes a function of one real.
func ofReal(f func(float64) float64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) { return Value{F: t.Round(f(v[0].F))}, true }
}

// ofReals computes a function of two reals.
func ofReals(f func(x, y float64) float64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) { return Value{F: t.Round(f(v[0].F, v[1].F))}, true }
}

// ofInteger computes a function of one integer.
func ofInteger(f func(int64) int64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) { return Value{I: t.Wrap(f(v[0].I))}, true }
}

// ofIntegers computes a function of two integers.
func ofIntegers(f func(i, j int64) int64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) { return Value{I: t.Wrap(f(v[0].I, v[1].I))}, true }
}

// ofNumbers computes a function of two integers or of two reals.
func ofNumbers(integer func(i, j int64) int64, float func(x, y float64) float64) computing {
	i, f := ofIntegers(integer), ofReals(float)
	return func(v []Value, types []Type, t Type) (Value, bool) {
		if types[0].Base == syntax.IntegerType {
			return i(v, types, t)
		}
		return f(v, types, t)
	}
}

// modulus is ofNumbers for functions that divide: they are not defined for an integer divisor of 0.
func modulus(integer func(i, j int64) int64, float func(x, y float64) float64) computing {
	compute := ofNumbers(integer, float)
	return func(v []Value, types []Type, t Type) (Value, bool) {
		if types[0].Base == syntax.IntegerType && v[1].I == 0 {
			return Value{}, false
		}
		return compute(v, types, t)
	}
}

// convert computes INT, REAL and other conversions.
func convert(v []Value, types []Type, t Type) (Value, bool) { return Convert(v[0], types[0], t), true }

// rounded computes NINT, FLOOR and CEILING; f rounds a real to an integer.
func rounded(f func(float64) float64) computing {
	return func(v []Value, types []Type, t Type) (Value, bool) {
		if types[0].Base == syntax.IntegerType {
			return convert(v, types, t)
		}
		return Value{I: t.Wrap(Truncate(f(v[0].F)))}, true
	}
}

func absolute(v []Value, types []Type, t Type) (Value, bool) {
	switch types[0].Base {
	case syntax.IntegerType:
		return Value{I: t.Wrap(max(v[0].I, -v[0].I))}, true
	case syntax.ComplexType:
		return Value{F: t.Round(cmplx.Abs(v[0].Z))}, true
	}
	return Value{F: math.Abs(v[0].F)}, true
}

// parts computes CMPLX from a complex number, or from a real and an imaginary part that may be left out.
func parts(v []Value, types []Type, t Type) (Value, bool) {
	if types[0].Base == syntax.ComplexType {
		return convert(v, types, t)
	}
	im := 0.0
	if len(v) > 1 && types[1].Base != syntax.NoType {
		im = Convert(v[1], types[1], Double).F
	}
	return Value{Z: RoundComplex(complex(Convert(v[0], types[0], Double).F, im), t)}, true
}

func imaginary(v []Value, _ []Type, t Type) (Value, bool) {
	return Value{F: t.Round(imag(v[0].Z))}, true
}

func conjugate(v []Value, _ []Type, _ Type) (Value, bool) { return Value{Z: cmplx.Conj(v[0].Z)}, true }

func remainder(i, j int64) int64 { return i % j }

// floored is the remainder of a division that rounds down: it has the sign of j.
func floored(i, j int64) int64 {
	m := i % j
	if m != 0 && (m < 0) != (j < 0) {
		m += j
	}
	return m
}

func flooredReal(x, y float64) float64 {
	m := math.Mod(x, y)
	if m != 0 && (m < 0) != (y < 0) {
		m += y
	}
	return m
}

// signed is the absolute value of i with the sign of j.
func signed(i, j int64) int64 {
	i = max(i, -i)
	if j < 0 {
		return -i
	}
	return i
}

func excess[N int64 | float64](x, y N) N { return max(x-y, 0) }

// largest computes MAX. A NaN is the result only if all arguments are NaN.
func largest(v []Value, types []Type, t Type) (Value, bool) {
	a := v[0]
	for _, x := range v[1:] {
		if x.I > a.I || x.F > a.F || a.F != a.F {
			a = x
		}
	}
	return a, true
}

// smallest computes MIN. A NaN is the result only if all arguments are NaN.
func smallest(v []Value, types []Type, t Type) (Value, bool) {
	a := v[0]
	for _, x := range v[1:] {
		if x.I < a.I || x.F < a.F || a.F != a.F {
			a = x
		}
	}
	return a, true
}

func merge(v []Value, _ []Type, _ Type) (Value, bool) {
	if v[2].I != 0 {
		return v[0], true
	}
	return v[1], true
}

// shift computes ISHFT: logical, to the left for a positive distance.
func shift(v []Value, _ []Type, t Type) (Value, bool) {
	i, by, size := v[0].I, v[1].I, int64(8*t.Size)
	u := uint64(i) & (1<<uint(size) - 1)
	switch {
	case by >= size || by <= -size:
		return Value{}, true
	case by >= 0:
		return Value{I: t.Wrap(int64(u << uint(by)))}, true
	}
	return Value{I: t.Wrap(int64(u >> uint(-by)))}, true
}

// rotate computes ISHFTC: circular in the rightmost bits, all of them unless SIZE says otherwise.
func rotate(v []Value, _ []Type, t Type) (Value, bool) {
	i, by, size := v[0].I, v[1].I, int64(8*t.Size)
	if len(v) > 2 && v[2].I != 0 {
		size = v[2].I
	}
	if size < 1 || size > int64(8*t.Size) || by > size || by < -size {
		return Value{}, false
	}
	low := uint64(1)<<uint(size) - 1
	u := uint64(i) & low
	left := uint((by + size) % size)
	return Value{I: t.Wrap(int64(uint64(i)&^low | (u<<left|u>>(uint(size)-left))&low))}, true
}

// bitLength is the number of bits of an integer in two's complement without its sign.
func bitLength(i int64) int64 {
	if i < 0 {
		i = ^i
	}
	return int64(bits.Len64(uint64(i)))
}

func testBit(v []Value, _ []Type, _ Type) (Value, bool) {
	i, pos := v[0].I, v[1].I
	return truth(pos >= 0 && pos < 64 && i>>uint(pos)&1 == 1), true
}

func extractBits(v []Value, _ []Type, t Type) (Value, bool) {
	i, pos, n := v[0].I, v[1].I, v[2].I
	if pos < 0 || n < 0 || pos+n > int64(8*t.Bytes()) {
		return Value{}, false
	}
	return Value{I: t.Wrap(int64(uint64(i) >> uint(pos) & (1<<uint(n) - 1)))}, true
}

func characterCode(v []Value, _ []Type, _ Type) (Value, bool) {
	if v[0].S == "" {
		return Value{}, false
	}
	return Value{I: int64(v[0].S[0])}, true
}

func character(v []Value, _ []Type, _ Type) (Value, bool) {
	return Value{S: string([]byte{byte(v[0].I)})}, true
}

func trimmedLength(v []Value, _ []Type, _ Type) (Value, bool) {
	return Value{I: int64(len(strings.TrimRight(v[0].S, " ")))}, true
}

// backward reports whether an optional third argument BACK is true.
func backward(v []Value) bool { return len(v) > 2 && v[2].I != 0 }

func index(v []Value, _ []Type, _ Type) (Value, bool) {
	if backward(v) {
		return Value{I: int64(strings.LastIndex(v[0].S, v[1].S)) + 1}, true
	}
	return Value{I: int64(strings.Index(v[0].S, v[1].S)) + 1}, true
}

// scan computes SCAN, the place of the first character that is in a set, or VERIFY, of the first that is not.
func scan(in bool) computing {
	return func(v []Value, _ []Type, _ Type) (Value, bool) {
		s := v[0].S
		for k := range len(s) {
			i := k
			if backward(v) {
				i = len(s) - 1 - k
			}
			if (strings.IndexByte(v[1].S, s[i]) >= 0) == in {
				return Value{I: int64(i) + 1}, true
			}
		}
		return Value{}, true
	}
}

func adjustLeft(v []Value, _ []Type, _ Type) (Value, bool) {
	return Value{S: pad(strings.TrimLeft(v[0].S, " "), len(v[0].S))}, true
}

func adjustRight(v []Value, _ []Type, _ Type) (Value, bool) {
	s := strings.TrimRight(v[0].S, " ")
	return Value{S: strings.Repeat(" ", len(v[0].S)-len(s)) + s}, true
}

func compare(op syntax.Op) computing {
	return func(v []Value, _ []Type, _ Type) (Value, bool) {
		return truth(relation(op, CompareText(v[0].S, v[1].S))), true
	}
}
