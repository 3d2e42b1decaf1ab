package lower

import (
	"cmp"
	"math"
	"math/bits"

	"whorl/hpfsim/syntax"
)

// modern lists functions of Fortran 2003 and 2008.
func modern() []Intrinsic {
	real1 := func(op Operation, name string, f func(float64) float64) Intrinsic {
		return Intrinsic{Name: name, Op: op, Result: OfArgument, Convert: ToCommon, Cost: 40, Real: f}.params(floats, "X")
	}
	elemental := func(op Operation, name string, result Result, convert Conversion, first Kinds, params string, f computing) Intrinsic {
		return Intrinsic{Name: name, Op: op, Result: result, Convert: convert, Cost: 2, compute: f}.params(first, params)
	}
	bessel := func(name string, f func(n int, x float64) float64) Intrinsic {
		return Intrinsic{Name: name, Op: OpBessel, Result: OfLast, Cost: 60, compute: func(v []Value, _ []Type, t Type) (Value, bool) {
			return Value{F: t.Round(f(int(v[0].I), v[1].F))}, v[0].I == int64(int32(v[0].I))
		}}.params(ints, "N X").takes(1, floats)
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
		bessel("BESSEL_JN", math.Jn),
		bessel("BESSEL_YN", math.Yn),
		real1(OpErfc, "ERFC_SCALED", scaledErfc),
		elemental(OpHypot, "HYPOT", OfArgument, ToCommon, floats, "X Y", ofReals(math.Hypot)),
		elemental(OpShiftl, "SHIFTL", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, _ Type) int64 { return i << n })),
		elemental(OpShiftr, "SHIFTR", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, t Type) int64 {
			return int64(unsigned(i, t) >> n)
		})),
		elemental(OpShifta, "SHIFTA", OfArgument, AsGiven, ints, "I SHIFT", shifted(func(i int64, n uint, _ Type) int64 { return i >> n })),
		elemental(OpTrailz, "TRAILZ", ToInteger, AsGiven, ints, "I", func(v []Value, types []Type, _ Type) (Value, bool) {
			return Value{I: int64(min(bits.TrailingZeros64(uint64(v[0].I)), 8*int(types[0].Size)))}, true
		}),
		elemental(OpShiftl, "DSHIFTL", OfArgument, ToCommon, ints, "I J SHIFT", shiftedPair(true)),
		elemental(OpShiftr, "DSHIFTR", OfArgument, ToCommon, ints, "I J SHIFT", shiftedPair(false)),
		elemental(OpMask, "MASKL", ToInteger, AsGiven, ints, "I [KIND]", masked(func(n, width uint) int64 { return -1 << (width - n) })),
		elemental(OpMask, "MASKR", ToInteger, AsGiven, ints, "I [KIND]", masked(func(n, _ uint) int64 { return 1<<n - 1 })),
		elemental(OpMergeBits, "MERGE_BITS", OfArgument, ToCommon, ints, "I J MASK", func(v []Value, _ []Type, _ Type) (Value, bool) {
			return Value{I: v[0].I&v[2].I | v[1].I&^v[2].I}, true
		}).takes(2, ints),
		elemental(OpUnsigned, "BGE", ToLogical, AsGiven, ints, "I J", unsignedOrder(func(c int) bool { return c >= 0 })),
		elemental(OpUnsigned, "BGT", ToLogical, AsGiven, ints, "I J", unsignedOrder(func(c int) bool { return c > 0 })),
		elemental(OpUnsigned, "BLE", ToLogical, AsGiven, ints, "I J", unsignedOrder(func(c int) bool { return c <= 0 })),
		elemental(OpUnsigned, "BLT", ToLogical, AsGiven, ints, "I J", unsignedOrder(func(c int) bool { return c < 0 })),
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

// shiftedPair computes the left or the right half of I and J, which are shifted as one number.
func shiftedPair(left bool) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) {
		n, width := v[2].I, int64(8*t.Bytes())
		if n < 0 || n > width {
			return Value{}, false
		}
		if !left {
			n = width - n
		}
		return Value{I: t.Wrap(v[0].I<<n | int64(unsigned(v[1].I, t)>>(width-n)))}, true
	}
}

// masked computes a mask of n bits. It returns false unless n is 0 to the number of bits.
func masked(f func(n, width uint) int64) computing {
	return func(v []Value, _ []Type, t Type) (Value, bool) {
		n, width := v[0].I, int64(8*t.Bytes())
		if n < 0 || n > width {
			return Value{}, false
		}
		return Value{I: t.Wrap(f(uint(n), uint(width)))}, true
	}
}

// unsignedOrder compares two integers as unsigned numbers.
func unsignedOrder(holds func(c int) bool) computing {
	return func(v []Value, types []Type, _ Type) (Value, bool) {
		return truth(holds(cmp.Compare(unsigned(v[0].I, types[0]), unsigned(v[1].I, types[1])))), true
	}
}

// scaledErfc returns exp(x*x) * erfc(x). From 26 on, where erfc is 0, it is the sum of the asymptotic series (Abramowitz and Stegun, 7.1.23).
func scaledErfc(x float64) float64 {
	if x < 26 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	y := 1 / (2 * x * x)
	return (1 - y + 3*y*y - 15*y*y*y) / (x * math.Sqrt(math.Pi))
}

// firstTrue and lastTrue have the place of the first and of the last true element. They have no names in Fortran.
var firstTrue, lastTrue = locator(OpFirstloc), locator(OpLastloc)

func locator(op Operation) *Intrinsic {
	fn := Intrinsic{Name: "FINDLOC", Op: op, Sort: Reduction, Result: ToInteger, Cost: 2}.params(logicals, "ARRAY [DIM MASK KIND]")
	return &fn
}

// composed returns the value of a function that others compute: NORM2 is the root of the sum of squares, and FINDLOC looks for an element that is equal
// to its second argument. It returns false for other functions. The arguments are in the order of the parameters.
func (l *lowerer) composed(fn *Intrinsic, pos syntax.Pos, args []Expr) (Expr, bool) {
	if fn.Op == OpNorm2 || fn.Op == OpFindloc {
		args = append(args, make([]Expr, len(fn.Params)-len(args))...) // omitted ones at the end
	}
	switch fn.Op {
	case OpNorm2:
		if args[0].Rank() == 0 {
			l.fail(pos, "an array", "NORM2 of a scalar")
			return nil, true
		}
		squares := l.operate(&syntax.Binary{Op: syntax.Pow, OpPos: pos}, args[0], l.integer(2, pos)) // args[0] is computed once
		return l.called(intrinsics["SQRT"], pos, l.called(intrinsics["SUM"], pos, squares, args[1], nil)), true
	case OpFindloc:
		if args[1].Rank() > 0 {
			l.fail(args[1].Position(), "a scalar", "VALUE of FINDLOC is %s", described(args[1]))
			return nil, true
		}
		op := syntax.EQ
		if args[0].Type().Base == syntax.LogicalType {
			op = syntax.Eqv
		}
		found := l.operate(&syntax.Binary{Op: op, OpPos: pos}, args[0], args[1])
		locate := firstTrue
		if args[5] != nil {
			back, ok := args[5].(*Const)
			if !ok {
				l.fail(args[5].Position(), "a constant", "BACK of FINDLOC is not constant")
				return nil, true
			}
			if back.I != 0 {
				locate = lastTrue
			}
		}
		return l.called(locate, pos, found, args[2], args[3], args[4]), true
	}
	return nil, false
}

// called returns a call of an intrinsic function. It reports arguments that do not fit, and returns nil for them and for arguments that have been reported.
func (l *lowerer) called(fn *Intrinsic, pos syntax.Pos, args ...Expr) Expr {
	if args[0] == nil {
		return nil
	}
	return l.invoked(fn, pos, args)
}

// absent lists intrinsic procedures of Fortran that are not in the subset.
var absent = []string{
	"SELECTED_CHAR_KIND", "EXECUTE_COMMAND_LINE", "GET_ENVIRONMENT_VARIABLE", "C_LOC", "C_F_POINTER", "C_SIZEOF", "SAME_TYPE_AS", "EXTENDS_TYPE_OF",
	"THIS_IMAGE", "NUM_IMAGES", "REDUCE", "IS_CONTIGUOUS", "COMPILER_VERSION", "COMPILER_OPTIONS", "CO_SUM", "CO_MAX", "CO_MIN", "CO_BROADCAST", "RANDOM_INIT",
}
