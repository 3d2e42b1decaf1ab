package lower

import "whorl/hpfsim/syntax"

// A Sort says how an intrinsic procedure treats its arguments.
type Sort uint8

// The sorts.
const (
	Elemental  Sort = iota // a function of scalars, applied to each element
	Reduction              // a function from an array to a scalar or to an array of lower rank
	Inquiry                // a function of the type or the shape of its argument
	Transform              // a function from arrays to arrays
	Subroutine             // a subroutine
	Service                // a function of the clock, whose value differs from call to call
)

// A Result determines the type of an intrinsic function from its arguments.
type Result uint8

// The results. Those of functions with an argument KIND follow its value.
const (
	OfArgument      Result = iota // the type of the first argument
	OfAll                         // the widest type of the arguments
	OfLast                        // the type of the last argument
	OfPart                        // the type of a COMPLEX argument's parts, else that of the first argument
	ToReal                        // REAL; DOUBLE PRECISION for a double complex argument
	ToDouble                      // DOUBLE PRECISION
	ToComplex                     // COMPLEX
	ToDoubleComplex               // COMPLEX with parts of 8 bytes
	ToInteger                     // INTEGER
	ToLogical                     // LOGICAL
	ToCharacter                   // CHARACTER
)

// A Conversion is the conversion of the arguments of an elemental function before it computes.
type Conversion uint8

// The conversions.
const (
	AsGiven  Conversion = iota // arguments keep their types
	ToCommon                   // arguments and the result get the widest type of the arguments
	ToResult                   // arguments get the type of the result
)

// An Intrinsic is a row of the table of intrinsic procedures. A function without Real, Complex, compute and known is
// computed where the program runs.
type Intrinsic struct {
	Name    string
	Op      Operation
	Sort    Sort
	Result  Result
	Convert Conversion
	Params  []Param
	Module  string    // the module of HPF that has it; "" for none
	Join    Operation // the reduction of an XXX_PREFIX, XXX_SUFFIX or XXX_SCATTER; NoOperation for COPY
	least   int       // parameters that cannot be left out
	repeats bool      // takes two or more arguments like its last parameter
	Cost    int       // abstract instructions for each element

	Real    func(float64) float64       // an elemental function of one real
	Complex func(complex128) complex128 // the same for a complex argument
	compute computing                   // any other elemental function
	known   knowing                     // an inquiry whose value may be known before the program runs
}

// A Param is a dummy argument of an intrinsic procedure. Functions check the type of their first argument only,
// subroutines check all.
type Param struct {
	Name  string
	Kinds Kinds
	Shape Shape
	Out   bool // the procedure defines the argument, which must be a variable
}

// A Shape is a set of ranks that an argument of an intrinsic subroutine may have.
type Shape uint8

// The shapes.
const (
	AnyShape Shape = iota
	Scalar
	Vector
)

// Kinds is a set of base types.
type Kinds uint8

func kinds(ts ...syntax.BaseType) (k Kinds) {
	for _, t := range ts {
		k |= 1 << t
	}
	return k
}

// Contains reports whether a type is in the set.
func (k Kinds) Contains(t syntax.BaseType) bool { return k&(1<<t) != 0 }
