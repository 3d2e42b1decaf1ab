package syntax

import "sync"

// A File is a parsed source.
type File struct {
	Name, Text string
	Form       Form
	Units      []*Unit
	Included   []Included // other files of the program, in the order of inclusion

	once    sync.Once
	changed Errors // errors that the function of Once has returned
}

// An Included is a file that is included by another, or added to the program with Add.
type Included struct{ Name, Text string }

// A UnitKind is the kind of a program unit.
type UnitKind uint8

// The kinds of program units.
const (
	Program UnitKind = iota
	Subroutine
	Function
	Module
	BlockData
)

var unitKinds = [...]string{"program", "subroutine", "function", "module", "block data"}

// String returns the keyword of the unit, in lower case.
func (k UnitKind) String() string { return unitKinds[k] }

// Executable reports whether units of the kind have statements.
func (k UnitKind) Executable() bool { return k != Module && k != BlockData }

// A Unit is a main program, a subroutine, a function, a module or BLOCK DATA.
type Unit struct {
	Kind      UnitKind
	Name      string // "MAIN" for a main program without a name
	Pos, End  Pos    // of the name, and of the END statement
	Params    []Name // dummy arguments without alternate returns
	Returns   int    // number of alternate returns, *
	Result    string // the variable that holds a function's result
	Type      *Type  // of a function, if its first statement declares it
	Pure      bool
	Elemental bool // it is pure too unless it is IMPURE
	Recursive bool
	Local     bool // EXTRINSIC(HPF_LOCAL): runs on each processor by itself
	Serial    bool // EXTRINSIC(HPF_SERIAL): runs on one processor
	Specs     []Spec
	Body      []Stmt
	Formats   map[int]*Format
	Contains  []*Unit
	applied   map[string]bool
}

// Applies reports whether a name has arguments or subscripts in the unit or in a procedure within it.
func (u *Unit) Applies(name string) bool { return u.applied[name] }

// A Name is a name with its position.
type Name struct {
	Text string
	Pos
}

// Expressions.
type (
	// An Expr is an expression: one of the types below.
	Expr interface{ Position() Pos }

	// A Var is a name without arguments or subscripts.
	Var struct{ Name }

	// An Int is an integer constant. Kind is the text after an underscore, as in 1_8.
	Int struct {
		Pos
		Value int64
		Kind  string
	}

	// A Real is a real constant with its text. Double is set for an exponent with the letter D.
	Real struct {
		Pos
		Text   string
		Double bool
		Kind   string
	}

	// A Complex is a complex constant.
	Complex struct {
		Pos
		Re, Im Expr
	}

	// A Logical is .TRUE. or .FALSE.
	Logical struct {
		Pos
		Value bool
	}

	// A Boz is a constant of bits, as in Z'FF' or 'FF'X.
	Boz struct {
		Pos
		Bits uint64
	}

	// A Str is a character constant.
	Str struct {
		Pos
		Value string
	}

	// A Unary is an operator before an expression.
	Unary struct {
		Pos
		Op Op
		X  Expr
	}

	// A Paren is an expression in parentheses.
	Paren struct {
		Pos
		X Expr
	}

	// A Binary is an operator between two expressions.
	Binary struct {
		OpPos Pos
		Op    Op
		X, Y  Expr
	}

	// A Defined is an operator of the program: Op is its name between points. X is nil for one before an operand.
	Defined struct {
		OpPos Pos
		Op    string
		X, Y  Expr
	}

	// An Apply is a name with arguments: an element or a section of an array, or a call of a function.
	Apply struct {
		Name
		Args []Arg
	}

	// A Substring is part of a character variable or array element. Lo and Hi may be nil.
	Substring struct {
		X      Expr
		Lo, Hi Expr
	}

	// A Section is a subscript with colons. Each part may be nil.
	Section struct {
		Pos
		Lo, Hi, Step Expr
	}

	// A Selected is an array, or a scalar, that an element of an array of arrays holds: a component that is ALLOCATABLE or a POINTER. No source has it.
	Selected struct {
		Name
		Holder Expr  // the element
		Args   []Arg // subscripts; nil for the whole
	}

	// A Star is a * used as a subscript, a bound or an argument.
	Star struct{ Pos }

	// A Constructor is an array constructor, (/ ... /).
	Constructor struct {
		Pos
		Type  *Type // [type :: ...]; nil for the type of the items
		Items []Expr
	}

	// An ImpliedDo is a list that is repeated: in an array constructor, in DATA, or in a list of input or output.
	ImpliedDo struct {
		Pos
		Items []Expr
		Control
	}
)

// A Control is the variable of a DO with its bounds. Step may be nil.
type Control struct {
	Var          Name
	Lo, Hi, Step Expr
}

// An Arg is an argument, a subscript or a Section.
type Arg struct {
	Keyword string // "" for none
	Value   Expr
}

// Position returns the position of the left operand, where the expression begins.
func (e *Binary) Position() Pos { return e.X.Position() }

// Position returns the position of the left operand, or of an operator before its operand.
func (e *Defined) Position() Pos {
	if e.X == nil {
		return e.OpPos
	}
	return e.X.Position()
}

// Position returns the position of the variable.
func (e *Substring) Position() Pos { return e.X.Position() }

// An Op is an operator.
type Op uint8

// The operators.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Pow
	Concat
	EQ
	NE
	LT
	LE
	GT
	GE
	And
	Or
	Not
	Eqv
	Neqv
)

var opNames = [...]string{"+", "-", "*", "/", "**", "//", "==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".not.", ".eqv.", ".neqv."}

// String returns the operator as Fortran 90 writes it.
func (o Op) String() string { return opNames[o] }

// A BaseType is one of the intrinsic types.
type BaseType uint8

// The types.
const (
	NoType BaseType = iota
	IntegerType
	RealType
	DoubleType
	ComplexType
	LogicalType
	CharacterType
	StructureType // a derived type
)

var typeNames = [...]string{"no type", "integer", "real", "double precision", "complex", "logical", "character", "derived type"}

// String returns the type's name.
func (t BaseType) String() string { return typeNames[t] }

// A Type is a type with its kind.
type Type struct {
	Pos  Pos
	Base BaseType
	Kind Expr // nil for the default kind; DOUBLE PRECISION and REAL*8 have the base DoubleType
	Len  Expr // the length of characters; nil for 1, a Star for *
	Of   Name // the derived type; of an integer, the pool whose handles it has
}

// A Dim is the bounds of a dimension. Lo is nil for 1; Hi is nil for a deferred or assumed shape, a Star for an
// assumed size.
type Dim struct{ Lo, Hi Expr }

// An Attr is a set of attributes.
type Attr uint16

// The attributes.
const (
	AttrParameter Attr = 1 << iota
	AttrAllocatable
	AttrSave
	AttrExternal
	AttrIntrinsic
	AttrOptional
	AttrPublic
	AttrPrivate
	AttrProtected
	AttrValue
	AttrPointer
	AttrTarget
)

// Assignment returns the statement as an assignment to an element of an array, for a name that turns out to be an array.
func (f *StatementFunction) Assignment() *Assign {
	left := &Apply{Name: f.Name}
	for _, p := range f.Params {
		left.Args = append(left.Args, Arg{Value: &Var{p}})
	}
	return &Assign{f.head, left, f.Value}
}

// A DistKind is the way a dimension is distributed.
type DistKind uint8

// The distributions.
const (
	Collapsed DistKind = iota // *
	Block
	Cyclic
	GenBlock // in blocks of given sizes
	Indirect // by a table of owners
)

// A DistFormat is the distribution of a dimension. Size is the size of its blocks, nil for the default, or the array of
// GEN_BLOCK and INDIRECT.
type DistFormat struct {
	Kind DistKind
	Size Expr
	Pos  Pos
}
