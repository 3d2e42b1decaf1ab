package lower

import "whorl/hpfsim/syntax"

// A Sort says how an intrinsic procedure treats its arguments.
type Sort uint8

// The sorts.
const (
	Elemental  Sort = iota // element by element
	Reduction              // an array becomes a scalar, or one with a dimension less
	Inquiry                // of the shape of an argument
	Transform              // arrays become arrays
	Subroutine             // is called
	Service                // of what is around the program, and not the same at each call
)

// A Result says what type an intrinsic function has.
type Result uint8

// The results.
const (
	OfArgument Result = iota // as the first argument
	OfAll                    // as the widest argument
	ToInteger
	ToReal
	ToDouble
	ToLogical
	ToComplex
	ToCharacter
	ToPart // REAL of a COMPLEX, of its size
)

// An Intrinsic is an intrinsic procedure.
type Intrinsic struct {
	Name   string
	Sort   Sort
	Result Result
	Args   []string // names of the arguments; those behind "?" may be left out; "..." repeats the last
	Takes  Kinds    // what the first argument may be
	Cost   int      // instructions for an element
}

// Kinds is a set of base types.
type Kinds uint8

func kinds(ts ...syntax.BaseType) (k Kinds) {
	for _, t := range ts {
		k |= 1 << t
	}
	return k
}

// Has tells whether a type is in the set.
func (k Kinds) Has(t syntax.BaseType) bool { return k&(1<<t) != 0 }

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

var intrinsics = table()

// table lists the intrinsic procedures of the subset by name. Specific names of FORTRAN 77 are the generic functions with a type.
func table() map[string]*Intrinsic {
	out := map[string]*Intrinsic{}
	add := func(names string, sort Sort, result Result, takes Kinds, cost int, args ...string) {
		for _, n := range fields(names) {
			out[n] = &Intrinsic{n, sort, result, args, takes, cost}
		}
	}
	one := []string{"A"}
	add("SQRT EXP LOG SIN COS", Elemental, OfArgument, floats|complexes, 20, one...)
	add("TAN ASIN ACOS ATAN SINH COSH TANH LOG10", Elemental, OfArgument, floats, 25, one...)
	add("DSQRT DEXP DLOG DSIN DCOS DTAN DASIN DACOS DATAN DSINH DCOSH DTANH DLOG10 DABS DINT DNINT", Elemental, ToDouble, floats, 20, one...)
	add("CSQRT CEXP CLOG CSIN CCOS", Elemental, OfArgument, complexes, 40, one...)
	add("DPROD", Elemental, ToDouble, floats, 6, "X", "Y")
	add("ALOG ALOG10", Elemental, ToReal, floats, 20, one...)
	add("ATAN2 DATAN2", Elemental, OfArgument, floats, 30, "Y", "X")
	add("ABS", Elemental, ToPart, numbers, 1, one...)
	add("IABS", Elemental, OfArgument, ints, 1, one...)
	add("CABS", Elemental, ToPart, complexes, 20, one...)
	add("AINT ANINT", Elemental, OfArgument, floats, 2, "A", "?", "KIND")
	add("INT NINT FLOOR CEILING IFIX IDINT IDNINT", Elemental, ToInteger, numbers, 1, "A", "?", "KIND")
	add("REAL", Elemental, ToPart, numbers, 1, "A", "?", "KIND")
	add("FLOAT SNGL", Elemental, ToReal, reals, 1, one...)
	add("DBLE DFLOAT", Elemental, ToDouble, numbers, 1, one...)
	add("CMPLX", Elemental, ToComplex, numbers, 1, "X", "?", "Y", "KIND")
	add("DCMPLX", Elemental, ToComplex, numbers, 1, "X", "?", "Y")
	add("AIMAG DIMAG", Elemental, ToPart, complexes, 1, "Z")
	add("CONJG DCONJG", Elemental, OfArgument, complexes, 1, "Z")
	add("MOD MODULO AMOD DMOD", Elemental, OfArgument, reals, 10, "A", "P")
	add("SIGN ISIGN DSIGN DIM IDIM DDIM", Elemental, OfArgument, reals, 2, "A", "B")
	add("MAX MIN AMAX1 AMIN1 DMAX1 DMIN1 MAX0 MIN0", Elemental, OfAll, reals, 2, "A1", "A2", "...")
	add("MERGE", Elemental, OfArgument, anything, 2, "TSOURCE", "FSOURCE", "MASK")
	add("IAND IOR IEOR", Elemental, OfArgument, ints, 1, "I", "J")
	add("ISHFT", Elemental, OfArgument, ints, 1, "I", "SHIFT")
	add("ISHFTC", Elemental, OfArgument, ints, 3, "I", "SHIFT", "?", "SIZE")
	add("ILEN", Elemental, ToInteger, ints, 2, "I")
	add("EXPONENT", Elemental, ToInteger, floats, 2, "X")
	add("FRACTION SPACING RRSPACING", Elemental, OfArgument, floats, 3, "X")
	add("SCALE SET_EXPONENT", Elemental, OfArgument, floats, 3, "X", "I")
	add("NEAREST", Elemental, OfArgument, floats, 3, "X", "S")
	add("NOT", Elemental, OfArgument, ints, 1, "I")
	add("BTEST", Elemental, ToLogical, ints, 1, "I", "POS")
	add("IBSET IBCLR", Elemental, OfArgument, ints, 1, "I", "POS")
	add("IBITS", Elemental, OfArgument, ints, 2, "I", "POS", "LEN")
	add("LOGICAL", Elemental, ToLogical, logicals, 1, "L", "?", "KIND")
	add("ICHAR IACHAR", Elemental, ToInteger, chars, 1, "C")
	add("CHAR ACHAR", Elemental, ToCharacter, ints, 1, "I", "?", "KIND")
	add("LEN", Inquiry, ToInteger, chars, 1, "STRING")
	add("LEN_TRIM", Elemental, ToInteger, chars, 5, "STRING")
	add("INDEX SCAN VERIFY", Elemental, ToInteger, chars, 10, "STRING", "SUBSTRING", "?", "BACK")
	add("TRIM", Transform, ToCharacter, chars, 5, "STRING")
	add("ADJUSTL ADJUSTR", Elemental, OfArgument, chars, 5, "STRING")
	add("REPEAT", Transform, ToCharacter, chars, 5, "STRING", "NCOPIES")
	add("LGE LGT LLE LLT", Elemental, ToLogical, chars, 5, "STRING_A", "STRING_B")

	add("SUM PRODUCT", Reduction, OfArgument, numbers, 1, "ARRAY", "?", "DIM", "MASK")
	add("MAXVAL MINVAL", Reduction, OfArgument, reals, 2, "ARRAY", "?", "DIM", "MASK")
	add("ANY ALL", Reduction, OfArgument, logicals, 1, "MASK", "?", "DIM")
	add("COUNT", Reduction, ToInteger, logicals, 1, "MASK", "?", "DIM")
	add("MAXLOC MINLOC", Reduction, ToInteger, reals, 2, "ARRAY", "?", "DIM", "MASK")
	add("DOT_PRODUCT", Reduction, OfAll, numbers|logicals, 2, "VECTOR_A", "VECTOR_B")
	add("MATMUL", Transform, OfAll, numbers|logicals, 2, "MATRIX_A", "MATRIX_B")
	add("TRANSPOSE", Transform, OfArgument, anything, 1, "MATRIX")
	add("SPREAD", Transform, OfArgument, anything, 1, "SOURCE", "DIM", "NCOPIES")
	add("RESHAPE", Transform, OfArgument, anything, 1, "SOURCE", "SHAPE", "?", "PAD", "ORDER")
	add("CSHIFT", Transform, OfArgument, anything, 1, "ARRAY", "SHIFT", "?", "DIM")
	add("EOSHIFT", Transform, OfArgument, anything, 1, "ARRAY", "SHIFT", "?", "BOUNDARY", "DIM")
	add("PACK", Transform, OfArgument, anything, 2, "ARRAY", "MASK", "?", "VECTOR")
	add("UNPACK", Transform, OfArgument, anything, 2, "VECTOR", "MASK", "FIELD")

	add("SIZE LBOUND UBOUND", Inquiry, ToInteger, anything, 1, "ARRAY", "?", "DIM")
	add("SHAPE", Inquiry, ToInteger, anything, 1, "SOURCE")
	add("ALLOCATED PRESENT", Inquiry, ToLogical, anything, 1, "A")
	add("KIND DIGITS RADIX MAXEXPONENT MINEXPONENT BIT_SIZE RANGE PRECISION HUGE TINY EPSILON", Inquiry, ToInteger, anything, 0, "X")
	for _, n := range []string{"HUGE", "TINY", "EPSILON"} {
		out[n].Result = OfArgument
	}
	add("NUMBER_OF_PROCESSORS", Inquiry, ToInteger, ints, 1, "?", "DIM")
	add("PROCESSORS_SHAPE", Inquiry, ToInteger, ints, 1)
	add("SELECTED_REAL_KIND", Inquiry, ToInteger, ints, 0, "?", "P", "R")
	add("SELECTED_INT_KIND", Inquiry, ToInteger, ints, 0, "R")

	add("SYSTEM_CLOCK", Subroutine, OfArgument, anything, 10, "?", "COUNT", "COUNT_RATE", "COUNT_MAX")
	add("CPU_TIME", Subroutine, OfArgument, floats, 10, "TIME")
	add("DATE_AND_TIME", Subroutine, OfArgument, chars, 20, "?", "DATE", "TIME", "ZONE", "VALUES")
	add("RANDOM_NUMBER", Subroutine, OfArgument, floats, 10, "HARVEST")
	add("RANDOM_SEED", Subroutine, OfArgument, ints, 10, "?", "SIZE", "PUT", "GET")
	add("MVBITS", Subroutine, OfArgument, ints, 3, "FROM", "FROMPOS", "LEN", "TO", "TOPOS")
	add("EXIT", Subroutine, OfArgument, ints, 1, "?", "STATUS")
	add("FLUSH", Subroutine, OfArgument, ints, 10, "?", "UNIT")
	add("GET_COMMAND", Subroutine, OfArgument, chars, 10, "?", "COMMAND", "LENGTH", "STATUS")
	add("GET_COMMAND_ARGUMENT", Subroutine, OfArgument, ints, 10, "NUMBER", "?", "VALUE", "LENGTH", "STATUS")
	add("GETARG", Subroutine, OfArgument, ints, 10, "POS", "VALUE")
	add("COMMAND_ARGUMENT_COUNT IARGC", Inquiry, ToInteger, ints, 1)
	add("ETIME DTIME", Service, ToReal, floats, 10, "VALUES")
	add("SECOND", Service, ToReal, floats, 10)
	return out
}

func fields(s string) []string {
	var out []string
	for from, i := 0, 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ' ' {
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return out
}
