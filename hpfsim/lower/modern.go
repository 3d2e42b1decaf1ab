package lower

import (
	"math"
	"math/bits"
)

// modern lists functions of Fortran 2003 and 2008.
func modern() []Intrinsic {
	real1 := func(op Operation, name string, f func(float64) float64) Intrinsic {
		return Intrinsic{Name: name, Op: op, Result: OfArgument, Convert: ToCommon, Cost: 40, Real: f}.params(floats, "X")
	}
	elemental := func(op Operation, name string, result Result, convert Conversion, first Kinds, params string, f computing) Intrinsic {
		return Intrinsic{Name: name, Op: op, Result: result, Convert: convert, Cost: 2, compute: f}.params(first, params)
	}
	is := func(code int64) computing {
		return func(v []Value, _ []Type, _ Type) (Value, bool) { return truth(v[0].I == code), true }
	}
	return []Intrinsic{
		real1(OpAsinh, "ASINH", math.Asinh),
		real1(OpAcosh, "ACOSH", math.Acosh),
		real1(OpAtanh, "ATANH", math.Atanh),
		real1(OpErf, "ERF", math.Erf),
		real1(OpErfc, "ERFC", math.Erfc),
		real1(OpGamma, "GAMMA", math.Gamma),
		real1(OpLogGamma, "LOG_GAMMA", func(x float64) float64 { v, _ := math.Lgamma(x); return v }),
		real1(OpBessel, "BESSEL_J0", math.J0),
		real1(OpBessel, "BESSEL_J1", math.J1),
		real1(OpBessel, "BESSEL_Y0", math.Y0),
		real1(OpBessel, "BESSEL_Y1", math.Y1),
		elemental(OpHypot, "HYPOT", OfArgument, ToCommon, floats, "X Y", ofReals(math.Hypot)),
		elemental(OpShiftl, "SHIFTL", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, _ Type) int64 { return i << n })),
		elemental(OpShiftr, "SHIFTR", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, t Type) int64 {
			return int64(uint64(i) << (64 - 8*uint(t.Size)) >> (64 - 8*uint(t.Size)) >> n)
		})),
		elemental(OpShifta, "SHIFTA", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, _ Type) int64 { return i >> n })),
		elemental(OpTrailz, "TRAILZ", ToInteger, AsGiven, ints, "I", func(v []Value, types []Type, _ Type) (Value, bool) {
			return Value{I: int64(min(bits.TrailingZeros64(uint64(v[0].I)), 8*int(types[0].Size)))}, true
		}),
		elemental(OpIsIostat, "IS_IOSTAT_END", ToLogical, AsGiven, ints, "I", is(-1)),
		elemental(OpIsIostat, "IS_IOSTAT_EOR", ToLogical, AsGiven, ints, "I", is(-2)),
		elemental(OpNewLine, "NEW_LINE", ToCharacter, AsGiven, chars, "A", func([]Value, []Type, Type) (Value, bool) { return Value{S: "\n"}, true }),
	}
}

// withoutModule lists functions of HPF_LIBRARY that Fortran 2008 has without a module.
var withoutModule = []string{"IALL", "IANY", "IPARITY", "LEADZ", "PARITY", "POPCNT", "POPPAR"}

// shifted computes a shift by 0 to the number of bits. It returns false for others.
func shifted(f func(i int64, n uint, t Type) int64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) {
		if n := v[1].I; n < 0 || n > int64(8*t.Bytes()) {
			return Value{}, false
		}
		return Value{I: t.Wrap(f(v[0].I, uint(v[1].I), t))}, true
	}
}

// absent lists intrinsic procedures of Fortran that are not in the subset.
var absent = []string{
	"NORM2", "FINDLOC", "STORAGE_SIZE", "BGE", "BGT", "BLE", "BLT", "DSHIFTL", "DSHIFTR", "MASKL", "MASKR", "MERGE_BITS", "ERFC_SCALED", "BESSEL_JN", "BESSEL_YN",
	"SELECTED_CHAR_KIND", "EXECUTE_COMMAND_LINE", "GET_ENVIRONMENT_VARIABLE", "C_LOC", "C_F_POINTER", "C_SIZEOF", "SAME_TYPE_AS", "EXTENDS_TYPE_OF",
	"THIS_IMAGE", "NUM_IMAGES", "REDUCE", "IS_CONTIGUOUS", "COMPILER_VERSION", "COMPILER_OPTIONS", "CO_SUM", "CO_MAX", "CO_MIN", "CO_BROADCAST", "RANDOM_INIT",
}
