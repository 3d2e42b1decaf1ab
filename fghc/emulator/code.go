package emulator

import "fmt"

// An op is the operation of an instruction. An instruction is a word, with the op in bits 0 to 7, a small number n in bits 8 to 15 and
// three registers a, b, c of 16 bits above, and the words behind it. Labels are indices into the code, two to a word.
type op uint64

const (
	_ op = iota // a word of 0 is no instruction

	// The passive part: it reads, and goes on behind itself or at a label.
	opList      // a is a list: b, b+1 = head and tail; [no list but nil | unbound], [anything else]
	opSwitch    // on a by the table in the next word
	opLoadList  // b, b+1 = head and tail of the list a
	opLoadArgs  // b.. = the c arguments of the structure a
	opKind      // a is of the kind n; [fails | unbound]
	opEqual     // a = b, reading only; [fails | unbound]
	opDiffer    // the principal functors of a and b differ; [fails | unbound]
	opLess      // a < b; [fails | unbound], [no integer]
	opNotLess   // a >= b
	opSame      // a =:= b
	opNotSame   // a =\= b
	opFloats    // the floats a and b are in the relation n; as opLess
	opTest      // a builtin on a registers: [fails | unbound], [builtin], [registers]
	opOtherwise // goes to a label if something has blocked
	opJump      //
	opSuspend   // waits for what has blocked, or fails
	opCommit    // forgets what has blocked

	// Both parts.
	opAdd     // a = b + c; [blocked | no integer], [site]
	opSub     // a = b - c
	opMod     // a = b mod c
	opArith   // a = b op n c
	opMove    // a = b
	opConst   // a = the word behind
	opFresh   // a = a new variable
	opFresh2  // a, b = new variables
	opModSame // opMod and opSame with the register of the third word, or opNotSame for n = 0; [fails], [register]; others stand behind it

	// The active part: it writes, and goes on behind itself.
	opCons      // a = [b|c]; n says which of b and c are made in place
	opStruct    // a = the structure of the n-th functor word behind, with c arguments in registers
	opUnify     // a = b; [site]
	opUnifyCons // a = [b|c]; [site]; n as in opCons
	opConsExec  // opUnifyCons with a new variable as tail, and opExec
	opCall      // a builtin on a registers: [unbound], [builtin | site], [registers]
	opPush      // a goal with a arguments, the b-th of the body: [record], [registers]
	opPushAt    // the same, for the PE that the policy says; c is the register of its hint, 0 for none; n says whether a priority follows
	opDelay     // a builtin that waits for what has blocked
	opExec      // the first of a goals goes on in place, at c<<16|b: [record], n moves of registers
	opYield     // goals of a higher priority come next
	opProceed   // the body ends; a goals; [clause]
	opDone      // a builtin goal ends
	opUnifyEnd  // opUnify and opProceed; [site], [clause]
	opNative    // the Func of procedure c<<32|b<<16|a
	opAddEnd    // opAdd, opUnifyEnd of its result and a; [clause]; others stand behind it
	numOps
)

// Bits of n in opCons: which cells are new variables in place, whose registers are set to refer to them.
const (
	freshHead = 1 << iota
	freshTail
)

// What n is in opPushAt where a register behind the arguments holds a priority, or how much less it is than that of the goal in hand; with
// ofBuiltin, a builtin that has waited calls the goal.
const (
	absolute = 1 + iota
	relative
	ofBuiltin = 4
)

var opNames = [numOps]string{
	"invalid", "list", "switch", "load.list", "load.args", "kind", "equal", "differ", "less", "notless", "same", "notsame", "floats", "test", "otherwise", "jump",
	"suspend", "commit", "add", "sub", "mod", "arith", "move", "const", "fresh", "fresh2", "mod.same", "cons", "struct", "unify", "unify.cons", "cons.exec", "call", "push", "push.at", "delay", "exec",
	"yield", "proceed", "done", "unify.end", "native", "add.end",
}

func (o op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint64(o))
}

func instr(o op, n int, a, b, c uint16) uint64 {
	return uint64(o) | uint64(uint8(n))<<8 | uint64(a)<<16 | uint64(b)<<32 | uint64(c)<<48
}

// A record word says what a goal is: its procedure, its number of arguments, and the site where it was written.
func recordWord(proc, arity, site int) uint64 {
	return uint64(proc) | uint64(arity)<<24 | uint64(site)<<40
}

func procOf(record uint64) int  { return int(record & (1<<24 - 1)) }
func arityOf(record uint64) int { return int(record >> 24 & (1<<16 - 1)) }
func siteOf(record uint64) int  { return int(record >> 40) }
