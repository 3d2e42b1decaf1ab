package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
)

// Clauses with opposite guards, X < Y and X >= Y, or X mod Y =:= 0 and X mod Y =\= 0, test one after the other. Where the first comparison
// has been made and does not hold, the second one holds.

// past returns where the code goes on when the comparison at pc does not hold: behind the opposite one, if that is what comes next.
func (l *lowering) past(p *part, pc int32) int32 {
	in := &l.Code[pc]
	same := map[uint16]uint16{} // registers of a computation that has been made already, and where its result is
	at := in.Fail
	for at != 0 {
		next := &l.Code[at]
		switch next.Op {
		case compile.Const, compile.Boxed:
			if _, ok := p.same[next.A]; !ok {
				return in.Fail
			}
		case compile.Arith:
			made := &l.Code[pc-1]
			if made.Op != compile.Arith || made.A != in.A && made.A != in.B || made.K != next.K || p.reg(made.B) != p.reg(next.B) || p.reg(made.C) != p.reg(next.C) {
				return in.Fail
			}
			same[next.A] = made.A
		case compile.Compare:
			found := func(r uint16) uint16 {
				if s, ok := same[r]; ok {
					return s
				}
				return p.reg(r)
			}
			if in.Rel().Not() != next.Rel() || found(next.A) != p.reg(in.A) || found(next.B) != p.reg(in.B) {
				return in.Fail
			}
			for r := range same {
				if l.needs(at+1, r, map[int32]bool{}) {
					return in.Fail
				}
			}
			return at + 1
		default:
			return in.Fail
		}
		at++
	}
	return in.Fail
}

// needs says whether the code from a label on, bodies included, reads a register before it sets it.
func (l *lowering) needs(pc int32, r uint16, seen map[int32]bool) bool {
	for pc != 0 && !seen[pc] {
		seen[pc] = true
		in := &l.Code[pc]
		for _, q := range l.Reads(in) {
			if q == r {
				return true
			}
		}
		if in.Op == compile.Commit {
			pc = in.Target
			continue
		}
		for _, q := range l.Sets(in) {
			if q == r {
				return false
			}
		}
		for _, label := range l.Labels(in) {
			if l.needs(label, r, seen) {
				return true
			}
		}
		if !in.Op.Falls() {
			return false
		}
		pc++
	}
	return false
}

// pair emits an instruction that does what the ones at pc and behind it do in the most frequent case, for words that are small integers and
// variables that nobody else knows. They stand behind it, where it goes in all others.
func (l *lowering) pair(p *part, pc int32) {
	in, next := &l.Code[pc], &l.Code[pc+1]
	if in.Op != compile.Arith || int(pc)+2 >= len(l.Code) {
		return
	}
	switch o := in.ArithOp(); {
	case o == builtin.Mod && next.Op == compile.Compare && next.A == in.A && (next.Rel() == compile.Same || next.Rel() == compile.NotSame):
		n := 0
		if next.Rel() == compile.Same {
			n = 1
		}
		l.put(instr(opModSame, n, in.A, p.reg(in.B), p.reg(in.C)))
		l.two(p.at(l.past(p, pc+1)), place{})
		l.put(uint64(p.reg(next.B)))
	case o == builtin.Add && l.alone && !l.Priorities && next.Op == compile.Unify && next.B == in.A && p.uses[in.A] == 1 && l.Code[pc+2].Op == compile.Proceed:
		l.put(instr(opAddEnd, 0, p.reg(next.A), p.reg(in.B), p.reg(in.C)), uint64(p.clause))
	}
}
