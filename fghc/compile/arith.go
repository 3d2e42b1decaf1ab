package compile

import (
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
)

// A domain is what an expression computes with.
type domain uint8

const (
	ints domain = iota // of 64 bits
	bigs               // integers of any size
	floats
)

// kl1 is how the names of files end in which integers wrap around, as they do for KLIC.
const kl1 = ".kl1"

// operand returns a register that holds the value of an expression, or, for a variable, may hold it: a Compare looks for itself.
func (b *body) operand(e syntax.Term, in domain) uint16 {
	switch e.(type) {
	case *syntax.Var, *syntax.Int, *syntax.Float:
		return b.build(e)
	}
	r := b.temp()
	b.arith(e, r, in)
	return r
}

// arith emits the computation of an expression into register dst. Labels are for the caller to set.
func (b *body) arith(e syntax.Term, dst uint16, in domain) {
	table, bit, same := builtin.IntOps, ArithOp(0), Copy
	switch in {
	case bigs:
		bit = Big
	case floats:
		table, same = builtin.FloatOps, builtin.FloatCopy
	}
	switch e := e.(type) {
	case *syntax.Int:
		if in != floats {
			b.constant(e, dst)
			return
		}
	case *syntax.Float:
		if in == floats {
			b.constant(e, dst)
			return
		}
	case *syntax.Compound:
		op, ok := builtin.Lookup(table, e.Name, len(e.Args))
		if !ok {
			break
		}
		of := in
		switch op {
		case builtin.ToFloat:
			of = ints
		case builtin.ToInt:
			of, bit = floats, 0
		}
		l := b.operand(e.Args[0], of)
		r := l
		if len(e.Args) == 2 {
			r = b.operand(e.Args[1], of)
		}
		if in == ints && op < Copy && strings.HasSuffix(e.At.File, kl1) {
			bit |= builtin.Wrap
		}
		b.emit(Ins{Op: Arith, A: dst, B: l, C: r, K: int64(op | bit)})
		return
	case *syntax.Var:
		r := b.build(e)
		b.emit(Ins{Op: Arith, A: dst, B: r, C: r, K: int64(same | bit)})
		return
	}
	if in == floats {
		b.c.fail(e.Pos(), syntax.Format(e)+" is no expression of floats", "a float, a variable or an operator")
		return
	}
	b.c.fail(e.Pos(), syntax.Format(e)+" is no arithmetic expression", "an integer, a variable or an operator")
}

// constant puts a number, an atom or a string into register dst.
func (b *body) constant(t syntax.Term, dst uint16) {
	if w, ok := b.c.constant(t); ok {
		b.emit(Ins{Op: Const, A: dst, K: int64(w)})
	} else {
		b.emit(Ins{Op: Boxed, A: dst, K: int64(b.c.p.constant(boxed(t)))})
	}
}

// assign is X := E, bigint(E, X) or X $:= E: computed at once where the operands are there, and by a goal of its own where they are not.
func (b *body) assign(g syntax.Goal, x, e syntax.Term, in domain) {
	vars := map[string]uint16{} // where the builtin finds them
	regs := b.operands(e, nil, 0, vars)
	site := b.site(g)
	from := int32(len(b.c.p.Code))
	late := lateBuiltin{from: from}
	xr, known := b.vars.known(x)
	v, isVar := x.(*syntax.Var)
	if isVar && !known {
		xr = b.temp()
		b.arith(e, xr, in)
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
		b.arith(e, r, in)
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
	name := [...]string{":=", "bigint", "$:="}[in]
	proc := len(b.c.p.Procs)
	b.c.p.Procs = append(b.c.p.Procs, Proc{Name: name, Arity: len(regs) + 1, Builtin: true, Pos: g.Term.Pos()})
	b.c.pending = append(b.c.pending, pendingBuiltin{proc: proc, expr: e, vars: vars, in: in, site: site})
	late.call = Ins{Op: Delay, A: uint16(len(regs) + 1), K: int64(proc), Fail: b.args(append(regs, xr)), Blocked: int32(site)}
	b.late = append(b.late, late)
}

// atSite notes where an Arith of a body was written, for its errors.
func (in *Ins) atSite(site int) {
	if in.Op == Arith {
		in.Fail = int32(site)
	}
}
