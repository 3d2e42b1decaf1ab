package lower

import "whorl/hpfsim/syntax"

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

	// An Allocate allocates arrays, then targets.
	Allocate struct {
		Stat
		Arrays          []*Symbol
		Bounds          [][]Bound
		Lengths         []Expr // of characters; nil for the declared length
		Targets         []Pooled
		Status, Message Expr // nil if they are not given
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

	// A Deallocate frees targets, then arrays.
	Deallocate struct {
		Stat
		Arrays          []*Symbol
		Targets         []Pooled
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

// A Pooled is a variable, or an array of them, with the handles of targets in a pool.
type Pooled struct {
	*Pool
	Handles Expr
}

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
