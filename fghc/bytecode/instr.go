package bytecode

import "fmt"

// An Op is the operation of an instruction.
//
// The first word of an instruction holds the Op in bits 0 to 7, a small number n in bits 8 to 15, and three registers
// a, b and c of 16 bits each. Further words follow. Labels are indices into Program.Words.
type Op uint8

// The opcodes. Each is documented as
//
//	before opcode<operands> after
//
// Before lists the registers that the instruction reads. After is the state at the next instruction, or the place where
// execution continues. A dash stands for nothing. The operands are fields of the first word and then, after
// each semicolon, a further word, as low half|high half; nil, other, fail, blocked and type are labels. A test that does
// not hold continues at fail, one that needs an unbound variable notes it and continues at blocked, and one of operands
// that are not numbers of its kind continues at type. ModSame, SumEnd and Copy do nothing in rare cases,
// which the instructions that follow them handle.
const (
	_ Op = iota // a word of 0 is no instruction

	// The passive part reads. It continues at the next instruction or at a label.
	List      // a     list<a b; nil|blocked; other>         b, b+1 = head, tail of the list a
	Switch    // a     switch<a; table>                      continues at the label of Tables[table] for a
	LoadList  // a     load.list<a b>                        b, b+1 = head, tail of the list a
	LoadArgs  // a     load.args<a b c>                      b..b+c-1 = arguments of the structure a
	Kind      // a     kind<a n; fail|blocked>               a passes the type test n, a compile.Op
	Equal     // a b   equal<a b; fail|blocked>              a = b without binding
	Differ    // a b   differ<a b; fail|blocked>             the principal functors of a and b differ
	Less      // a b   less<a b; fail|blocked; type>         a < b
	NotLess   // a b   notless<a b; fail|blocked; type>      a >= b
	Same      // a b   same<a b; fail|blocked; type>         a =:= b
	NotSame   // a b   notsame<a b; fail|blocked; type>      a =\= b
	Floats    // a b   floats<a b n; fail|blocked; type>     floats a and b are in relation n, a compile.Rel
	Test      // regs  test<a; fail|blocked; builtin; regs>  builtin on a registers holds and has set its outputs
	Otherwise // -     otherwise<target>                     no test has blocked; else continues at target
	Jump      // -     jump<target>                          continues at target
	Suspend   // -     suspend<>                             the goal waits for the noted variables; none: it fails
	Commit    // -     commit<>                              no variable is noted

	// Both parts.
	Add     // b c    add<a b c; blocked|type; site>      a = b + c
	Sub     // b c    sub<a b c; blocked|type; site>      a = b - c
	Mod     // b c    mod<a b c; blocked|type; site>      a = b mod c
	Arith   // b c    arith<a b c n; blocked|type; site>  a = b n c, where n is an arith.Op
	Move    // b      move<a b>                           a = b
	Const   // -      const<a; word>                      a = word
	Fresh   // -      fresh<a>                            a = new variable
	Fresh2  // -      fresh2<a b>                         a, b = new variables
	ModSame // b c d  mod.same<a b c n; fail; d>          a = b mod c, a =:= d if n = 1, a =\= d if n = 0; Mod and the test follow

	// The active part writes. It continues at the next instruction.
	Cons      // b c     cons<a b c n>                                   a = [b|c]; n: bits FreshHead, FreshTail
	Struct    // regs    struct<a c; functor; regs>                      a = structure of c arguments
	Unify     // a b     unify<a b; site>                                a = b
	UnifyCons // a b c   unify.cons<a b c n; site>                       a = [b|c], n as in Cons
	ConsExec  // a b     cons.exec<a b c; site>                          a = [b|c], c = new variable; the goal of the Exec that follows runs
	Call      // regs    call<a c<<16|b; -|blocked; builtin|site; regs>  builtin on a registers has run; it forks goals of c<<16|b
	Push      // regs    push<a b c n; record; regs>                     goal b of the body or, if c = 1, a waiter, of a arguments, is pushed; n = a, 255 above 4
	PushAt    // c regs  push.at<a b c n; record; regs>                  goal b is where the policy says; c = 0: no node; n: Absolute
	Delay     // regs    delay<a; record; regs>                          a waiter with a arguments waits for the noted variables
	Exec      // moves   exec<a c<<16|b n; record; moves>                n registers are moved; the first of a goals runs at c<<16|b
	Yield     // -       yield<>                                         goals of a higher priority have run
	Proceed   // -       proceed<a; clause>                              a body with a goals has ended
	Done      // -       done<>                                          a waiter has ended
	UnifyEnd  // a b     unify.end<a b; site; clause>                    a = b; a body without goals has ended
	Native    // -       native<c<<32|b<<16|a>                           the Go function of that procedure has run
	SumEnd    // a b c   sum.end<a b c n; clause>                        a = b + c, or b - c with Difference; the body or, with OfWaiter, waiter has ended
	Copy      // a b     copy<a b; entry; record>                        cells of the list a are copied to the list b, each by a goal of its own
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

// Difference is a bit of n in SumEnd.
const Difference = 1

var opNames = [numOps]string{
	"invalid", "list", "switch", "load.list", "load.args", "kind", "equal", "differ", "less", "notless", "same", "notsame", "floats", "test", "otherwise", "jump",
	"suspend", "commit", "add", "sub", "mod", "arith", "move", "const", "fresh", "fresh2", "mod.same", "cons", "struct", "unify", "unify.cons", "cons.exec", "call", "push", "push.at", "delay", "exec",
	"yield", "proceed", "done", "unify.end", "native", "sum.end", "copy",
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
