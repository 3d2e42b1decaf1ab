package compile

import (
	"fmt"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// An Op is the operation of an instruction.
type Op uint8

// The opcodes. Each is documented as
//
//	before opcode<operands> after
//
// Before lists the operands that the instruction reads. Operands names the fields of Ins that it uses. After is the
// state at the next instruction, or the place where execution continues. A dash stands for nothing. In before and
// after, A, B and C are the values of these registers, and Args is the values of N registers. A test continues at Fail when it does not
// hold, at Blocked after it has noted the unbound variable that it needs, and at Type when an operand is not a number
// of its kind. An Arith without Type reports an error at Site instead.
//
// The passive part of a procedure only reads the arguments. The active part, behind Commit, writes.
const (
	Invalid Op = iota // -  invalid<>  -

	// passive
	Switch       // A     switch<A K>                             continues at the label of Tables[K] for A
	LoadList     // A     load.list<A B>                          B, B+1 = head, tail of the list A
	LoadArgs     // A     load.args<A B N>                        B..B+N-1 = arguments of the structure A
	IsBound      // A     bound<A Fail Blocked>                   wait(A)
	IsInt        // A     integer<A Fail Blocked>                 integer(A)
	IsAtom       // A     atom<A Fail Blocked>                    atom(A)
	IsList       // A     list<A Fail Blocked>                    list(A); [] is no list
	IsAtomic     // A     atomic<A Fail Blocked>                  atomic(A)
	Equal        // A B   equal<A B Fail Blocked>                 A = B without binding
	Differ       // A B   differ<A B Fail Blocked>                the principal functors of A and B differ
	Compare      // A B   compare<A B K Fail Blocked Type>        A Rel(K) B, integers
	FloatCompare // A B   compare.float<A B K Fail Blocked Type>  A Rel(K) B, floats
	Test         // Args  test<K Args N Fail Blocked>             guard builtin K holds and has set its outputs
	Otherwise    // -     otherwise<Target>                       nothing has blocked; else continues at Target
	Suspend      // -     suspend<>                               the goal waits for what has blocked, or fails if nothing has
	Commit       // -     commit<K Target>                        the goal reduces by Clauses[K]; continues at Target

	// both parts
	Arith // B C  arith<A B C K Site Blocked Type>  A = B ArithOp(K) C; a unary operation ignores C
	Jump  // -    jump<Target>                      continues at Target
	Const // -    const<A K>                        A = word K
	Boxed // -    boxed<A K>                        A = Constants[K]
	Move  // B    move<A B>                         A = B

	// active
	NewVar  // -         newvar<A>                          A = new variable
	PutList // B C       put.list<A B C K>                  A = [B|C]; with FreshB, FreshC in K: B, C = new variable
	PutStr  // -         put.str<A K N>                     A = structure with functor K; the N SetArgs that follow fill it
	SetArg  // A B       set.arg<A B N>                     argument N of the structure A = B
	Unify   // A B       unify<A B Site>                    A = B; failure is an error at Site
	Call    // Args      call<K Args N Site Proc Blocked>   body builtin K has run; its forks are goals of Procs[Proc]
	Goal    // Args B C  goal<Proc Args N Site B C Lower>   a goal of Procs[Proc] is pushed (see Ins.Node, Ins.Priority)
	Delay   // Args B C  delay<Proc Args N Site B C Lower>  a goal of Procs[Proc] waits for what has blocked
	Proceed // -         proceed<>                          the body has ended
	Done    // -         done<>                             the builtin goal has ended
	numOps
)

// Bits of the K of a PutList.
const (
	FreshB = 1 << iota
	FreshC
)

var opNames = [numOps]string{
	Invalid: "invalid", Switch: "switch", LoadList: "load.list", LoadArgs: "load.args", IsBound: "bound", IsInt: "integer", IsAtom: "atom",
	IsList: "list", IsAtomic: "atomic", Equal: "equal", Differ: "differ", Compare: "compare", FloatCompare: "compare.float", Test: "test",
	Otherwise: "otherwise", Suspend: "suspend", Commit: "commit", Arith: "arith", Jump: "jump", Const: "const", Boxed: "boxed", Move: "move",
	NewVar: "newvar", PutList: "put.list", PutStr: "put.str", SetArg: "set.arg", Unify: "unify", Call: "call", Goal: "goal", Delay: "delay",
	Proceed: "proceed", Done: "done",
}

func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// An Ins is one instruction. Its Op says which fields it uses; the others are zero.
type Ins struct {
	Op      Op
	Lower   bool   // Goal, Delay: the priority is that of the parent less the number in C
	A, B, C uint16 // registers
	N       uint16 // number of arguments, or the index of one

	Target              int32 // label of a jump
	Fail, Blocked, Type int32 // labels of a test
	Site                int32 // index into Program.Sites
	Args                int32 // index into Program.Args of the first of N registers
	Proc                int32 // index into Program.Procs
	K                   int64 // immediate: a constant, or the number of a table, relation, operation, functor, builtin or clause
}

// NoReg in place of a register says that an optional operand is absent.
const NoReg = maxRegisters

// Node returns the register with the PE that a Goal or Delay names, if it names one. [] in the register cancels the
// goal: another goal waits for the number and will call it.
func (in *Ins) Node() (r uint16, ok bool) { return in.B, in.B != NoReg }

// Priority returns the register with the priority that a Goal or Delay names, if it names one. [] in the register
// cancels the goal.
func (in *Ins) Priority() (r uint16, ok bool) { return in.C, in.C != NoReg }

// Rel returns the relation of a Compare or FloatCompare.
func (in *Ins) Rel() Rel { return Rel(in.K) }

// ArithOp returns the operation of an Arith.
func (in *Ins) ArithOp() arith.Op { return arith.Op(in.K) }

// Builtin returns the builtin of a Test or Call.
func (in *Ins) Builtin() *builtin.Builtin { return &builtin.All[in.K] }

// Falls reports whether execution may continue at the next instruction.
func (o Op) Falls() bool {
	switch o {
	case Switch, Jump, Suspend, Commit, Proceed, Done:
		return false
	}
	return true
}

// Accepts reports whether a bound value passes the type test o.
func (o Op) Accepts(c builtin.Context, w term.Word) bool {
	switch o {
	case IsInt:
		return builtin.IsInteger(c, w)
	case IsAtom:
		return w.Tag() == term.Atom
	case IsList:
		return w.Tag() == term.List
	case IsAtomic:
		return w.Tag() == term.Atom || builtin.IsInteger(c, w)
	}
	return true
}

// A Rel is the relation of a comparison.
type Rel uint8

// The relations; each is followed by its negation.
const (
	Less Rel = iota
	GreaterEqual
	LessEqual
	Greater
	Same
	NotSame
	numRels
)

func (r Rel) String() string { return [...]string{"<", ">=", "=<", ">", "=:=", "=\\="}[r] }

// Holds reports whether a stands in the relation to b.
func (r Rel) Holds(a, b int64) bool {
	switch r {
	case Less:
		return a < b
	case GreaterEqual:
		return a >= b
	case LessEqual:
		return a <= b
	case Greater:
		return a > b
	case Same:
		return a == b
	}
	return a != b
}

// Not returns the relation that holds for two integers exactly when r does not.
func (r Rel) Not() Rel { return r ^ 1 }

// Swap returns the relation of b to a when r is the relation of a to b.
func (r Rel) Swap() Rel { return [...]Rel{Greater, LessEqual, GreaterEqual, Less, Same, NotSame}[r] }

// A Table is the dispatch of a Switch: the label for each constructor.
type Table struct {
	List    int32               // for a list
	Keys    []term.Word         // atoms, integers, and functors as MakeStr(number)
	Labels  []int32             // for each key
	Index   map[term.Word]int32 // the same as Keys and Labels, for long tables; nil for others
	Default int32               // for other constructors
	Blocked int32               // for an unbound variable
}

// longTable is the number of keys from which a map beats a search.
const longTable = 8

// Complete fills in Index if the table is long.
func (t *Table) Complete() {
	if len(t.Keys) <= longTable {
		return
	}
	t.Index = make(map[term.Word]int32, len(t.Keys))
	for i, k := range t.Keys {
		t.Index[k] = t.Labels[i]
	}
}

// Find returns the label for a constructor other than a list.
func (t *Table) Find(key term.Word) int32 {
	if t.Index != nil {
		if l, ok := t.Index[key]; ok {
			return l
		}
		return t.Default
	}
	for i, k := range t.Keys {
		if k == key {
			return t.Labels[i]
		}
	}
	return t.Default
}
