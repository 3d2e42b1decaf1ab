package engine

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// compareSlow compares numbers of which one at least is no Int word, or waits, or says that they are none.
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

// arithSlow is Arith without the quick way: operands may be unbound, no numbers, or of several words. Not ok means a run-time error.
func (e *Engine) arithSlow(in *compile.Ins, a, b term.Word, pc int32) (int32, bool) {
	op := in.ArithOp()
	if a.Tag() == term.Ref || b.Tag() == term.Ref {
		e.blockBoth(a, b)
		return in.Blocked, true
	}
	work := e.work // the words of a number cost nothing but their limbs
	w, problem, text := builtin.Arith((*platform)(e), op, a, b)
	e.work = work
	switch {
	case problem == builtin.None:
		if op&builtin.Big != 0 {
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
