package emulator

import "fmt"

// An op is the operation of an instruction of the inner loop.
//
// The first word of an instruction holds the op in bits 0 to 7, a small number n in bits 8 to 15, and three registers
// a, b and c of 16 bits each. Further words follow, in the documentation as [low half | high half]. Labels are indices
// into the code.
type op uint64

// Each line gives the first word's fields, the further words, and the effect on the registers. A test that fails
// continues at the label "fail", one that needs an unbound variable notes it and continues at "blocked".
const (
	_ op = iota // a word of 0 is no instruction

	// The passive part reads, and continues at the next instruction or at a label.
	opList      // a b    [nil | blocked] [other]          a is a list: b, b+1 = head, tail
	opSwitch    // a      [table]                          dispatch on a by tables[table]
	opLoadList  // a b                                     b, b+1 = head, tail of the list a
	opLoadArgs  // a b c                                   b..b+c-1 = arguments of the structure a
	opKind      // a n    [fail | blocked]                 a passes the type test n, a compile.Op
	opEqual     // a b    [fail | blocked]                 a = b without binding
	opDiffer    // a b    [fail | blocked]                 the principal functors of a and b differ
	opLess      // a b    [fail | blocked] [type]          a < b
	opNotLess   // a b    [fail | blocked] [type]          a >= b
	opSame      // a b    [fail | blocked] [type]          a =:= b
	opNotSame   // a b    [fail | blocked] [type]          a =\= b
	opFloats    // a b n  [fail | blocked] [type]          floats a and b are in relation n, a compile.Rel
	opTest      // a      [fail | blocked] [builtin] regs  builtin on a registers
	opOtherwise //        [target]                         continue at target if something has blocked
	opJump      //        [target]
	opSuspend   //                                         wait for what has blocked; fail if nothing has
	opCommit    //                                         forget what has blocked

	// Both parts.
	opAdd     // a b c    [blocked | type] [site]          a = b + c
	opSub     // a b c    [blocked | type] [site]          a = b - c
	opMod     // a b c    [blocked | type] [site]          a = b mod c
	opArith   // a b c n  [blocked | type] [site]          a = b n c, a builtin.ArithOp
	opMove    // a b                                       a = b
	opConst   // a        [word]                           a = word
	opFresh   // a                                         a = new variable
	opFresh2  // a b                                       a, b = new variables
	opModSame // a b c n  [fail] [d]                       a = b mod c; a =:= d if n = 1, a =\= d if n = 0; else the opMod and the test that follow

	// The active part writes, and continues at the next instruction.
	opCons      // a b c n                                 a = [b|c]; n: bits freshHead, freshTail
	opStruct    // a c      [functor] regs                 a = structure of c arguments
	opUnify     // a b      [site]                         a = b
	opUnifyCons // a b c n  [site]                         a = [b|c], n as in opCons
	opConsExec  // a b c    [site]                         opUnifyCons with a new tail, and the opExec that follows
	opCall      // a c<<16|b [- | blocked] [builtin | site] regs  builtin on a registers; it forks goals of procedure c<<16|b
	opPush      // a b n    [record] regs                  push the b-th goal of the body, with a arguments; n is a, 255 for more than 4
	opPushAt    // a b c n  [record] regs                  push it where the policy says; c: register of the node, 0 for none; n: see absolute
	opDelay     // a        [record] regs                  call a waiter with a arguments, which waits for what has blocked
	opExec      // a c<<16|b n  [record] moves             continue with the first of a goals at code c<<16|b after n moves of registers
	opYield     //                                         let goals of a higher priority run next
	opProceed   // a        [clause]                       end of a body with a goals
	opDone      //                                         end of a waiter
	opUnifyEnd  // a b      [site] [clause]                opUnify and opProceed without goals
	opNative    // c<<32|b<<16|a                           the Func of that procedure
	opAddEnd    // a b c    [clause]                       a = b + c and opProceed; else the opAdd and opUnifyEnd that follow
	numOps
)

// Bits of n in opCons and opUnifyCons: a cell that is a new variable, to which its register is set to refer.
const (
	freshHead = 1 << iota
	freshTail
)

// Values of n in opPushAt: a register behind the arguments holds a priority, absolute or relative to that of the
// current goal. The bit ofBuiltin is set in the code of a waiter, whose goals are children of the waiter's parent.
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

// regA, regB and regC return the registers of an instruction's first word, fieldN its n.
func regA(in uint64) uint16  { return uint16(in >> 16) }
func regB(in uint64) uint16  { return uint16(in >> 32) }
func regC(in uint64) uint16  { return uint16(in >> 48) }
func fieldN(in uint64) uint8 { return uint8(in >> 8) }

// low and high return the halves of a further word.
func low(w uint64) uint64  { return uint64(uint32(w)) }
func high(w uint64) uint64 { return w >> 32 }

// recordWord packs the procedure of a goal, its number of arguments, and the site where it was written.
func recordWord(proc, arity, site int) uint64 {
	return uint64(proc) | uint64(arity)<<24 | uint64(site)<<40
}

func procOf(record uint64) int  { return int(record & (1<<24 - 1)) }
func arityOf(record uint64) int { return int(record >> 24 & (1<<16 - 1)) }
func siteOf(record uint64) int  { return int(record >> 40) }
