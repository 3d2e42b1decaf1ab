package engine

import (
	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// compareSlow compares numbers that do not both fit an Int word, and returns where the code continues.
func (e *Engine) compareSlow(in *compile.Ins, a, b term.Word, pc int32) int32 {
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked
	}
	sign, ok := builtin.Sign((*platform)(e), in.Op == compile.FloatCompare, a, b)
	if !ok {
		return in.Type
	}
	if !in.Rel().Holds(int64(sign), 0) {
		return in.Fail
	}
	return pc
}

func (e *Engine) blockBoth(a, b term.Word) {
	if a.Tag() == term.Ref {
		e.block(a)
	}
	if b.Tag() == term.Ref {
		e.block(b)
	}
}

// arithSlow executes an Arith whose operands may be unbound, of several words, or no numbers. It returns where the code
// continues; ok is false after a run-time error.
func (e *Engine) arithSlow(in *compile.Ins, a, b term.Word, pc int32) (next int32, ok bool) {
	op := in.ArithOp()
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked, true
	}
	work := e.work // a number costs its limbs only
	w, problem, text := builtin.Arith((*platform)(e), op, a, b)
	e.work = work
	switch {
	case problem == builtin.None:
		if op&arith.Big != 0 {
			v, _ := builtin.Integer((*platform)(e), w)
			e.work += int64(len(v.Bits())) * e.costs.Limb
		}
		e.x[in.A] = w
		return pc, true
	case problem != builtin.TooLarge && in.Type != 0:
		return in.Type, true
	}
	e.err = e.arithError(in, text)
	return 0, false
}
