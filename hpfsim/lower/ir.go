// Package lower gives the statements of an HPF program their meaning.
//
// Program resolves a file: every name becomes a Symbol, every expression has a type and a rank, every conversion stands in the tree, and
// constants are folded. It finds out how arrays lie on the processors (place.go), and by that what a statement has to send: nothing where
// what it reads lies with what it writes, a shift of the edges of blocks, a broadcast, a reduction, or an exchange of sections
// (communicate.go). Each statement becomes instructions of a pseudo-assembler with costs (assemble.go), which is what samples point at, and
// what Listing prints.
//
// The rule is owner computes: whoever owns what a statement writes does it. Variables that are not mapped are on every processor, and every
// processor computes them.
package lower

import "whorl/hpfsim/syntax"

// A Program is a file whose names are resolved, for a number of processors.
type Program struct {
	File       *syntax.File
	Processors int
	Units      []*Unit // internal procedures behind the unit that contains them
	Main       *Unit
	Blocks     map[string]*Block // of COMMON
}

// A Unit is a main program or a procedure.
type Unit struct {
	*syntax.Unit
	Host    *Unit // of an internal procedure
	Symbols []*Symbol
	Params  []*Symbol
	Out     *Symbol // result of a function
	Body    []Stmt
	Code    []Instruction
	names   map[string]*Symbol
	units   map[string]*Unit // internal procedures
	rules   [26]Type         // of IMPLICIT, by first letters
	strict  bool             // IMPLICIT NONE
	closed  closing
}

// A Class tells symbols apart.
type Class uint8

// The classes.
const (
	Variable Class = iota
	Constant
	Procedure
	StatementFunction
	TemplateName
	GridName
)

// A Symbol is what a name stands for in a unit.
type Symbol struct {
	Name   string
	At     syntax.Pos
	Class  Class
	Type   Type
	Length Expr // of characters; nil is assumed from the argument or the constant
	Bounds []Bound
	Unit   *Unit // whose variable it is, nil for a procedure
	Index  int   // among the unit's variables

	Dummy       int // place among the arguments, from 1; 0 for none
	Intent      string
	Optional    bool
	Allocatable bool
	Saved       bool
	Dynamic     bool
	Block       *Block // COMMON, nil for none
	Segment     int    // of the block
	Start       int    // its first element there
	Value       Value  // of a constant, or the first one of a variable
	Elements    []Value
	Initial     []Init

	Func   *Func       // a statement function
	Proc   *Unit       // a procedure of this program
	Native *Intrinsic  // an intrinsic procedure
	Place  *Placement  // how it lies; nil is on every processor
	Outer  *Placement  // how an argument of an HPF_LOCAL subroutine lies for its caller
	Grid   *Grid       // an arrangement of processors
	typed  bool        // declared, not by the rules of IMPLICIT
	spec   syntax.Spec // that declares it, for errors
}

// Rank is the number of dimensions.
func (s *Symbol) Rank() int { return len(s.Bounds) }

// A Bound is the bounds of a dimension; Hi is nil for a deferred, assumed or unknown one.
type Bound struct{ Lo, Hi Expr }

// An Init gives an element its first value. At is the place in the order of Fortran's arrays.
type Init struct {
	At    int
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
	Pos() syntax.Pos
}

type typed struct {
	T  Type
	N  int // rank
	At syntax.Pos
}

// Type returns the type of the expression's value, or of its elements.
func (t *typed) Type() Type { return t.T }

// Rank returns the number of dimensions, 0 for a scalar.
func (t *typed) Rank() int { return t.N }

// Pos returns where the expression stands.
func (t *typed) Pos() syntax.Pos { return t.At }

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

	// A Binary is an operator between operands of one type, but for powers, whose exponent may be an integer.
	Binary struct {
		typed
		Op   syntax.Op
		X, Y Expr
	}

	// A Conv brings a number to another type.
	Conv struct {
		typed
		X Expr
	}

	// A Call calls an intrinsic function.
	Call struct {
		typed
		Fn   *Intrinsic
		Args []Expr // as the function names them; nil where one is left out
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

	// A Loop is items that are repeated, in a List, or in a list of input or output.
	Loop struct {
		typed
		Items        []Expr
		Var          *Symbol
		Lo, Hi, Step Expr
	}
)

// A Sub is a subscript: an index (At), or a section from Lo to Hi by Step, each of which may be nil.
type Sub struct {
	At           Expr
	Section      bool
	Lo, Hi, Step Expr
}

// A Stmt is an executable statement.
type Stmt interface {
	Info() *Stat
}

// A Stat is what all statements have.
type Stat struct {
	At    syntax.Pos
	Label int
	First int // of its instructions, in the unit's code
	Last  int // behind them
	Comms []Comm
}

// Info returns the statement's place, label, instructions and communication.
func (s *Stat) Info() *Stat { return s }

// Statements.
type (
	// An Assign gives Left, a Ref, Element or Substring, a value.
	Assign struct {
		Stat
		Left, Right Expr
	}

	// An If does the first body whose condition holds; the last condition may be nil.
	If struct {
		Stat
		Conds  []Expr
		Bodies [][]Stmt
		Tests  []Stat // a condition's instructions
	}

	// An Arithmetic goes to a label by the sign of a value.
	Arithmetic struct {
		Stat
		Value  Expr
		Labels [3]int
	}

	// A Do is a loop: counted where Var is there, while Cond holds where that is, else for ever.
	Do struct {
		Stat
		Name         string
		Var          *Symbol
		Lo, Hi, Step Expr
		Cond         Expr
		Body         []Stmt
		End          Stat // the instructions of going round
		Parallel     *Parallel
	}

	// A Select chooses by a value.
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
		Promised       bool // INDEPENDENT
	}

	// A Goto goes to a label, or to one of several by a value.
	Goto struct {
		Stat
		Labels []int
		Value  Expr
	}

	// A Nothing is CONTINUE.
	Nothing struct{ Stat }

	// A Subcall calls a subroutine, of the program or intrinsic.
	Subcall struct {
		Stat
		Proc   *Symbol
		Native *Intrinsic
		Args   []Expr
	}

	// A Leave is RETURN, STOP, CYCLE or EXIT.
	Leave struct {
		Stat
		Kind  Leaving
		Name  string // of the loop
		Value Expr   // of STOP
	}

	// An Output is PRINT or WRITE, an Input is READ.
	Output struct {
		Stat
		*syntax.IO
		Unit, Dynamic, Advance Expr
		Status                 Expr
		Items                  []Expr
	}

	// An Input is READ.
	Input struct {
		Stat
		*syntax.IO
		Unit, Dynamic Expr
		Status        Expr
		Items         []Expr
	}

	// An Allocate makes arrays.
	Allocate struct {
		Stat
		Arrays []*Symbol
		Bounds [][]Bound
		Status Expr
	}

	// A Deallocate unmakes them.
	Deallocate struct {
		Stat
		Arrays []*Symbol
		Status Expr
	}

	// A Remap is REALIGN or REDISTRIBUTE.
	Remap struct {
		Stat
		Arrays []*Symbol
		To     *Placement
	}
)

// A Leaving is what a Leave does.
type Leaving uint8

// The ways to leave.
const (
	Return Leaving = iota
	Stop
	Cycle
	Exit
)

// A Case is done for values in its ranges, the default one where none has them.
type Case struct {
	Default bool
	Ranges  []Range
	Body    []Stmt
}

// A Range is the values from Lo to Hi, either of which may be nil.
type Range struct{ Lo, Hi Expr }

// A Parallel is why the iterations of a loop may run at the same time.
type Parallel struct {
	Promised  bool      // INDEPENDENT; else it was proved
	Home      *Element  // whose owner does an iteration
	Index     int       // the subscript of Home that the loop's variable is in
	Private   []*Symbol // NEW, and what was found to be written before it is read
	Sometimes []*Symbol // those of Private that some iterations do not write: the last one that does leaves its value
	Reduction []*Symbol
}
