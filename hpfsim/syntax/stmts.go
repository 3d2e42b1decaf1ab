package syntax

// A Stmt is an executable statement: one of the types below.
type Stmt interface {
	Position() Pos
	Label() int // 0 for none
}

// A Head is the part that all statements share: the positions of the first and the last character, and the label.
type Head struct {
	Pos
	To  Pos
	Lab int
}

// Label returns the label, 0 for none.
func (h *Head) Label() int { return h.Lab }

// Relabel changes the label.
func (h *Head) Relabel(n int) { h.Lab = n }

// Statements.
type (
	// An Assign assigns to a variable, an element or a section.
	Assign struct {
		Head
		Left, Right Expr
	}

	// A PointerAssign associates a pointer with a target, p => t.
	PointerAssign struct {
		Head
		Left, Right Expr
	}

	// A Nullify dissociates pointers.
	Nullify struct {
		Head
		Pointers []Expr
	}

	// An If has a condition for each block. The condition of a final ELSE is nil.
	If struct {
		Head
		Arms []IfArm
		End  Pos
	}

	// An IfArm is a condition and its block, which is executed if no condition before it holds.
	IfArm struct {
		Pos  Pos
		Cond Expr
		Body []Stmt
	}

	// An ArithmeticIf goes to one of three labels.
	ArithmeticIf struct {
		Head
		Value                    Expr
		Negative, Zero, Positive int
	}

	// A Do is a loop: counted, while a condition holds, or endless if both are nil.
	Do struct {
		Head
		Name        string // of the construct
		Count       *Control
		While       Expr
		Body        []Stmt
		End         Pos
		Independent *Independent
	}

	// An Independent declares that the iterations of a loop do not interfere with each other.
	Independent struct {
		Pos        Pos
		Concurrent bool   // DO CONCURRENT
		Index      []Name // in the old form
		New        []Name
		Reduction  []Name
	}

	// A Select executes the case of a value.
	Select struct {
		Head
		Name  string
		Value Expr
		Cases []Case
		End   Pos
	}

	// A Case is the block for values in its ranges. The default has no ranges.
	Case struct {
		Pos     Pos
		Default bool
		Ranges  []CaseRange
		Body    []Stmt
	}

	// A CaseRange is one value (Hi equals Lo), or all from Lo to Hi. One of the two may be nil.
	CaseRange struct {
		Lo, Hi Expr
		Single bool
	}

	// A Where assigns under a mask.
	Where struct {
		Head
		Arms []WhereArm // the mask of the last may be nil
		End  Pos
	}

	// A WhereArm is a mask and the assignments for elements where it holds and no mask before it does.
	WhereArm struct {
		Pos  Pos
		Mask Expr
		Body []Stmt
	}

	// A Forall assigns for all values of its indices.
	Forall struct {
		Head
		Indices     []Control
		Mask        Expr
		Body        []Stmt
		End         Pos
		Independent *Independent
	}

	// A Goto goes to a label. With a value it goes to the label with that number in the list.
	Goto struct {
		Head
		Labels []int
		Value  Expr
	}

	// A Continue does nothing.
	Continue struct{ Head }

	// A Call calls a subroutine. Labels are its alternate returns.
	Call struct {
		Head
		Proc   Name
		Args   []Arg
		Labels []int
	}

	// A Return ends a procedure. Number is that of an alternate return, nil for none.
	Return struct {
		Head
		Number Expr
	}

	// An Entry is the beginning of another procedure within the unit.
	Entry struct {
		Head
		Unit *Unit // without specifications and statements
	}

	// A Stop ends the program. ERROR STOP ends it with a failure.
	Stop struct {
		Head
		Code   Expr
		Failed bool
	}

	// A Cycle goes to the next iteration. An empty Name means the innermost loop.
	Cycle struct {
		Head
		Name string
	}

	// An Exit leaves a loop.
	Exit struct {
		Head
		Name string
	}

	// A Write writes items: PRINT and WRITE.
	Write struct {
		Head
		IO
	}

	// A Read reads items.
	Read struct {
		Head
		IO
	}

	// A FileStmt is OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE or FLUSH.
	FileStmt struct {
		Head
		Op    string // OPEN, ...
		Unit  Expr   // nil for none
		Specs []Specifier
		Err   int    // ERR=, a label
		Items []Expr // of INQUIRE(IOLENGTH=n)
	}

	// An Allocate allocates arrays, then components, then targets.
	Allocate struct {
		Head
		Type          *Type // ALLOCATE(type :: ...); nil for none
		Arrays        []Entity
		Components    []Allocation
		Targets       []Pooled
		Stat, Message Expr // nil for none
		Source, Mold  Expr
	}

	// An Allocation is a component to allocate, with its bounds.
	Allocation struct {
		Object Expr // a Component or a Selected without subscripts
		Dims   []Dim
	}

	// A Deallocate frees targets, then components, then arrays.
	Deallocate struct {
		Head
		Arrays        []Name
		Components    []Expr // each a Component or a Selected
		Targets       []Pooled
		Quiet         bool // some may not be allocated
		Stat, Message Expr
	}

	// A Pooled is a variable with the numbers of targets in a pool.
	Pooled struct {
		Pool    Name
		Handles Expr
	}

	// An On has the owners of Home execute its body, or the processors of an arrangement unless OfData is set.
	On struct {
		Head
		Home   Expr
		OfData bool
		New    []Name
		Body   []Stmt
		End    Pos
	}

	// A Realign is an executable ALIGN.
	Realign struct {
		Head
		*Align
	}

	// A Redistribute is an executable DISTRIBUTE.
	Redistribute struct {
		Head
		*Distribute
	}
)

// Position returns the position of the statement.
func (s *Realign) Position() Pos { return s.Head.Pos }

// Position returns the position of the statement.
func (s *Redistribute) Position() Pos { return s.Head.Pos }

// An IO is the part that PRINT, WRITE and READ share.
type IO struct {
	Unit          Expr // nil for the default
	List          bool // FMT is *
	FormatLabel   int  // of a FORMAT statement
	Format        *Format
	Dynamic       Expr  // a computed format, or the name of a group of NAMELIST
	Group         *Name // NML=
	End, Err, Eor int   // labels
	Specs         []Specifier
	Items         []Expr
}

// A Specifier is KEY=value among the controls of input and output. Its Text is the key.
type Specifier struct {
	Name
	Value Expr
}

// A Format is a format specification.
type Format struct {
	Pos   Pos
	Items []FormatItem
}

// A FormatItem is an edit descriptor, or a group of them. The letter determines its fields:
//
//	I Z        Width, Digits; Z has the radix as its second letter: Z, O or B
//	F E D G    Width, Digits, Exponent; E has the second letter S or N in ES and EN
//	A L        Width
//	X T P      Count: blanks, a column (T) or a distance (TL, TR), and a scale factor
//	S B        second letter: SP and SS, BN and BZ
//	'          Text
//	(          Group
//	/ :        nothing
type FormatItem struct {
	Edit, Sub byte // the letter and the second letter
	Repeat    int  // 0 if not given

	Width, Digits, Exponent int // -1 if not given; Digits of I is the least number of digits, Exponent the number of digits
	Count                   int
	Text                    string
	Group                   []FormatItem
}
