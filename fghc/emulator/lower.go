package emulator

import (
	"fmt"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// Registers: those of the compiler from 0 on; constants have registers of their own, from the top down, set once and for all.
const (
	numRegs   = 1 << 16
	maxConsts = 1 << 14
)

// A program is the code of a compile.Program and a query for these PEs.
type program struct {
	*compile.Program
	query *compile.Query

	code     []uint64
	tables   []table
	entries  []uint32    // by procedure
	begin    uint32      // of the query
	consts   []term.Word // register numRegs-1-i holds consts[i]; a Raw word stands for number Index of Program.Constants
	maxGoals int         // goals that a body has
	maxWords int         // words of the arena that its terms take, less what builtins ask for

	tryWords, tryRecords int // words of the arena and of the table that a try may take, and the goal that is put back behind it

	functions []Func   // by procedure; nil is bytecode
	labels    []uint32 // of the compile.Program, where nothing has blocked: addresses, 0 for none; only where there are functions
}

// A table is a compile.Table with labels of ours.
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

// A lowering turns the compiler's instructions into words. Instructions that often follow each other become one; constants become
// registers; the goals of a body are pushed from the last to the second, and the first goes on in place.
type lowering struct {
	*program
	stays bool // policy: new work stays where it is
	at    map[spot]int32
	todo  []place
	fixes []fix
	mine  []switching          // of the procedure in hand
	known map[term.Word]uint16 // registers of constants
	parts map[int32]*part      // bodies by their labels
	spare int                  // registers that the compiler does not use
	execs []exec               // whose addresses are to be filled in
	alone bool                 // no goal of the body in hand has been met yet
}

// A part is the passive part of a procedure, or a body. The compiler uses registers anew in each body.
type part struct {
	passive    *part // of a body
	defs, uses map[uint16]int
	same       map[uint16]uint16 // registers that hold a constant, and where it is
	clause     int               // of a body
	later      *part             // the same after something has blocked; nil for a body
	blocked    bool              // it is that
}

// A place is a label in a part.
type place struct {
	label int32
	part  *part
}

// A spot tells code apart: what comes after something has blocked is emitted apart from the same code before, which so need not look.
type spot struct {
	label   int32
	blocked bool
}

func (p place) key() spot { return spot{p.label, p.part.blocked} }

// at is a label of the part; after is one where something has blocked.
func (p *part) at(label int32) place { return place{label, p} }

func (p *part) after(label int32) place {
	if p.later != nil {
		p = p.later
	}
	return place{label, p}
}

// A switching is a switch whose table is to be filled in.
type switching struct {
	table int
	of    *compile.Table
	part  *part
}

// An exec is an instruction at an index, and the procedure that it goes to.
type exec struct{ at, proc int }

// A fix is half a word of code that waits for the address of a label.
type fix struct {
	at    int
	shift uint
	to    spot
}

// lower returns the code of a program. Functions, which may be nil, are by procedure.
func lower(p *compile.Program, q *compile.Query, stays bool, functions []Func) (*program, error) {
	l := &lowering{
		program: &program{Program: p, query: q, code: make([]uint64, 1), entries: make([]uint32, len(p.Procs)), functions: functions},
		stays:   stays, at: map[spot]int32{}, known: map[term.Word]uint16{}, parts: map[int32]*part{}, spare: p.Registers,
	}
	for i := range p.Procs {
		l.entries[i] = uint32(l.procedure(p.Procs[i].Entry, l.survey(p.Procs[i].Entry, nil)))
		if i < len(functions) && functions[i] != nil {
			l.entries[i] = uint32(l.put(uint64(opNative) | uint64(i)<<16))
		}
	}
	if functions != nil {
		l.labels = make([]uint32, len(p.Code))
		for at, address := range l.at {
			if !at.blocked {
				l.labels[at.label] = uint32(address)
			}
		}
	}
	query := l.survey(q.Entry, nil)
	query.later = nil // it is a body
	l.begin = uint32(l.procedure(q.Entry, query))
	l.put(0, 0) // the loop looks two words ahead
	for _, e := range l.execs {
		l.code[e.at] |= uint64(l.entries[e.proc]) << 32
	}
	arity := 0
	for i := range p.Procs {
		arity = max(arity, p.Procs[i].Arity)
	}
	l.tryWords = max(l.maxWords, arity+3*fewBlocked) + arity
	l.tryRecords = (l.maxGoals + 2) * recordSize
	if l.spare+len(l.consts) > numRegs {
		return nil, fmt.Errorf("the program needs %d registers, %d is the most", l.spare+len(l.consts), numRegs)
	}
	return l.program, nil
}

// procedure emits all code that can be reached from a label and returns its address.
func (l *lowering) procedure(entry int32, p *part) int32 {
	l.todo = append(l.todo, p.at(entry))
	for len(l.todo) > 0 {
		n := len(l.todo) - 1
		next := l.todo[n]
		l.todo = l.todo[:n]
		if _, done := l.at[next.key()]; next.label != 0 && !done {
			l.chain(next.label, next.part)
		}
	}
	for _, f := range l.fixes {
		l.code[f.at] |= uint64(uint32(l.at[f.to])) << f.shift
	}
	for _, m := range l.mine {
		address := func(to place) uint32 { return uint32(l.at[to.key()]) }
		t := table{
			list: address(m.part.at(m.of.List)), other: address(m.part.at(m.of.Default)), blocked: address(m.part.after(m.of.Blocked)),
			keys: m.of.Keys, labels: make([]uint32, len(m.of.Labels)),
		}
		for k, label := range m.of.Labels {
			t.labels[k] = address(m.part.at(label))
		}
		if m.of.Index != nil {
			t.index = make(map[term.Word]uint32, len(t.keys))
			for k, key := range t.keys {
				t.index[key] = t.labels[k]
			}
		}
		l.tables[m.table] = t
	}
	l.fixes, l.mine = l.fixes[:0], l.mine[:0]
	return l.at[p.at(entry).key()]
}

// survey counts how often each register of a part is set and used, and finds those that are set once, to a constant. What a commit leads
// to is a part of its own, whose passive part is given.
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
				words += int(in.N) + 2 // it waits for one variable mostly
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

// constant returns the register that holds a constant for good.
func (l *lowering) constant(in *compile.Ins) (uint16, bool) {
	w := term.Word(in.K)
	if in.Op == compile.Boxed {
		w = term.Word(in.K)<<term.TagBits | term.Raw
	}
	r, ok := l.known[w]
	if !ok {
		if len(l.consts) == maxConsts {
			return 0, false
		}
		r = uint16(numRegs - 1 - len(l.consts))
		l.consts = append(l.consts, w)
		l.known[w] = r
	}
	return r, true
}

// reg is the register where an operand is found.
func (p *part) reg(r uint16) uint16 {
	for ; p != nil; p = p.passive {
		if c, ok := p.same[r]; ok {
			return c
		}
	}
	return r
}
