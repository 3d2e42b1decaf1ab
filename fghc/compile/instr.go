package compile

import (
	"fmt"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// An Op is the operation of an instruction. X is the register file; a label is an index into Program.Code.
type Op uint8

// The instructions. Those of the passive part only read: they go on at the next instruction, or at Fail, Blocked (which notes the
// unbound variable first) or Type. Those of the active part come behind Commit and write.
const (
	Invalid      Op = iota
	Switch          // on X[A] by Tables[K]
	LoadList        // X[B], X[B+1] = head and tail of the list X[A]
	LoadArgs        // X[B+i] = argument i of the structure X[A], i < C
	IsBound         // wait(X[A])
	IsInt           // integer(X[A])
	IsAtom          // atom(X[A])
	IsList          // list(X[A]); [] is no list
	IsAtomic        // atomic(X[A])
	Equal           // X[A] = X[B], reading only
	Differ          // X[A] \= X[B]: the principal functors differ
	Compare         // X[A] X[B] in the relation Rel(K); Type where one is no integer
	FloatCompare    // as Compare, of floats
	Arith           // X[A] = X[B] ArithOp(K) X[C], with Big bits for any precision; Type where an operand is no number of the kind
	Test            // builtin.All[K] on the A registers from Args[At]: outputs are registers that it fills
	Otherwise       // go to Fail if something has blocked
	Jump            // go to Fail
	Suspend         // wait for what has blocked; the goal has failed if nothing has
	Commit          // the goal reduces by Clauses[K]
	Const           // X[A] = word K
	Boxed           // X[A] = Constants[K]
	NewVar          // X[A] = a new variable
	Move            // X[A] = X[B]
	PutList         // X[A] = [X[B] | X[C]]; bits FreshB, FreshC of K: a new variable in place, which X[B], X[C] then refer to
	PutStr          // X[A] = structure with functor K and C arguments, which follow
	SetArg          // argument C of the structure X[A] = X[B]
	Unify           // X[A] = X[B] at Sites[K]
	Call            // as Test, in a body: No is an error at Sites[Fail]; goals of a builtin with a state are of Procs[Type]
	Goal            // push Procs[K] with the A registers from Args[Fail], at Sites[Blocked], on the PE X[B-1] if B > 0, with priority X[C-1] if C > 0, or with so much less if Type is 1; not at all where one of these is []
	Delay           // as Goal, for a builtin that waits for what has blocked
	Proceed         // the body ends
	Done            // a builtin goal ends
	numOps
)

// Bits of PutList's K.
const (
	FreshB = 1 << iota
	FreshC
)

var opNames = [numOps]string{
	"invalid", "switch", "load.list", "load.args", "bound", "integer", "atom", "list", "atomic", "equal", "differ", "compare", "compare.float", "arith",
	"test", "otherwise", "jump", "suspend", "commit", "const", "boxed", "newvar", "move", "put.list", "put.str", "set.arg", "unify",
	"call", "goal", "delay", "proceed", "done",
}

func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// A Rel is the relation of a Compare.
type Rel uint8

// The relations; each is followed by its negation.
const (
	Less Rel = iota
	GreaterEqual
	LessEqual
	Greater
	Same
	NotSame
)

var relNames = []string{"<", ">=", "=<", ">", "=:=", "=\\="}

func (r Rel) String() string { return relNames[r] }

// Holds says whether a stands in the relation to b.
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

// Not returns the relation that holds of two integers exactly when r does not.
func (r Rel) Not() Rel { return r ^ 1 }

// Swap returns the relation of b to a when r is that of a to b.
func (r Rel) Swap() Rel { return [...]Rel{Greater, LessEqual, GreaterEqual, Less, Same, NotSame}[r] }

// An ArithOp is the operation of an Arith; unary ones ignore C. Big is added for arbitrary precision.
type ArithOp = builtin.ArithOp

// The operations on integers; those on floats are in package builtin.
const (
	Add        = builtin.Add
	Sub        = builtin.Sub
	Mul        = builtin.Mul
	Div        = builtin.Div
	Mod        = builtin.Mod
	And        = builtin.And
	Or         = builtin.Or
	Xor        = builtin.Xor
	ShiftLeft  = builtin.ShiftLeft
	ShiftRight = builtin.ShiftRight
	Negate     = builtin.Negate
	Complement = builtin.Complement
	Copy       = builtin.Copy
	Big        = builtin.Big
)

// An Ins is one instruction.
type Ins struct {
	Op                  Op
	A, B, C             uint16
	Fail, Blocked, Type int32 // labels
	At                  int32 // of Test and Call: index into Args
	K                   int64
}

// A Table is the dispatch of a Switch: the label for each constructor. A label of 0 is none; Default serves those.
type Table struct {
	List    int32
	Keys    []term.Word // atoms, integers, and functors as MakeStr(number)
	Labels  []int32
	Index   map[term.Word]int32 // the same, for long tables
	Default int32
	Blocked int32
}

// longTable is the number of keys from which a map beats a search.
const longTable = 8

// Find returns the label for a constructor.
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
