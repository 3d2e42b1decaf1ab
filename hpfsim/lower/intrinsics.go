package lower

import (
	"math"
	"math/cmplx"
	"strings"

	"whorl/hpfsim/syntax"
)

var (
	ints      = kinds(syntax.IntegerType)
	floats    = kinds(syntax.RealType, syntax.DoubleType)
	reals     = ints | floats
	complexes = kinds(syntax.ComplexType)
	numbers   = reals | complexes
	logicals  = kinds(syntax.LogicalType)
	chars     = kinds(syntax.CharacterType)
	anything  = numbers | logicals | chars
)

// intrinsics holds the intrinsic procedures of the subset by name.
var intrinsics = byName(elementals(), modern(), reducers(), transformations(), inquiries(), subroutines(), library())

func byName(groups ...[]Intrinsic) map[string]*Intrinsic {
	out := map[string]*Intrinsic{}
	for _, g := range groups {
		for i := range g {
			out[g[i].Name] = &g[i]
		}
	}
	return out
}

// kindsOfParams are the types of parameters of functions by their names. Parameters with other names take any type.
var kindsOfParams = map[string]Kinds{
	"BACK": logicals, "DIM": ints, "I": ints, "J": ints, "KIND": ints, "LEN": ints, "MASK": logicals, "NCOPIES": ints, "ORDER": ints, "P": reals, "POS": ints,
	"SET": chars, "SHIFT": ints, "SIZE": ints, "STRING_B": chars, "SUBSTRING": chars,
}

// params reads the dummy arguments of a function as Fortran manuals write them: "STRING SUBSTRING [BACK]" has one
// that may be left out, "A1 A2 ..." takes two or more. The first has one of the types in first.
func (fn Intrinsic) params(first Kinds, names string) Intrinsic {
	required, optional, _ := strings.Cut(strings.TrimSuffix(names, "]"), "[")
	for _, n := range strings.Fields(required) {
		if n == "..." {
			fn.repeats = true
			continue
		}
		fn.Params = append(fn.Params, paramNamed(n))
	}
	fn.least = len(fn.Params)
	for _, n := range strings.Fields(optional) {
		fn.Params = append(fn.Params, paramNamed(n))
	}
	if len(fn.Params) > 0 {
		fn.Params[0].Kinds = first
	}
	return fn
}

// takes returns the function with other types for parameter i.
func (fn Intrinsic) takes(i int, kinds Kinds) Intrinsic {
	fn.Params[i].Kinds = kinds
	return fn
}

func paramNamed(name string) Param {
	kinds, ok := kindsOfParams[name]
	if !ok {
		kinds = anything
	}
	return Param{Name: name, Kinds: kinds}
}

// elementals lists the elemental functions. Specific names of FORTRAN 77 follow their generic names.
func elementals() []Intrinsic {
	// real1 is a function of one real, complex1 a function of one real or complex number.
	real1 := func(op Operation, name string, result Result, cost int, f func(float64) float64) Intrinsic {
		fn := Intrinsic{Name: name, Op: op, Result: result, Convert: ToCommon, Cost: cost, Real: f}
		if result != OfArgument {
			fn.Convert = ToResult
		}
		return fn.params(floats, "A")
	}
	complex1 := func(op Operation, name string, first Kinds, cost int, f func(float64) float64, z func(complex128) complex128) Intrinsic {
		return Intrinsic{Name: name, Op: op, Convert: ToCommon, Cost: cost, Real: f, Complex: z}.params(first, "A")
	}
	elemental := func(op Operation, name string, result Result, convert Conversion, cost int, first Kinds, params string, f computing) Intrinsic {
		return Intrinsic{Name: name, Op: op, Result: result, Convert: convert, Cost: cost, compute: f}.params(first, params)
	}
	both := floats | complexes
	return []Intrinsic{
		complex1(OpSqrt, "SQRT", both, 20, math.Sqrt, cmplx.Sqrt),
		complex1(OpSqrt, "CSQRT", complexes, 40, nil, cmplx.Sqrt),
		real1(OpSqrt, "DSQRT", ToDouble, 20, math.Sqrt),
		complex1(OpExp, "EXP", both, 20, math.Exp, cmplx.Exp),
		complex1(OpExp, "CEXP", complexes, 40, nil, cmplx.Exp),
		real1(OpExp, "DEXP", ToDouble, 20, math.Exp),
		complex1(OpLog, "LOG", both, 20, math.Log, cmplx.Log),
		complex1(OpLog, "CLOG", complexes, 40, nil, cmplx.Log),
		real1(OpLog, "ALOG", ToReal, 20, math.Log),
		real1(OpLog, "DLOG", ToDouble, 20, math.Log),
		complex1(OpSin, "SIN", both, 20, math.Sin, cmplx.Sin),
		complex1(OpSin, "CSIN", complexes, 40, nil, cmplx.Sin),
		real1(OpSin, "DSIN", ToDouble, 20, math.Sin),
		complex1(OpCos, "COS", both, 20, math.Cos, cmplx.Cos),
		complex1(OpCos, "CCOS", complexes, 40, nil, cmplx.Cos),
		real1(OpCos, "DCOS", ToDouble, 20, math.Cos),
		real1(OpTan, "TAN", OfArgument, 25, math.Tan),
		real1(OpTan, "DTAN", ToDouble, 20, math.Tan),
		real1(OpAsin, "ASIN", OfArgument, 25, math.Asin),
		real1(OpAsin, "DASIN", ToDouble, 20, math.Asin),
		real1(OpAcos, "ACOS", OfArgument, 25, math.Acos),
		real1(OpAcos, "DACOS", ToDouble, 20, math.Acos),
		real1(OpAtan, "ATAN", OfArgument, 25, math.Atan),
		real1(OpAtan, "DATAN", ToDouble, 20, math.Atan),
		real1(OpSinh, "SINH", OfArgument, 25, math.Sinh),
		real1(OpSinh, "DSINH", ToDouble, 20, math.Sinh),
		real1(OpCosh, "COSH", OfArgument, 25, math.Cosh),
		real1(OpCosh, "DCOSH", ToDouble, 20, math.Cosh),
		real1(OpTanh, "TANH", OfArgument, 25, math.Tanh),
		real1(OpTanh, "DTANH", ToDouble, 20, math.Tanh),
		real1(OpLog10, "LOG10", OfArgument, 25, math.Log10),
		real1(OpLog10, "ALOG10", ToReal, 20, math.Log10),
		real1(OpLog10, "DLOG10", ToDouble, 20, math.Log10),
		elemental(OpAtan2, "ATAN2", OfArgument, ToCommon, 30, floats, "Y X", ofReals(math.Atan2)),
		elemental(OpAtan2, "DATAN2", OfArgument, ToCommon, 30, floats, "Y X", ofReals(math.Atan2)),

		elemental(OpAbs, "ABS", OfPart, AsGiven, 1, numbers, "A", absolute),
		elemental(OpAbs, "IABS", OfArgument, ToCommon, 1, ints, "A", absolute),
		elemental(OpAbs, "CABS", OfPart, AsGiven, 20, complexes, "A", absolute),
		elemental(OpAbs, "DABS", ToDouble, ToResult, 20, floats, "A", absolute),
		elemental(OpAint, "AINT", OfArgument, AsGiven, 2, floats, "A [KIND]", ofReal(math.Trunc)),
		elemental(OpAint, "DINT", ToDouble, ToResult, 20, floats, "A", ofReal(math.Trunc)),
		elemental(OpAnint, "ANINT", OfArgument, AsGiven, 2, floats, "A [KIND]", ofReal(math.Round)),
		elemental(OpAnint, "DNINT", ToDouble, ToResult, 20, floats, "A", ofReal(math.Round)),
		elemental(OpInt, "INT", ToInteger, AsGiven, 1, numbers, "A [KIND]", convert),
		elemental(OpInt, "IFIX", ToInteger, AsGiven, 1, reals, "A [KIND]", convert),
		elemental(OpInt, "IDINT", ToInteger, AsGiven, 1, reals, "A [KIND]", convert),
		elemental(OpNint, "NINT", ToInteger, AsGiven, 1, reals, "A [KIND]", rounded(math.Round)),
		elemental(OpNint, "IDNINT", ToInteger, AsGiven, 1, reals, "A [KIND]", rounded(math.Round)),
		elemental(OpFloor, "FLOOR", ToInteger, AsGiven, 1, reals, "A [KIND]", rounded(math.Floor)),
		elemental(OpCeiling, "CEILING", ToInteger, AsGiven, 1, reals, "A [KIND]", rounded(math.Ceil)),
		elemental(OpReal, "REAL", ToReal, AsGiven, 1, numbers, "A [KIND]", convert),
		elemental(OpReal, "FLOAT", ToReal, AsGiven, 1, reals, "A", convert),
		elemental(OpReal, "SNGL", ToReal, AsGiven, 1, reals, "A", convert),
		elemental(OpReal, "DBLE", ToDouble, AsGiven, 1, numbers, "A", convert),
		elemental(OpReal, "DFLOAT", ToDouble, AsGiven, 1, numbers, "A", convert),
		elemental(OpCmplx, "CMPLX", ToComplex, AsGiven, 1, numbers, "X [Y KIND]", parts),
		elemental(OpCmplx, "DCMPLX", ToDoubleComplex, AsGiven, 1, numbers, "X [Y]", parts),
		elemental(OpAimag, "AIMAG", OfPart, AsGiven, 1, complexes, "Z", imaginary),
		elemental(OpAimag, "DIMAG", OfPart, AsGiven, 1, complexes, "Z", imaginary),
		elemental(OpConjg, "CONJG", OfArgument, ToCommon, 1, complexes, "Z", conjugate),
		elemental(OpConjg, "DCONJG", OfArgument, ToCommon, 1, complexes, "Z", conjugate),

		elemental(OpMod, "MOD", OfArgument, ToCommon, 10, reals, "A P", modulus(remainder, math.Mod)),
		elemental(OpMod, "AMOD", OfArgument, ToCommon, 10, reals, "A P", modulus(remainder, math.Mod)),
		elemental(OpMod, "DMOD", OfArgument, ToCommon, 10, reals, "A P", modulus(remainder, math.Mod)),
		elemental(OpModulo, "MODULO", OfArgument, ToCommon, 10, reals, "A P", modulus(floored, flooredReal)),
		elemental(OpSign, "SIGN", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(signed, math.Copysign)),
		elemental(OpSign, "ISIGN", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(signed, math.Copysign)),
		elemental(OpSign, "DSIGN", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(signed, math.Copysign)),
		elemental(OpDim, "DIM", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(excess[int64], excess[float64])),
		elemental(OpDim, "IDIM", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(excess[int64], excess[float64])),
		elemental(OpDim, "DDIM", OfArgument, ToCommon, 2, reals, "A B", ofNumbers(excess[int64], excess[float64])),
		elemental(OpDprod, "DPROD", ToDouble, ToResult, 6, floats, "X Y", ofReals(func(x, y float64) float64 { return x * y })),
		elemental(OpMax, "MAX", OfAll, ToCommon, 2, reals, "A1 A2 ...", largest),
		elemental(OpMax, "MAX0", ToInteger, ToResult, 2, reals, "A1 A2 ...", largest),
		elemental(OpMax, "AMAX1", OfAll, ToCommon, 2, reals, "A1 A2 ...", largest),
		elemental(OpMax, "DMAX1", OfAll, ToCommon, 2, reals, "A1 A2 ...", largest),
		elemental(OpMin, "MIN", OfAll, ToCommon, 2, reals, "A1 A2 ...", smallest),
		elemental(OpMin, "MIN0", ToInteger, ToResult, 2, reals, "A1 A2 ...", smallest),
		elemental(OpMin, "AMIN1", OfAll, ToCommon, 2, reals, "A1 A2 ...", smallest),
		elemental(OpMin, "DMIN1", OfAll, ToCommon, 2, reals, "A1 A2 ...", smallest),
		elemental(OpMerge, "MERGE", OfArgument, AsGiven, 2, anything, "TSOURCE FSOURCE MASK", merge),

		elemental(OpExponent, "EXPONENT", ToInteger, AsGiven, 2, floats, "X", exponent),
		elemental(OpFraction, "FRACTION", OfArgument, ToCommon, 3, floats, "X", ofReal(fraction)),
		elemental(OpSpacing, "SPACING", OfArgument, ToCommon, 3, floats, "X", spacing),
		elemental(OpRrspacing, "RRSPACING", OfArgument, ToCommon, 3, floats, "X", relativeSpacing),
		elemental(OpScale, "SCALE", OfArgument, AsGiven, 3, floats, "X I", scale),
		elemental(OpSetExponent, "SET_EXPONENT", OfArgument, AsGiven, 3, floats, "X I", setExponent),
		elemental(OpNearest, "NEAREST", OfArgument, ToCommon, 3, floats, "X S", neighbor),

		elemental(OpIand, "IAND", OfArgument, ToCommon, 1, ints, "I J", ofIntegers(func(i, j int64) int64 { return i & j })),
		elemental(OpIor, "IOR", OfArgument, ToCommon, 1, ints, "I J", ofIntegers(func(i, j int64) int64 { return i | j })),
		elemental(OpIeor, "IEOR", OfArgument, ToCommon, 1, ints, "I J", ofIntegers(func(i, j int64) int64 { return i ^ j })),
		elemental(OpNot, "NOT", OfArgument, ToCommon, 1, ints, "I", ofInteger(func(i int64) int64 { return ^i })),
		elemental(OpIshft, "ISHFT", OfArgument, AsGiven, 1, ints, "I SHIFT", shift),
		elemental(OpIshftc, "ISHFTC", OfArgument, AsGiven, 3, ints, "I SHIFT [SIZE]", rotate),
		elemental(OpIlen, "ILEN", ToInteger, AsGiven, 2, ints, "I", ofInteger(bitLength)),
		elemental(OpBtest, "BTEST", ToLogical, AsGiven, 1, ints, "I POS", testBit),
		elemental(OpIbset, "IBSET", OfArgument, AsGiven, 1, ints, "I POS", ofIntegers(func(i, pos int64) int64 { return i | 1<<uint(pos&63) })),
		elemental(OpIbclr, "IBCLR", OfArgument, AsGiven, 1, ints, "I POS", ofIntegers(func(i, pos int64) int64 { return i &^ (1 << uint(pos&63)) })),
		elemental(OpIbits, "IBITS", OfArgument, AsGiven, 2, ints, "I POS LEN", extractBits),
		elemental(OpLogical, "LOGICAL", ToLogical, AsGiven, 1, logicals, "L [KIND]", ofInteger(func(i int64) int64 { return i })),

		elemental(OpIchar, "ICHAR", ToInteger, AsGiven, 1, chars, "C [KIND]", characterCode),
		elemental(OpIchar, "IACHAR", ToInteger, AsGiven, 1, chars, "C [KIND]", characterCode),
		elemental(OpChar, "CHAR", ToCharacter, AsGiven, 1, ints, "I [KIND]", character),
		elemental(OpChar, "ACHAR", ToCharacter, AsGiven, 1, ints, "I [KIND]", character),
		elemental(OpLenTrim, "LEN_TRIM", ToInteger, AsGiven, 5, chars, "STRING [KIND]", trimmedLength),
		elemental(OpIndex, "INDEX", ToInteger, AsGiven, 10, chars, "STRING SUBSTRING [BACK KIND]", index),
		elemental(OpScan, "SCAN", ToInteger, AsGiven, 10, chars, "STRING SUBSTRING [BACK KIND]", scan(true)),
		elemental(OpVerify, "VERIFY", ToInteger, AsGiven, 10, chars, "STRING SUBSTRING [BACK KIND]", scan(false)),
		elemental(OpAdjustl, "ADJUSTL", OfArgument, AsGiven, 5, chars, "STRING", adjustLeft),
		elemental(OpAdjustr, "ADJUSTR", OfArgument, AsGiven, 5, chars, "STRING", adjustRight),
		elemental(OpLge, "LGE", ToLogical, AsGiven, 5, chars, "STRING_A STRING_B", compare(syntax.GE)),
		elemental(OpLgt, "LGT", ToLogical, AsGiven, 5, chars, "STRING_A STRING_B", compare(syntax.GT)),
		elemental(OpLle, "LLE", ToLogical, AsGiven, 5, chars, "STRING_A STRING_B", compare(syntax.LE)),
		elemental(OpLlt, "LLT", ToLogical, AsGiven, 5, chars, "STRING_A STRING_B", compare(syntax.LT)),
	}
}

// reducers lists the functions that reduce arrays.
func reducers() []Intrinsic {
	row := func(op Operation, name string, result Result, cost int, first Kinds, params string) Intrinsic {
		return Intrinsic{Name: name, Op: op, Sort: Reduction, Result: result, Cost: cost}.params(first, params)
	}
	return []Intrinsic{
		row(OpSum, "SUM", OfArgument, 1, numbers, "ARRAY [DIM MASK]"),
		row(OpProduct, "PRODUCT", OfArgument, 1, numbers, "ARRAY [DIM MASK]"),
		row(OpMaxval, "MAXVAL", OfArgument, 2, reals, "ARRAY [DIM MASK]"),
		row(OpMinval, "MINVAL", OfArgument, 2, reals, "ARRAY [DIM MASK]"),
		row(OpMaxloc, "MAXLOC", ToInteger, 2, reals, "ARRAY [DIM MASK KIND]"),
		row(OpMinloc, "MINLOC", ToInteger, 2, reals, "ARRAY [DIM MASK KIND]"),
		row(OpFindloc, "FINDLOC", ToInteger, 2, anything, "ARRAY VALUE [DIM MASK KIND BACK]"),
		row(OpNorm2, "NORM2", OfArgument, 2, floats, "X [DIM]"),
		row(OpAny, "ANY", OfArgument, 1, logicals, "MASK [DIM]"),
		row(OpAll, "ALL", OfArgument, 1, logicals, "MASK [DIM]"),
		row(OpCount, "COUNT", ToInteger, 1, logicals, "MASK [DIM KIND]"),
		row(OpDotProduct, "DOT_PRODUCT", OfAll, 2, numbers|logicals, "VECTOR_A VECTOR_B"),
	}
}

// transformations lists the functions from arrays to arrays, and those of characters whose length is known only after
// they ran.
func transformations() []Intrinsic {
	row := func(op Operation, name string, result Result, cost int, first Kinds, params string) Intrinsic {
		return Intrinsic{Name: name, Op: op, Sort: Transform, Result: result, Cost: cost}.params(first, params)
	}
	return []Intrinsic{
		row(OpMatmul, "MATMUL", OfAll, 2, numbers|logicals, "MATRIX_A MATRIX_B"),
		row(OpTranspose, "TRANSPOSE", OfArgument, 1, anything, "MATRIX"),
		row(OpSpread, "SPREAD", OfArgument, 1, anything, "SOURCE DIM NCOPIES"),
		row(OpReshape, "RESHAPE", OfArgument, 1, anything, "SOURCE SHAPE [PAD ORDER]"),
		row(OpTransfer, "TRANSFER", OfArgument, 1, anything, "SOURCE MOLD [SIZE]"),
		row(OpCshift, "CSHIFT", OfArgument, 1, anything, "ARRAY SHIFT [DIM]"),
		row(OpEoshift, "EOSHIFT", OfArgument, 1, anything, "ARRAY SHIFT [BOUNDARY DIM]"),
		row(OpPack, "PACK", OfArgument, 2, anything, "ARRAY MASK [VECTOR]"),
		row(OpUnpack, "UNPACK", OfArgument, 2, anything, "VECTOR MASK FIELD"),
		row(OpTrim, "TRIM", ToCharacter, 5, chars, "STRING"),
		row(OpRepeat, "REPEAT", ToCharacter, 5, chars, "STRING NCOPIES"),
	}
}

// inquiries lists the functions of types, shapes and the processors.
func inquiries() []Intrinsic {
	row := func(op Operation, name string, result Result, cost int, first Kinds, params string, known knowing) Intrinsic {
		return Intrinsic{Name: name, Op: op, Sort: Inquiry, Result: result, Cost: cost, known: known}.params(first, params)
	}
	return []Intrinsic{
		row(OpSize, "SIZE", ToInteger, 1, anything, "ARRAY [DIM KIND]", nil),
		row(OpLbound, "LBOUND", ToInteger, 1, anything, "ARRAY [DIM KIND]", nil),
		row(OpUbound, "UBOUND", ToInteger, 1, anything, "ARRAY [DIM KIND]", nil),
		row(OpShape, "SHAPE", ToInteger, 1, anything, "SOURCE", nil),
		row(OpAllocated, "ALLOCATED", ToLogical, 1, anything, "A", nil),
		row(OpAssociated, "ASSOCIATED", ToLogical, 1, anything, "POINTER [TARGET]", nil),
		row(OpPresent, "PRESENT", ToLogical, 1, anything, "A", nil),
		row(OpLen, "LEN", ToInteger, 1, chars, "STRING [KIND]", knownLength),
		row(OpKind, "KIND", ToInteger, 0, anything, "X", kindNumber),
		row(OpDigits, "DIGITS", ToInteger, 0, anything, "X", limit),
		row(OpRadix, "RADIX", ToInteger, 0, anything, "X", limit),
		row(OpMaxexponent, "MAXEXPONENT", ToInteger, 0, anything, "X", limit),
		row(OpMinexponent, "MINEXPONENT", ToInteger, 0, anything, "X", limit),
		row(OpStorageSize, "STORAGE_SIZE", ToInteger, 1, anything, "A [KIND]", storageBits),
		row(OpBitSize, "BIT_SIZE", ToInteger, 0, anything, "X", limit),
		row(OpRange, "RANGE", ToInteger, 0, anything, "X", limit),
		row(OpPrecision, "PRECISION", ToInteger, 0, anything, "X", limit),
		row(OpHuge, "HUGE", OfArgument, 0, anything, "X", limit),
		row(OpTiny, "TINY", OfArgument, 0, anything, "X", limit),
		row(OpEpsilon, "EPSILON", OfArgument, 0, anything, "X", limit),
		row(OpSelectedRealKind, "SELECTED_REAL_KIND", ToInteger, 0, ints, "[P R]", realKind),
		row(OpSelectedIntKind, "SELECTED_INT_KIND", ToInteger, 0, ints, "R", integerKind),
		row(OpNumberOfProcessors, "NUMBER_OF_PROCESSORS", ToInteger, 1, ints, "[DIM]", processors),
		row(OpProcessorsShape, "PROCESSORS_SHAPE", ToInteger, 1, ints, "", nil),
		row(OpCommandArgumentCount, "COMMAND_ARGUMENT_COUNT", ToInteger, 1, ints, "", noArguments),
		row(OpCommandArgumentCount, "IARGC", ToInteger, 1, ints, "", noArguments),
	}
}

// subroutines lists the intrinsic subroutines and the functions of the clock.
func subroutines() []Intrinsic {
	row := func(op Operation, name string, cost, least int, params ...Param) Intrinsic {
		return Intrinsic{Name: name, Op: op, Sort: Subroutine, Cost: cost, Params: params, least: least}
	}
	in := func(k Kinds, name string) Param { return Param{Name: name, Kinds: k, Shape: Scalar} }
	out := func(k Kinds, name string) Param { return Param{Name: name, Kinds: k, Shape: Scalar, Out: true} }
	each := func(k Kinds, name string) Param { return Param{Name: name, Kinds: k} }
	return []Intrinsic{
		row(OpSystemClock, "SYSTEM_CLOCK", 10, 0, out(ints, "COUNT"), out(reals, "COUNT_RATE"), out(ints, "COUNT_MAX")),
		row(OpCPUTime, "CPU_TIME", 10, 1, out(floats, "TIME")),
		row(OpDateAndTime, "DATE_AND_TIME", 20, 0, out(chars, "DATE"), out(chars, "TIME"), out(chars, "ZONE"), Param{"VALUES", ints, Vector, true}),
		row(OpRandomNumber, "RANDOM_NUMBER", 10, 1, Param{"HARVEST", floats, AnyShape, true}),
		row(OpRandomSeed, "RANDOM_SEED", 10, 0, out(ints, "SIZE"), Param{"PUT", ints, Vector, false}, Param{"GET", ints, Vector, true}),
		row(OpMvbits, "MVBITS", 3, 5, each(ints, "FROM"), each(ints, "FROMPOS"), each(ints, "LEN"), Param{"TO", ints, AnyShape, true}, each(ints, "TOPOS")),
		row(OpMoveAlloc, "MOVE_ALLOC", 10, 2, Param{"FROM", anything, AnyShape, true}, Param{"TO", anything, AnyShape, true}),
		row(OpExit, "EXIT", 1, 0, in(ints, "STATUS")),
		row(OpFlush, "FLUSH", 10, 0, in(ints, "UNIT")),
		row(OpGetCommand, "GET_COMMAND", 10, 0, out(chars, "COMMAND"), out(ints, "LENGTH"), out(ints, "STATUS")),
		row(OpGetCommandArgument, "GET_COMMAND_ARGUMENT", 10, 1, in(ints, "NUMBER"), out(chars, "VALUE"), out(ints, "LENGTH"), out(ints, "STATUS")),
		row(OpGetCommandArgument, "GETARG", 10, 2, in(ints, "POS"), out(chars, "VALUE")),
		Intrinsic{Name: "ETIME", Op: OpEtime, Sort: Service, Result: ToReal, Cost: 10}.params(floats, "VALUES"),
		Intrinsic{Name: "DTIME", Op: OpDtime, Sort: Service, Result: ToReal, Cost: 10}.params(floats, "VALUES"),
		Intrinsic{Name: "SECOND", Op: OpSecond, Sort: Service, Result: ToReal, Cost: 10}.params(floats, ""),
	}
}
