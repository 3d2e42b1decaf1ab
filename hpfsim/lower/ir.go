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

// A Stmt is an executable statement.
type Stmt interface {
	Info() *Stat
}

// A Stat is the part that all statements share.
type Stat struct {
	Pos   syntax.Pos
	Label int
	First int // first instruction in the unit's code
	Last  int // the instruction after the last
	Comms []Comm

	Sweeps bool // its expressions have calls that sweep arrays
}

// Info returns the statement's position, label, instructions and messages.
func (s *Stat) Info() *Stat { return s }

// Statements.
type (
	// An Assign assigns to Left, a Ref, Element or Substring.
	Assign struct {
		Stat
		Left, Right Expr
	}

	// An If executes the first body whose condition holds. The last condition may be nil.
	If struct {
		Stat
		Conds  []Expr
		Bodies [][]Stmt
		Tests  []Stat // the instructions of the conditions
	}

	// An Arithmetic goes to a label by the sign of a value.
	Arithmetic struct {
		Stat
		Value  Expr
		Labels [3]int
	}

	// A Do is a loop: counted if Var is set, while Cond holds if Cond is set, else endless.
	Do struct {
		Stat
		Name         string
		Var          *Symbol
		Lo, Hi, Step Expr
		Cond         Expr
		Body         []Stmt
		End          Stat // the instructions at the end of an iteration
		Parallel     *Parallel
		Why          *Reason // why the iterations are not shared out; nil if they are
	}

	// An On has the owners of Home execute its body, or those processors of Grid that Home selects.
	On struct {
		Stat
		Home *Element // Sym is a variable, a template, or the name of Grid; nil for all of Grid
		Grid *Grid    // nil for data
		Body []Stmt
		Sent []*Symbol // scalars of all processors that the body assigns
	}

	// A Select executes the case of a value.
	Select struct {
		Stat
		Value Expr
		Cases []Case
	}

	// A Where assigns under masks.
	Where struct {
		Stat
		Masks  []Expr // the last may be nil
		Bodies [][]Stmt
	}

	// A Forall assigns for all values of indices.
	Forall struct {
		Stat
		Vars           []*Symbol
		Los, His, Step []Expr // a step may be nil
		Mask           Expr
		Body           []Stmt
		Promised       bool // declared INDEPENDENT
	}

	// A Goto goes to a label, or to the label whose number is Value.
	Goto struct {
		Stat
		Labels []int
		Value  Expr
	}

	// A Nothing is CONTINUE.
	Nothing struct{ Stat }

	// A Subcall calls a subroutine of the program (Proc) or an intrinsic one (Native).
	Subcall struct {
		Stat
		Proc   *Symbol
		Native *Intrinsic
		Args   []Expr
		Labels []int // of alternate returns
	}

	// A Leave is RETURN, STOP, CYCLE or EXIT.
	Leave struct {
		Stat
		Kind   Leaving
		Name   string // of the loop
		Value  Expr   // of STOP; the number of an alternate return
		Failed bool   // ERROR STOP
	}

	// An Output is PRINT or WRITE.
	Output struct {
		Stat
		*Controls
		Items []Expr
	}

	// An Input is READ.
	Input struct {
		Stat
		*Controls
		Items []Expr
	}

	// A FileStmt is OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE or FLUSH.
	FileStmt struct {
		Stat
		Op    string // OPEN, ...
		Unit  Expr   // nil for none
		Specs []Specifier
		Err   int    // a label
		Items []Expr // of INQUIRE(IOLENGTH=n)
	}

	// An Allocate allocates arrays.
	Allocate struct {
		Stat
		Arrays          []*Symbol
		Bounds          [][]Bound
		Lengths         []Expr // of characters; nil for the declared length
		Status, Message Expr   // nil if they are not given
	}

	// An Associate makes a pointer a view of its target, or of nothing if Target is nil.
	Associate struct {
		Stat
		Sym    *Symbol
		Target Expr // a Ref or an Element
	}

	// A Define assigns to a scalar that is ALLOCATABLE, and allocates it where it is not.
	Define struct {
		Stat
		Sym   *Symbol
		Value Expr
	}

	// A Deallocate frees arrays.
	Deallocate struct {
		Stat
		Arrays          []*Symbol
		Status, Message Expr
		Quiet           bool // some may not be allocated
	}

	// A Remap is REALIGN or REDISTRIBUTE.
	Remap struct {
		Stat
		Arrays []*Symbol
		To     []*Placement // by array
	}
)

// A Leaving is the kind of a Leave.
type Leaving uint8

// The kinds of Leave.
const (
	Return Leaving = iota
	Stop
	Cycle
	Exit
)

// Controls are the part that PRINT, WRITE and READ share.
type Controls struct {
	*syntax.IO
	Unit, Dynamic Expr
	Specs         []Specifier
	Names         *Group // nil without NAMELIST
}

// A Specifier is KEY=value among the controls of input and output.
type Specifier struct {
	Key   string
	Value Expr
	Out   bool // the statement defines the value, which is a variable
}

// Specified returns the value of a specifier, nil for none.
func Specified(specs []Specifier, key string) Expr {
	for _, s := range specs {
		if s.Key == key {
			return s.Value
		}
	}
	return nil
}

// A Group is a group of NAMELIST.
type Group struct {
	Name string
	Vars []*Ref
}

// A Case is the body for values in its ranges. The default case is for values that are in no range.
type Case struct {
	Default bool
	Ranges  []Range
	Body    []Stmt
}

// A Range is the values from Lo to Hi. One of them may be nil.
type Range struct{ Lo, Hi Expr }

// A Parallel describes a loop whose iterations may run at the same time.
type Parallel struct {
	Promised   bool      // declared INDEPENDENT; else proved
	Concurrent bool      // DO CONCURRENT
	_          bool      // declared INDEPENDENT
	Proved     bool      // no iteration uses what another one writes, whatever the values are
	Home       *Element  // its owner executes an iteration; nil if every processor executes all
	Index      int       // the subscript of Home with the loop's variable
	Private    []*Symbol // scalars named by NEW, or written before they are read
	Sometimes  []*Symbol // those of Private that some iterations do not write; they keep the value of the last iteration that does
	Reduction  []*Symbol
}
