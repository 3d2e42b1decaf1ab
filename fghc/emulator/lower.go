package emulator

import (
	"fmt"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// The compiler's registers begin at 0. Constants have registers of their own, from the top down, which are set once.
const (
	numRegs   = 1 << 16
	maxConsts = 1 << 14
)

// A program is the code of a compile.Program and a query for the inner loop.
type program struct {
	*compile.Program
	query *compile.Query

	code     []uint64
	tables   []table
	entries  []uint32    // by procedure
	begin    uint32      // of the query
	consts   []term.Word // of the registers numRegs-1, numRegs-2, ...; a Raw word stands for an index into Program.Constants
	maxGoals int         // largest number of goals of a body
	maxWords int         // largest number of words of the arena that a body takes, not counting builtins

	tryWords, tryRecords int // words and records that a try may take, including the record of a goal that is put back

	functions []Func   // by procedure; nil is bytecode
	labels    []uint32 // address of each label of the compile.Program when nothing has blocked, 0 for none; nil without functions
}

// A table is a compile.Table with addresses.
type table struct {
	list, other, blocked uint32
	keys                 []term.Word
	labels               []uint32
	index                map[term.Word]uint32
}

func (t *table) find(key term.Word) uint32 {
	if t.index != nil {
		if l, ok := t.index[key]; ok {
			return l
		}
		return t.other
	}
	for i, k := range t.keys {
		if k == key {
			return t.labels[i]
		}
	}
	return t.other
}

// A lowering translates the compiler's instructions to words. It fuses frequent sequences of instructions into one and
// replaces constants by registers. The goals of a body are pushed from the last to the second, and the first continues
// in place.
type lowering struct {
	*program
	stays     bool // policy: new work stays where it is
	addresses map[spot]int32
	todo      []place
	fixes     []fix
	switches  []switching          // of the current procedure
	constRegs map[term.Word]uint16 // registers of constants
	bodies    map[int32]*part      // by label
	spare     int                  // next register that the compiler does not use
	execs     []exec
	first     bool // no goal has been met yet in the current body
}

// A part is the passive part of a procedure, or a body. Each body uses the registers anew.
type part struct {
	passive    *part             // of a body
	defs, uses map[uint16]int    // numbers of instructions that set and read each register
	same       map[uint16]uint16 // registers of constants for the registers that hold them
	clause     int               // of a body
	later      *part             // the passive part after something has blocked; nil for a body
	blocked    bool              // it is that passive part
}

// A place is a label in a part.
type place struct {
	label int32
	part  *part
}

// A spot identifies code. The code after something has blocked is emitted separately from the same code before, which
// need not check.
type spot struct {
	label   int32
	blocked bool
}

func (p place) spot() spot { return spot{p.label, p.part.blocked} }

// place returns a label in the part.
func (p *part) place(label int32) place { return place{label, p} }

// after returns a label in the part after something has blocked.
func (p *part) after(label int32) place {
	if p.later != nil {
		p = p.later
	}
	return place{label, p}
}

// A switching is a switch whose table is still to be filled in.
type switching struct {
	table  int
	source *compile.Table
	part   *part
}

// An exec is the index of an opExec whose target, the entry of a procedure, is still to be filled in.
type exec struct{ index, proc int }

// A fix is half a word of code that still needs the address of a spot.
type fix struct {
	index int
	shift uint
	to    spot
}

// lower returns the code of a program. functions, indexed by procedure, may be nil.
func lower(p *compile.Program, q *compile.Query, stays bool, functions []Func) (*program, error) {
	l := &lowering{
		program: &program{Program: p, query: q, code: make([]uint64, 1), entries: make([]uint32, len(p.Procs)), functions: functions},
		stays:   stays, addresses: map[spot]int32{}, constRegs: map[term.Word]uint16{}, bodies: map[int32]*part{}, spare: p.Registers,
	}
	for i := range p.Procs {
		l.entries[i] = uint32(l.procedure(p.Procs[i].Entry, l.survey(p.Procs[i].Entry, nil)))
		if i < len(functions) && functions[i] != nil {
			l.entries[i] = uint32(l.put(uint64(opNative) | uint64(i)<<16))
		}
	}
	if functions != nil {
		l.labels = make([]uint32, len(p.Code))
		for s, address := range l.addresses {
			if !s.blocked {
				l.labels[s.label] = uint32(address)
			}
		}
	}
	query := l.survey(q.Entry, nil)
	query.later = nil // a query is a body
	l.begin = uint32(l.procedure(q.Entry, query))
	l.put(0, 0) // the loop reads two words ahead
	for _, e := range l.execs {
		l.code[e.index] |= uint64(l.entries[e.proc]) << 32
	}
	arity := 0
	for i := range p.Procs {
		arity = max(arity, p.Procs[i].Arity)
	}
	l.tryWords = max(l.maxWords, arity+3*fewBlocked) + arity
	l.tryRecords = (l.maxGoals + 2) * recordSize
	if l.spare+len(l.consts) > numRegs {
		return nil, fmt.Errorf("the program needs %d registers, the limit is %d", l.spare+len(l.consts), numRegs)
	}
	return l.program, nil
}

// procedure emits all code reachable from a label and returns the address of the label.
func (l *lowering) procedure(entry int32, p *part) int32 {
	l.todo = append(l.todo, p.place(entry))
	for len(l.todo) > 0 {
		n := len(l.todo) - 1
		next := l.todo[n]
		l.todo = l.todo[:n]
		if _, done := l.addresses[next.spot()]; next.label != 0 && !done {
			l.chain(next.label, next.part)
		}
	}
	for _, f := range l.fixes {
		l.code[f.index] |= uint64(uint32(l.addresses[f.to])) << f.shift
	}
	for _, m := range l.switches {
		address := func(to place) uint32 { return uint32(l.addresses[to.spot()]) }
		t := table{
			list: address(m.part.place(m.source.List)), other: address(m.part.place(m.source.Default)), blocked: address(m.part.after(m.source.Blocked)),
			keys: m.source.Keys, labels: make([]uint32, len(m.source.Labels)),
		}
		for k, label := range m.source.Labels {
			t.labels[k] = address(m.part.place(label))
		}
		if m.source.Index != nil {
			t.index = make(map[term.Word]uint32, len(t.keys))
			for k, key := range t.keys {
				t.index[key] = t.labels[k]
			}
		}
		l.tables[m.table] = t
	}
	l.fixes, l.switches = l.fixes[:0], l.switches[:0]
	return l.addresses[p.place(entry).spot()]
}

// survey returns the part at a label: it counts how often each register is set and read, and finds the registers that
// are set once, to a constant. A body is a part of its own; its passive part is given.
func (l *lowering) survey(entry int32, passive *part) *part {
	p := &part{passive: passive, defs: map[uint16]int{}, uses: map[uint16]int{}, same: map[uint16]uint16{}}
	var constants []*compile.Ins
	words, goals := 0, 0
	seen := map[int32]bool{}
	todo := []int32{entry}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for pc != 0 && !seen[pc] {
			seen[pc] = true
			in := &l.Code[pc]
			for _, r := range l.Sets(in) {
				p.defs[r]++
			}
			for _, r := range l.Reads(in) {
				p.uses[r]++
			}
			switch in.Op {
			case compile.Const, compile.Boxed:
				constants = append(constants, in)
			case compile.Goal:
				goals++
				words += int(in.N)
			case compile.Delay:
				goals++
				words += int(in.N) + 2 // for a hook; it mostly waits for one variable
			case compile.NewVar:
				words++
			case compile.PutList:
				words += 2
			case compile.PutStr:
				words += 1 + int(in.N)
			}
			if in.Op != compile.Commit { // a body is a part of its own
				todo = append(todo, l.Labels(in)...)
			}
			if !in.Op.Falls() {
				break
			}
			pc++
		}
	}
	l.maxGoals, l.maxWords = max(l.maxGoals, goals), max(l.maxWords, words)
	for _, in := range constants {
		if p.defs[in.A] == 1 {
			if r, ok := l.constant(in); ok {
				p.same[in.A] = r
			}
		}
	}
	if passive == nil {
		later := *p
		later.blocked = true
		later.later = &later
		p.later = &later
	}
	return p
}

// constant returns the register that holds a constant, if one is left.
func (l *lowering) constant(in *compile.Ins) (uint16, bool) {
	w := term.Word(in.K)
	if in.Op == compile.Boxed {
		w = term.Word(in.K)<<term.TagBits | term.Raw
	}
	r, ok := l.constRegs[w]
	if !ok {
		if len(l.consts) == maxConsts {
			return 0, false
		}
		r = uint16(numRegs - 1 - len(l.consts))
		l.consts = append(l.consts, w)
		l.constRegs[w] = r
	}
	return r, true
}

// reg returns the register of an operand: that of a constant if it is one.
func (p *part) reg(r uint16) uint16 {
	for ; p != nil; p = p.passive {
		if c, ok := p.same[r]; ok {
			return c
		}
	}
	return r
}
