package bytecode

import "fmt"

// An Op is the operation of an instruction.
//
// The first word of an instruction holds the Op in bits 0 to 7, a small number n in bits 8 to 15, and three registers
// a, b and c of 16 bits each. Further words follow, in the documentation as [low half | high half]. Labels are indices
// into Program.Words.
type Op uint8

// Each line gives the fields of the first word, the further words, and the effect on the registers. A test that fails
// continues at the label "fail". A test that needs an unbound variable notes it and continues at "blocked".
const (
	_ Op = iota // a word of 0 is no instruction

	// The passive part reads. It continues at the next instruction or at a label.
	List      // a b    [nil | blocked] [other]          a is a list: b, b+1 = head, tail
	Switch    // a      [table]                          dispatch on a by Tables[table]
	LoadList  // a b                                     b, b+1 = head, tail of the list a
	LoadArgs  // a b c                                   b..b+c-1 = arguments of the structure a
	Kind      // a n    [fail | blocked]                 a passes the type test n, a compile.Op
	Equal     // a b    [fail | blocked]                 a = b without binding
	Differ    // a b    [fail | blocked]                 the principal functors of a and b differ
	Less      // a b    [fail | blocked] [type]          a < b
	NotLess   // a b    [fail | blocked] [type]          a >= b
	Same      // a b    [fail | blocked] [type]          a =:= b
	NotSame   // a b    [fail | blocked] [type]          a =\= b
	Floats    // a b n  [fail | blocked] [type]          floats a and b are in relation n, a compile.Rel
	Test      // a      [fail | blocked] [builtin] regs  builtin on a registers
	Otherwise //        [target]                         continue at target if a test has blocked
	Jump      //        [target]
	Suspend   //                                         wait for the noted variables; fail if there are none
	Commit    //                                         forget the noted variables

	// Both parts.
	Add     // a b c    [blocked | type] [site]          a = b + c
	Sub     // a b c    [blocked | type] [site]          a = b - c
	Mod     // a b c    [blocked | type] [site]          a = b mod c
	Arith   // a b c n  [blocked | type] [site]          a = b n c, a builtin.ArithOp
	Move    // a b                                       a = b
	Const   // a        [word]                           a = word
	Fresh   // a                                         a = new variable
	Fresh2  // a b                                       a, b = new variables
	ModSame // a b c n  [fail] [d]                       a = b mod c; a =:= d if n = 1, a =\= d if n = 0; else the Mod and the test that follow

	// The active part writes. It continues at the next instruction.
	Cons      // a b c n                                 a = [b|c]; n: bits FreshHead, FreshTail
	Struct    // a c      [functor] regs                 a = structure of c arguments
	Unify     // a b      [site]                         a = b
	UnifyCons // a b c n  [site]                         a = [b|c], n as in Cons
	ConsExec  // a b c    [site]                         UnifyCons with a new tail, and the Exec that follows
	Call      // a c<<16|b [- | blocked] [builtin | site] regs  builtin on a registers; it forks goals of procedure c<<16|b
	Push      // a b n    [record] regs                  push the b-th goal of the body, with a arguments; n is a, 255 for more than 4
	PushAt    // a b c n  [record] regs                  push it where the policy says; c: register of the node, 0 for none; n: see Absolute
	Delay     // a        [record] regs                  call a waiter with a arguments, which waits for the noted variables
	Exec      // a c<<16|b n  [record] moves             continue with the first of a goals at label c<<16|b after n moves of registers
	Yield     //                                         let goals of a higher priority run next
	Proceed   // a        [clause]                       end of a body with a goals
	Done      //                                         end of a waiter
	UnifyEnd  // a b      [site] [clause]                Unify and Proceed without goals
	Native    // c<<32|b<<16|a                           the Go function of that procedure
	AddEnd    // a b c    [clause]                       a = b + c and Proceed; else the Add and UnifyEnd that follow
	numOps
)

// Bits of n in Cons and UnifyCons. A new variable in the head or tail is also stored in the register of that operand.
const (
	FreshHead = 1 << iota
	FreshTail
)

// Values of n in PushAt: a register behind the arguments holds a priority, absolute or relative to that of the current
// goal. The bit OfWaiter is set in the code of a waiter, whose goals are children of the waiter's parent.
const (
	Absolute = 1 + iota
	Relative
	OfWaiter = 4
)

var opNames = [numOps]string{
	"invalid", "list", "switch", "load.list", "load.args", "kind", "equal", "differ", "less", "notless", "same", "notsame", "floats", "test", "otherwise", "jump",
	"suspend", "commit", "add", "sub", "mod", "arith", "move", "const", "fresh", "fresh2", "mod.same", "cons", "struct", "unify", "unify.cons", "cons.exec", "call", "push", "push.at", "delay", "exec",
	"yield", "proceed", "done", "unify.end", "native", "add.end",
}

func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// A Word is a word of code.
type Word uint64

func instr(o Op, n int, a, b, c uint16) Word {
	return Word(o) | Word(uint8(n))<<8 | Word(a)<<16 | Word(b)<<32 | Word(c)<<48
}

// Op returns the operation in the first word of an instruction.
func (w Word) Op() Op { return Op(w) }

// N returns the number n in the first word of an instruction; A, B and C return its registers.
func (w Word) N() uint8  { return uint8(w >> 8) }
func (w Word) A() uint16 { return uint16(w >> 16) }
func (w Word) B() uint16 { return uint16(w >> 32) }
func (w Word) C() uint16 { return uint16(w >> 48) }

// Low and High return the halves of a further word.
func (w Word) Low() uint64  { return uint64(uint32(w)) }
func (w Word) High() uint64 { return uint64(w >> 32) }

// Reg returns register k of a list of registers, from the word that holds it. A word holds four registers.
func (w Word) Reg(k uint64) uint16 { return uint16(w >> (k & 3 << 4)) }

// RecordWord packs the procedure of a goal, its number of arguments, and the site where it was written.
func RecordWord(proc, arity, site int) uint64 {
	return uint64(proc) | uint64(arity)<<24 | uint64(site)<<40
}

// ProcOf, ArityOf and SiteOf unpack a RecordWord.
func ProcOf(record uint64) int  { return int(record & (1<<24 - 1)) }
func ArityOf(record uint64) int { return int(record >> 24 & (1<<16 - 1)) }
func SiteOf(record uint64) int  { return int(record >> 40) }
