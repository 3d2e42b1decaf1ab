// Package bytecode lowers the decision trees of package compile to the compact code of the emulator.
//
// An instruction is one or more words of 64 bits. The first holds an operation and three registers; a comment of the
// form "before opcode<operands> after" documents each operation (instr.go). Lower translates each instruction of the
// compiler (emit.go) and fuses frequent sequences of instructions into one (emit.go, fuse.go). Constants get registers
// of their own, which the emulator sets once. The code that runs after a test has blocked is separate from the same
// code before: only the former has to test whether something has blocked. A test that is the opposite of the test
// before it is skipped when that one fails.
//
// The package knows the operations but executes none of them. It does not depend on the representation of goals, apart
// from the word that names a goal's procedure (RecordWord).
package bytecode

import (
	"fmt"
	"maps"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// The compiler's registers begin at 0. Registers of constants are numbered from NumRegs-1 down.
const (
	NumRegs   = 1 << 16
	maxConsts = 1 << 14
)

// A Program is the bytecode of a compile.Program and a query.
type Program struct {
	Words     []Word
	Tables    []compile.Table // with labels of the bytecode
	Entries   []uint32        // by procedure: the label where its goals begin
	Begin     uint32          // label of the query
	Constants []term.Word     // of the registers NumRegs-1, NumRegs-2, ...; a Raw word is an index into compile.Program.Constants
	Labels    []uint32        // by label of the compile.Program: the label here when nothing has blocked, 0 for none; nil without Go functions
	MaxGoals  int             // largest number of goals of a body
	MaxHeap   int             // largest number of words that a body allocates, not counting builtins
}

// Lower returns the bytecode of a program and a query. With stays, new goals stay on their PE: the first goal of a body
// continues in place and the others are pushed from the last to the second, so that a stack yields them in textual
// order. native marks the procedures that are Go functions; it is nil if there are none. Lower fails if the program
// needs more than NumRegs registers.
func Lower(p *compile.Program, q *compile.Query, stays bool, native []bool) (*Program, error) {
	l := &lowering{
		Program: p, out: &Program{Words: make([]Word, 1), Entries: make([]uint32, len(p.Procs))},
		stays: stays, addresses: map[place]int32{}, constRegs: map[term.Word]uint16{}, bodies: map[int32]*part{}, spare: p.Registers,
		deferrals: map[int32]compile.Deferral{},
	}
	out := l.out
	for i := range p.Procs {
		out.Entries[i] = uint32(l.copying(i, l.procedure(p.Procs[i].Entry, l.survey(p.Procs[i].Entry, nil))))
		if i < len(native) && native[i] {
			out.Entries[i] = uint32(l.put(Word(Native) | Word(i)<<16))
		}
	}
	if native != nil {
		out.Labels = make([]uint32, len(p.Code))
		for p, address := range l.addresses {
			if !p.part.blocked {
				out.Labels[p.label] = uint32(address)
			}
		}
	}
	maps.Copy(l.deferrals, p.Deferrals(q.Entry))
	query := l.survey(q.Entry, nil)
	query.later = nil // a query is a body
	out.Begin = uint32(l.procedure(q.Entry, query))
	l.put(0, 0) // the emulator reads two words ahead
	for _, e := range l.execs {
		out.Words[e.index] |= Word(out.Entries[e.proc]) << 32
	}
	if n := l.spare + len(out.Constants); n > NumRegs {
		return nil, fmt.Errorf("the program needs %d registers, the limit is %d", n, NumRegs)
	}
	return out, nil
}

// Resumable reports for each label of a program whether the bytecode can continue there when nothing has blocked. It
// cannot where an instruction has been fused with the one before it.
func Resumable(p *compile.Program) ([]bool, error) {
	lowered, err := Lower(p, &compile.Query{}, true, []bool{})
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(p.Code))
	for label, address := range lowered.Labels {
		out[label] = address != 0
	}
	return out, nil
}
