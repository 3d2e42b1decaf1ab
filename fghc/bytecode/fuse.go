package bytecode

import (
	"slices"

	"whorl/fghc/arith"
	"whorl/fghc/compile"
)

// Clauses often have opposite guards: X < Y and X >= Y, or X mod Y =:= 0 and X mod Y =\= 0. If the first comparison
// does not hold the second one does, and need not be made.

// failLabel returns the label where the code continues when the comparison at pc does not hold. This is the label
// behind the opposite comparison if that comes next.
func (l *lowering) failLabel(p *part, pc int32) int32 {
	in := &l.Code[pc]
	same := map[uint16]uint16{} // from the registers of repeated computations to those of the first results
	for label := in.Fail; label != 0; label++ {
		next := &l.Code[label]
		switch next.Op {
		case compile.Const, compile.Boxed:
			if _, ok := p.constants[next.A]; !ok {
				return in.Fail
			}
		case compile.Arith:
			done := &l.Code[pc-1]
			if done.Op != compile.Arith || done.A != in.A && done.A != in.B || done.K != next.K || p.reg(done.B) != p.reg(next.B) || p.reg(done.C) != p.reg(next.C) {
				return in.Fail
			}
			same[next.A] = done.A
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
				if l.needs(label+1, r, map[int32]bool{}) {
					return in.Fail
				}
			}
			return label + 1
		default:
			return in.Fail
		}
	}
	return in.Fail
}

// needs reports whether the code from a label on, including bodies, reads a register before setting it.
func (l *lowering) needs(pc int32, r uint16, seen map[int32]bool) bool {
	for pc != 0 && !seen[pc] {
		seen[pc] = true
		in := &l.Code[pc]
		if slices.Contains(l.Reads(in), r) {
			return true
		}
		if in.Op == compile.Commit {
			pc = in.Target
			continue
		}
		if slices.Contains(l.Sets(in), r) {
			return false
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

// pair emits an instruction that combines the one at pc and the next for the most frequent case: small integers and
// private variables. The caller emits the two after it, for all other cases.
func (l *lowering) pair(p *part, pc int32) {
	in, next := &l.Code[pc], &l.Code[pc+1]
	if in.Op != compile.Arith || int(pc)+2 >= len(l.Code) {
		return
	}
	switch o := in.ArithOp(); {
	case o == arith.Mod && next.Op == compile.Compare && next.A == in.A && (next.Rel() == compile.Same || next.Rel() == compile.NotSame):
		n := 0
		if next.Rel() == compile.Same {
			n = 1
		}
		l.put(instr(ModSame, n, in.A, p.reg(in.B), p.reg(in.C)))
		l.emitPlaces(p.place(l.failLabel(p, pc+1)), place{})
		l.put(Word(p.reg(next.B)))
	case (o == arith.Add || o == arith.Sub) && l.first && !l.Priorities && next.Op == compile.Unify && next.B == in.A && p.uses[in.A] == 1:
		n := 0
		if o == arith.Sub {
			n = Difference
		}
		switch l.Code[pc+2].Op {
		case compile.Proceed:
		case compile.Done:
			n |= OfWaiter
		default:
			return
		}
		l.put(instr(SumEnd, n, p.reg(next.A), p.reg(in.B), p.reg(in.C)), Word(p.clause))
	}
}

// nextVar returns the label of the next NewVar after the one at pc if there are only goals between them, 0 otherwise.
// These goals do not use its register.
func (l *lowering) nextVar(pc int32) int32 {
	next := pc + 1
	for l.Code[next].Op == compile.Goal {
		next++
	}
	if l.Code[next].Op != compile.NewVar {
		return 0
	}
	for k := pc + 1; k < next; k++ {
		if slices.Contains(l.Arguments(&l.Code[k]), l.Code[next].A) {
			return 0
		}
	}
	return next
}

// copying returns the address of a Copy in front of the procedure at an address if its goals copy a cell of a list and
// continue with the next one, as in append, and the address itself otherwise.
func (l *lowering) copying(proc int, entry int32) int32 {
	code := l.out.Words[entry:]
	if len(code) < 8 || code[0].Op() != List || code[3].Op() != ConsExec || code[5].Op() != Exec || code[5].N() != 2 || ProcOf(uint64(code[6])) != proc {
		return entry
	}
	list, cell, moves := code[0], code[3], code[7]
	from, to := [2]uint16{list.A(), list.B() + 1}, [2]uint16{cell.A(), cell.C()}
	first, second := [2]uint16{moves.Reg(0), moves.Reg(1)}, [2]uint16{moves.Reg(2), moves.Reg(3)}
	if cell.B() != list.B() || (first != from || second != to) && (first != to || second != from) {
		return entry
	}
	return int32(l.put(instr(Copy, 0, list.A(), cell.A(), 0), Word(entry), code[6]))
}
