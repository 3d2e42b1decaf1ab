package syntax

// Specifications.
type (
	// A Spec is a specification statement or directive: one of the types below.
	Spec interface{ Position() Pos }

	// A Declare declares entities of a type.
	Declare struct {
		Pos
		Type     *Type // nil in a DIMENSION, ALLOCATABLE, SAVE, INTENT, EXTERNAL, INTRINSIC, OPTIONAL statement
		Attrs    Attr
		Dims     []Dim // by DIMENSION among the attributes
		Intent   string
		Holds    *Held // what the elements of an array of arrays hold; nil for others
		Entities []Entity
	}

	// A Held is the attributes and the number of dimensions of the arrays that an array of arrays holds.
	Held struct {
		Attrs Attr
		Rank  int
	}

	// An Entity is a declared name.
	Entity struct {
		Name
		Dims []Dim
		Len  Expr // the length of characters, if it differs from that of the type
		Init Expr
	}

	// Parameters are named constants.
	Parameters struct {
		Pos
		Names  []Name
		Values []Expr
	}

	// A Data gives variables their initial values.
	Data struct {
		Pos
		Sets []DataSet
	}

	// A DataSet is names, elements or implied loops, and the values for them.
	DataSet struct {
		Targets []Expr
		Values  []DataValue
	}

	// A DataValue is a value that is repeated; Repeat is nil for 1.
	DataValue struct{ Repeat, Value Expr }

	// An Implicit is IMPLICIT NONE, without rules, or IMPLICIT with rules by first letters.
	Implicit struct {
		Pos
		Rules []ImplicitRule
	}

	// An ImplicitRule gives a type to names that begin with a letter in a range.
	ImplicitRule struct {
		Type   *Type
		Ranges [][2]byte
	}

	// A Common is one COMMON block; "" is the blank block.
	Common struct {
		Pos
		Block    string
		Entities []Entity
	}

	// A Pool declares arrays with an element, or a column, for each target of pointers. Live tells which targets exist; each part has an array, and a
	// variable with the default value. No source has pools: they replace derived types whose objects refer to each other.
	Pool struct {
		Pos
		Live  Name
		Parts []Part
	}

	// A Part is a component of the targets of a Pool.
	Part struct{ Array, Default Name }

	// An Equivalence lays variables and elements over each other: those of each set begin at one place.
	Equivalence struct {
		Pos
		Sets [][]Expr
	}

	// A Namelist is one group of NAMELIST.
	Namelist struct {
		Pos
		Group Name
		Vars  []Name
	}

	// An Interface declares procedures that are defined elsewhere. A generic one makes them known under another name too.
	Interface struct {
		Pos
		Generic    Name // "" for none, or a name, OPERATOR(+), OPERATOR(.name.), ASSIGNMENT(=)
		Units      []*Unit
		Procedures []Name // of MODULE PROCEDURE
	}

	// An Abstract declares interfaces for PROCEDURE(interface).
	Abstract struct {
		Pos
		Units []*Unit
	}

	// A Like declares arguments that are procedures, PROCEDURE(interface) :: names.
	Like struct {
		Pos
		Interface Name
		Optional  bool
		Names     []Name
	}

	// A StatementFunction is a function of one expression. If its name is an array of a host or a module it is an assignment.
	StatementFunction struct {
		Name
		Params []Name
		Value  Expr
		head   Head
	}

	// A Processors declares arrangements of processors.
	Processors struct {
		Pos
		Entities []Entity
	}

	// A Template declares index spaces that arrays are aligned with.
	Template struct {
		Pos
		Entities []Entity
	}

	// An Align aligns the elements of arrays with those of another array or a template.
	Align struct {
		Pos
		Arrays  []Name
		Source  []AlignDummy // nil for ALIGN WITH T :: A, which means all dimensions in order
		Target  Name
		Targets []Arg    // subscripts of the target; nil means all in order
		Others  []*Align // the other arrays of ALIGN A(i), B(i) WITH T(i), with the same target
	}

	// An AlignDummy is a dimension of an aligned array: a dummy variable, "*" (collapsed) or ":" (in order).
	AlignDummy = Name

	// A Distribute distributes dimensions over processors. Without formats the compiler chooses them, or Kept says that a
	// dummy argument keeps the mapping of the actual one.
	Distribute struct {
		Pos
		Arrays  []Name
		Formats []DistFormat
		Onto    *Name
		Kept    bool
	}

	// An Inherit names dummy arguments that keep the mapping of the actual ones.
	Inherit struct {
		Pos
		Names []Name
	}

	// A Shadow declares the widths of the edges that processors keep of their neighbours.
	Shadow struct {
		Pos
		Entities []Entity
	}

	// A Ranged lists the distributions that arrays may have.
	Ranged struct {
		Pos
		Names   []Name
		Formats [][]DistFormat
	}

	// A Dynamic names arrays that may be remapped.
	Dynamic struct {
		Pos
		Names []Name
	}

	// An Advice is a directive without effect here, such as SEQUENCE.
	Advice struct {
		Pos
		Text string
	}
)
