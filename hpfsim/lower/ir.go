// Package lower resolves HPF programs.
//
// Lower resolves a file: every name becomes a Symbol, every expression has a type and a rank, conversions are explicit, and constants are folded. One
// table lists the intrinsic procedures (intrinsics.go); later steps dispatch on their Operation. Mapping directives place arrays on the processors
// (place.go). The placement determines the messages of each statement (communicate.go): none if operands are aligned with the result, a shift of
// block edges, a broadcast, a reduction, or an exchange of sections. Each statement becomes instructions of a pseudo-assembler with costs
// (assemble.go). A comment of the form "before opcode<operands> after" documents each opcode (opcode.go). Samples refer to these instructions, and
// Listing prints them.
//
// Modules are resolved first, each after those that it uses (modules.go). A unit refers to the symbols of the modules
// that it uses, as an internal procedure refers to those of its host: there is one Symbol for a variable, and one array
// in a run.
//
// The rule is owner-computes: the owner of the element that a statement writes executes it. Variables that are not
// mapped are replicated, and every processor computes them.
package lower

import (
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// A Class is the kind of a symbol.
type Class uint8

// The classes.
const (
	Variable Class = iota
	Constant
	Procedure
	StatementFunction
	TemplateName
	GridName
	GroupName // of NAMELIST
	Generic
	Unusable // a name of two modules, or of none: a use of it is an error
)

// A Symbol is a named entity of a unit.
type Symbol struct {
	Name   string
	Pos    syntax.Pos
	Class  Class
	Type   Type
	Length Expr // length of characters; nil means that of the argument or the constant
	Bounds []Bound
	Unit   *Unit // the unit of a variable; nil for a procedure
	Index  int   // in the unit's symbols

	Dummy       int // position in the arguments, from 1; 0 for other symbols
	Intent      string
	Optional    bool
	ByValue     bool // an argument that is a copy
	Protected   bool // a variable of a module that other units do not change
	Allocatable bool
	Pointer     bool // a pointer, which is Allocatable too
	Target      bool
	Deferred    bool // the length of the characters is that of their value, LEN=:
	Saved       bool
	Dynamic     bool
	Twin        *Symbol // the variable of another entry of the unit that has the same storage; nil for none
	Shared      bool    // others may have the same storage: EQUIVALENCE
	Boxed       bool    // a scalar that is kept as an array of one element, since its storage is shared
	Block       *Block  // COMMON block, or variables of EQUIVALENCE; nil for none
	Segment     int     // in the block
	Start       int     // first element in the segment
	Value       Value   // of a constant
	Elements    []Value
	Initial     []Init

	Pool      *Pool            // of which the array is a part; nil for none
	Leads     *Pool            // whose handles the values are; nil for others
	Holds     *Symbol          // what the elements of an array of arrays hold; nil for others
	Slot      *Element         // the element of an array of arrays that holds the array; nil for others
	results   int              // dimensions of the value of an argument that is a function
	Func      *Func            // a statement function
	Proc      *Unit            // a procedure of this program
	Specifics []*Symbol        // the procedures of a generic name
	Native    *Intrinsic       // an intrinsic procedure
	Place     *Placement       // the mapping; nil for replicated variables
	ranges    [][]mapping.Kind // the distributions of RANGE; nil for any
	Outer     *Placement       // the mapping of an argument of an HPF_LOCAL subroutine in its caller
	Grid      *Grid            // an arrangement of processors
	group     []syntax.Name    // variables of a group of NAMELIST
	typed     bool             // declared explicitly
	once      bool             // holds the value of a call that is made once
	spec      syntax.Spec      // the declaration
	why       string           // the error for a use of an Unusable symbol; "" if it is reported
}

// Rank returns the number of dimensions.
func (s *Symbol) Rank() int { return len(s.Bounds) }

// A Bound holds the bounds of a dimension. Hi is nil for a deferred or assumed shape.
type Bound struct{ Lo, Hi Expr }

// An Init is the initial value of an element. Index is the element's place in the order of Fortran's arrays.
type Init struct {
	Index int
	Value Value
}

// A Pool holds the targets of pointers of a derived type. The last dimension of its arrays is that of the targets, whose numbers are handles from 1 on. Live
// has the handle itself for each target, and 0 where there is none. A run gives the arrays more elements when it needs them.
type Pool struct {
	Live  *Symbol
	Parts []Part
}

// A Part is a component of the targets of a pool. Default is a variable with its first value.
type Part struct{ Array, Default *Symbol }

// A Func is a statement function.
type Func struct {
	Params []*Symbol
	Value  Expr
	open   bool // its value is being resolved
}

// An Expr is an expression with a type.
type Expr interface {
	Type() Type
	Rank() int
	Position() syntax.Pos
}

type typed struct {
	T Type
	N int // rank
	syntax.Pos
}

// Type returns the type of the expression's value, or of its elements.
func (t *typed) Type() Type { return t.T }

// Rank returns the number of dimensions, 0 for a scalar.
func (t *typed) Rank() int { return t.N }

// Expressions.
type (
	// A Const is a constant.
	Const struct {
		typed
		Value
	}

	// A Ref is a variable: a scalar, or all of an array.
	Ref struct {
		typed
		Sym *Symbol
	}

	// An Element is an element or a section of an array. A subscript of rank 1 is a vector of indices.
	Element struct {
		typed
		Sym  *Symbol
		Subs []Sub
	}

	// A Substring is part of characters. Hi may be nil.
	Substring struct {
		typed
		X      Expr
		Lo, Hi Expr
	}

	// A Unary is a sign or .NOT.
	Unary struct {
		typed
		Op syntax.Op
		X  Expr
	}

	// A Binary is an operator between operands of one type. The exponent of a power may be an integer.
	Binary struct {
		typed
		Op   syntax.Op
		X, Y Expr
	}

	// A Conv converts a number to another type.
	Conv struct {
		typed
		X Expr
	}

	// A Call calls an intrinsic function.
	Call struct {
		typed
		Fn   *Intrinsic
		Args []Expr // in the order of the parameters; nil for omitted ones

		// The instructions for one element of Over, from First up to Last, of a function that sweeps an array. They come before those of the
		// statement, since the value is computed once for all elements that the statement assigns to.
		Over        Expr // nil for other functions
		First, Last int
	}

	// An Invoke calls a function of the program, or a statement function.
	Invoke struct {
		typed
		Sym  *Symbol
		Args []Expr
	}

	// A List is an array constructor.
	List struct {
		typed
		Items []Expr
	}

	// A Loop is an implied loop, in a List or in a list of input or output.
	Loop struct {
		typed
		Items        []Expr
		Var          *Symbol
		Lo, Hi, Step Expr
	}
)

// A Sub is a subscript: an Index, or a section from Lo to Hi by Step. Each part of a section may be nil.
type Sub struct {
	Index        Expr
	Section      bool
	Lo, Hi, Step Expr
}
