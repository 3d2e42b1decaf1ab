package bytecode

import (
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// A lowering is the state of Lower.
type lowering struct {
	*compile.Program
	out       *Program
	stays     bool                 // new goals stay on their PE
	addresses map[place]int32      // of the places emitted so far
	todo      []place              // still to be emitted
	fixes     []fix                // of the current procedure
	switches  []switching          // of the current procedure
	constRegs map[term.Word]uint16 // registers of constants
	bodies    map[int32]*part      // by label
	deferrals map[int32]compile.Deferral
	spare     int // next register that the compiler does not use
	execs     []exec
	first     bool // no goal of the current body has been reached yet
}

// A part is the passive part of a procedure, or a body. Registers have new meanings in each body.
type part struct {
	passive    *part             // the passive part before a body
	defs, uses map[uint16]int    // numbers of instructions that set and read each register
	constants  map[uint16]uint16 // registers of constants, by the register to which the program assigns the constant
	clause     int               // of a body
	later      *part             // the passive part after a test has blocked; nil for a body
	blocked    bool              // this is that passive part
}

// A place is a label in a part. The same label has other code before a test has blocked than after.
type place struct {
	label int32
	part  *part
}

// place returns a label in the part.
func (p *part) place(label int32) place { return place{label, p} }

// blockedPlace returns a label in the part after a test has blocked.
func (p *part) blockedPlace(label int32) place {
	if p.later != nil {
		p = p.later
	}
	return place{label, p}
}

// A switching is a Switch whose table is not filled in yet.
type switching struct {
	table  int
	source *compile.Table
	part   *part
}

// An exec is the index of an Exec whose target, the entry of a procedure, is not filled in yet.
type exec struct{ index, proc int }

// A fix is half a word of code that lacks the address of a place.
type fix struct {
	index int
	shift uint
	place place
}

// procedure emits all code reachable from a label and returns the address of the label.
func (l *lowering) procedure(entry int32, p *part) int32 {
	l.todo = append(l.todo, p.place(entry))
	for len(l.todo) > 0 {
		n := len(l.todo) - 1
		next := l.todo[n]
		l.todo = l.todo[:n]
		if _, done := l.addresses[next]; next.label != 0 && !done {
			l.chain(next.label, next.part)
		}
	}
	for _, f := range l.fixes {
		l.out.Words[f.index] |= Word(uint32(l.addresses[f.place])) << f.shift
	}
	for _, m := range l.switches {
		t := compile.Table{
			List: l.addresses[m.part.place(m.source.List)], Default: l.addresses[m.part.place(m.source.Default)], Blocked: l.addresses[m.part.blockedPlace(m.source.Blocked)],
			Keys: m.source.Keys, Labels: make([]int32, len(m.source.Labels)),
		}
		for k, label := range m.source.Labels {
			t.Labels[k] = l.addresses[m.part.place(label)]
		}
		t.Complete()
		l.out.Tables[m.table] = t
	}
	l.fixes, l.switches = l.fixes[:0], l.switches[:0]
	return l.addresses[p.place(entry)]
}

// survey returns the part that begins at a label. It counts how often each register is set and read, and finds the
// registers that are set once, to a constant. A body is a part of its own; passive is the part before it.
func (l *lowering) survey(entry int32, passive *part) *part {
	p := &part{passive: passive, defs: map[uint16]int{}, uses: map[uint16]int{}, constants: map[uint16]uint16{}}
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
				words += int(in.N) + 2 // for one hook: most waiters wait for one variable
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
	l.out.MaxGoals, l.out.MaxHeap = max(l.out.MaxGoals, goals), max(l.out.MaxHeap, words)
	for _, in := range constants {
		if p.defs[in.A] == 1 {
			if r, ok := l.constant(in); ok {
				p.constants[in.A] = r
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
		n := len(l.out.Constants)
		if n == maxConsts {
			return 0, false
		}
		r = uint16(NumRegs - 1 - n)
		l.out.Constants = append(l.out.Constants, w)
		l.constRegs[w] = r
	}
	return r, true
}

// reg returns the register of an operand. For a constant this is the register of the constant.
func (p *part) reg(r uint16) uint16 {
	for ; p != nil; p = p.passive {
		if c, ok := p.constants[r]; ok {
			return c
		}
	}
	return r
}
