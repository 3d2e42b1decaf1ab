package syntax

// A File is a source as it was read.
type File struct {
	Name, Text string
	Form       Form
	Units      []*Unit
	Included   []Included // other files of the program, in the order in which they are included or added
}

// An Included is a file that another includes, or one that was added to it.
type Included struct{ Name, Text string }

// A UnitKind tells program units apart.
type UnitKind uint8

// The kinds of program units.
const (
	Program UnitKind = iota
	Subroutine
	Function
)

// A Unit is a main program, a subroutine or a function.
type Unit struct {
	Kind      UnitKind
	Name      string // "MAIN" where a main program has none
	At, End   Pos    // of the name, and of the END statement
	Params    []Name // dummy arguments; "*" stands for an alternate return, which no subset has
	Result    string // the variable of a function's result
	Type      *Type  // of a function, where its first statement says so
	Pure      bool
	Recursive bool
	Local     bool // EXTRINSIC(HPF_LOCAL): runs on each processor by itself
	Specs     []Spec
	Body      []Stmt
	Formats   map[int]*Format
	Contains  []*Unit
}

// A Name is a name at a place.
type Name struct {
	Text string
	At   Pos
}

// Expressions.
type (
	// An Expr is an expression: one of the types below.
	Expr interface{ Pos() Pos }

	// A Var is a name that stands alone.
	Var struct{ Name }

	// An Int is an integer constant. Kind is what stands behind its underscore.
	Int struct {
		At    Pos
		Value int64
		Kind  string
	}

	// A Real is a real constant, with its text. Double says that its exponent is a D.
	Real struct {
		At     Pos
		Text   string
		Double bool
		Kind   string
	}

	// A Complex is a complex constant.
	Complex struct {
		At     Pos
		Re, Im Expr
	}

	// A Logical is .TRUE. or .FALSE.
	Logical struct {
		At    Pos
		Value bool
	}

	// A Str is a character constant.
	Str struct {
		At    Pos
		Value string
	}

	// A Unary is an operator before an expression.
	Unary struct {
		At Pos
		Op Op
		X  Expr
	}

	// A Paren is an expression in parentheses.
	Paren struct {
		At Pos
		X  Expr
	}

	// A Binary is an operator between two.
	Binary struct {
		At   Pos // of the operator
		Op   Op
		X, Y Expr
	}

	// An Apply is a name with something in parentheses: an element or a section of an array, or a call of a function.
	Apply struct {
		Name
		Args []Arg
	}

	// A Substring is part of a character variable or of an element of an array of them. Lo and Hi may be nil.
	Substring struct {
		X      Expr
		Lo, Hi Expr
	}

	// A Section is a subscript with colons. Each part may be nil.
	Section struct {
		At           Pos
		Lo, Hi, Step Expr
	}

	// A Star is a * where a subscript, a bound or an argument may stand.
	Star struct{ At Pos }

	// A Constructor is an array constructor, (/ ... /).
	Constructor struct {
		At    Pos
		Items []Expr
	}

	// An ImpliedDo is a list that is repeated, in an array constructor, DATA, or a list of input or output.
	ImpliedDo struct {
		At    Pos
		Items []Expr
		Control
	}
)

// A Control is what makes a DO go round. Step may be nil.
type Control struct {
	Var          Name
	Lo, Hi, Step Expr
}

// An Arg is an argument, a subscript or a Section.
type Arg struct {
	Keyword string // "" for none
	Value   Expr
}

// Pos returns where the name stands.
func (n Name) Pos() Pos { return n.At }

// Pos returns the place of the expression.
func (e *Int) Pos() Pos         { return e.At }
func (e *Real) Pos() Pos        { return e.At }
func (e *Complex) Pos() Pos     { return e.At }
func (e *Logical) Pos() Pos     { return e.At }
func (e *Str) Pos() Pos         { return e.At }
func (e *Unary) Pos() Pos       { return e.At }
func (e *Paren) Pos() Pos       { return e.At }
func (e *Binary) Pos() Pos      { return e.X.Pos() }
func (e *Substring) Pos() Pos   { return e.X.Pos() }
func (e *Section) Pos() Pos     { return e.At }
func (e *Star) Pos() Pos        { return e.At }
func (e *Constructor) Pos() Pos { return e.At }
func (e *ImpliedDo) Pos() Pos   { return e.At }

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
)

var typeNames = [...]string{"no type", "integer", "real", "double precision", "complex", "logical", "character"}

// String returns the type's name.
func (t BaseType) String() string { return typeNames[t] }

// A Type is a type with its kind.
type Type struct {
	At   Pos
	Base BaseType
	Kind Expr // nil for the default; DOUBLE PRECISION and REAL*8 are DoubleType
	Len  Expr // of characters; nil for 1, a Star for *
}

// A Dim is the bounds of a dimension. Lo is nil for 1; Hi is nil for a deferred or assumed shape, a Star for an assumed size.
type Dim struct{ Lo, Hi Expr }

// Specifications.
type (
	// A Spec is a specification statement or directive: one of the types below.
	Spec interface{ Pos() Pos }

	// A Declare declares entities of a type.
	Declare struct {
		At       Pos
		Type     *Type // nil in a DIMENSION, ALLOCATABLE, SAVE, INTENT, EXTERNAL, INTRINSIC, OPTIONAL statement
		Attrs    Attr
		Dims     []Dim // by DIMENSION among the attributes
		Intent   string
		Entities []Entity
	}

	// An Entity is a name that is declared.
	Entity struct {
		Name
		Dims []Dim
		Len  Expr // of characters, where it has its own
		Init Expr
	}

	// Parameters are named constants.
	Parameters struct {
		At     Pos
		Names  []Name
		Values []Expr
	}

	// A Data gives variables their first values.
	Data struct {
		At   Pos
		Sets []DataSet
	}

	// A DataSet is names, elements or implied loops, and the values for them.
	DataSet struct {
		Targets []Expr
		Values  []DataValue
	}

	// A DataValue is a value that stands Repeat times; nil is once.
	DataValue struct{ Repeat, Value Expr }

	// An Implicit is IMPLICIT NONE, with no rules, or rules by first letters.
	Implicit struct {
		At    Pos
		Rules []ImplicitRule
	}

	// An ImplicitRule gives names that begin with letters from a range a type.
	ImplicitRule struct {
		Type   *Type
		Ranges [][2]byte
	}

	// A Common is one block of COMMON; "" is blank common.
	Common struct {
		At       Pos
		Block    string
		Entities []Entity
	}

	// An Interface declares procedures that stand elsewhere.
	Interface struct {
		At    Pos
		Units []*Unit
	}

	// A StatementFunction is a function of one expression.
	StatementFunction struct {
		Name
		Params []Name
		Value  Expr
	}

	// A Processors declares arrangements of processors.
	Processors struct {
		At       Pos
		Entities []Entity
	}

	// A Template declares index spaces that arrays are aligned with.
	Template struct {
		At       Pos
		Entities []Entity
	}

	// An Align says where elements of arrays lie, relative to another array or a template.
	Align struct {
		At      Pos
		Arrays  []Name
		Source  []AlignDummy // nil for ALIGN WITH T :: A, where it is all dimensions in order
		Target  Name
		Targets []Arg    // subscripts of the target; nil is all in order
		Others  []*Align // of the same directive, with the same target: ALIGN A(i), B(i) WITH T(i)
	}

	// An AlignDummy is a dimension of an array that is aligned: a dummy variable, or * or : ("*" is collapsed, ":" in order).
	AlignDummy = Name

	// A Distribute says how dimensions are spread over processors.
	Distribute struct {
		At      Pos
		Arrays  []Name
		Formats []DistFormat
		Onto    *Name
	}

	// A Dynamic names arrays that may be mapped anew.
	Dynamic struct {
		At    Pos
		Names []Name
	}

	// An Advice is a directive that changes nothing in this machine, such as SEQUENCE or INHERIT.
	Advice struct {
		At   Pos
		Text string
	}
)

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
)

// A DistKind is how a dimension is distributed.
type DistKind uint8

// The distributions.
const (
	Collapsed DistKind = iota // *
	Block
	Cyclic
)

// A DistFormat is the distribution of a dimension, with the size of its blocks where that is given.
type DistFormat struct {
	Kind DistKind
	Size Expr
	At   Pos
}

// Pos returns the place of the specification.
func (s *Declare) Pos() Pos    { return s.At }
func (s *Parameters) Pos() Pos { return s.At }
func (s *Data) Pos() Pos       { return s.At }
func (s *Implicit) Pos() Pos   { return s.At }
func (s *Common) Pos() Pos     { return s.At }
func (s *Interface) Pos() Pos  { return s.At }
func (s *Processors) Pos() Pos { return s.At }
func (s *Template) Pos() Pos   { return s.At }
func (s *Align) Pos() Pos      { return s.At }
func (s *Distribute) Pos() Pos { return s.At }
func (s *Dynamic) Pos() Pos    { return s.At }
func (s *Advice) Pos() Pos     { return s.At }
