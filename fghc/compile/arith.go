package compile

import (
	"slices"

	"whorl/fghc/syntax"
)

var binaryOps = map[string]ArithOp{
	"+": Add, "-": Sub, "*": Mul, "/": Div, "mod": Mod, "/\\": And, "\\/": Or, "xor": Xor, "<<": ShiftLeft, ">>": ShiftRight,
}

var unaryOps = map[string]ArithOp{"-": Negate, "\\": Complement, "+": Copy}

// operand returns a register that holds the value of an expression, or, for a variable, may hold it: a Compare looks for itself.
func (b *body) operand(e syntax.Term) uint16 {
	switch e.(type) {
	case *syntax.Var, *syntax.Int:
		return b.build(e)
	}
	r := b.temp()
	b.arith(e, r, 0)
	return r
}

// arith emits the computation of an expression into register dst. Labels are for the caller to set.
func (b *body) arith(e syntax.Term, dst uint16, bigBit ArithOp) {
	switch e := e.(type) {
	case *syntax.Int:
		if w, ok := b.c.constant(e); ok {
			b.emit(Ins{Op: Const, A: dst, K: int64(w)})
		} else {
			b.emit(Ins{Op: Boxed, A: dst, K: int64(b.c.p.constant(boxed(e)))})
		}
		return
	case *syntax.Compound:
		if op, ok := binaryOps[e.Name]; ok && len(e.Args) == 2 {
			l := b.subexpression(e.Args[0], bigBit)
			r := b.subexpression(e.Args[1], bigBit)
			b.emit(Ins{Op: Arith, A: dst, B: l, C: r, K: int64(op | bigBit)})
			return
		}
		if op, ok := unaryOps[e.Name]; ok && len(e.Args) == 1 {
			l := b.subexpression(e.Args[0], bigBit)
			b.emit(Ins{Op: Arith, A: dst, B: l, C: l, K: int64(op | bigBit)})
			return
		}
	case *syntax.Var:
		r := b.build(e)
		b.emit(Ins{Op: Arith, A: dst, B: r, C: r, K: int64(Copy | bigBit)})
		return
	}
	b.c.fail(e.Pos(), syntax.Format(e)+" is no arithmetic expression", "an integer, a variable or an operator")
}

func (b *body) subexpression(e syntax.Term, bigBit ArithOp) uint16 {
	switch e.(type) {
	case *syntax.Var, *syntax.Int:
		return b.build(e)
	}
	r := b.temp()
	b.arith(e, r, bigBit)
	return r
}

// assign is X := E, or bigint(E, X): computed at once where the operands are there, and by a goal of its own where they are not.
func (b *body) assign(g syntax.Goal, x, e syntax.Term, bigBit ArithOp) {
	var regs []uint16
	vars := map[string]uint16{} // where the builtin finds them: two names may be one variable
	walkVars(e, func(v *syntax.Var) {
		r := b.build(v)
		i := slices.Index(regs, r)
		if i < 0 {
			i, regs = len(regs), append(regs, r)
		}
		vars[v.Name] = uint16(i)
	})
	site := b.site(g)
	from := int32(len(b.c.p.Code))
	late := lateBuiltin{from: from}
	xr, known := b.vars.known(x)
	v, isVar := x.(*syntax.Var)
	if isVar && !known {
		xr = b.temp()
		b.arith(e, xr, bigBit)
		late.fresh = []uint16{xr}
		if v.Name != "_" {
			b.vars.env[v.Name] = xr
		}
	} else {
		if !known {
			xr = b.build(x)
			late.from = int32(len(b.c.p.Code))
		}
		r := b.temp()
		b.arith(e, r, bigBit)
		b.emit(Ins{Op: Unify, A: xr, B: r, K: int64(site)})
	}
	late.to = int32(len(b.c.p.Code))
	late.back = late.to
	for i := late.from; i < late.to; i++ {
		b.c.p.Code[i].atSite(site)
	}
	if len(regs) == 0 {
		return // constants do not wait
	}
	name := ":="
	if bigBit != 0 {
		name = "bigint"
	}
	proc := len(b.c.p.Procs)
	b.c.p.Procs = append(b.c.p.Procs, Proc{Name: name, Arity: len(regs) + 1, Builtin: true, Pos: g.Term.Pos()})
	b.c.pending = append(b.c.pending, pendingBuiltin{proc: proc, expr: e, vars: vars, big: bigBit, site: site})
	late.call = Ins{Op: Delay, A: uint16(len(regs) + 1), K: int64(proc), Fail: b.args(append(regs, xr)), Blocked: int32(site)}
	b.late = append(b.late, late)
}

// atSite notes where an Arith of a body was written, for its errors.
func (in *Ins) atSite(site int) {
	if in.Op == Arith {
		in.Fail = int32(site)
	}
}
