package compile

import (
	"strings"

	"whorl/fghc/arith"
	"whorl/fghc/syntax"
)

// A domain is the kind of number that an expression computes with.
type domain uint8

const (
	ints domain = iota // 64 bits
	bigs               // integers of any size
	floats
)

// kl1 is the suffix of files whose integers wrap around, as in KLIC.
const kl1 = ".kl1"

// operand returns a register with the value of an expression. For a variable it is the variable's register: a Compare
// dereferences it.
func (b *body) operand(e syntax.Term, d domain) uint16 {
	switch e.(type) {
	case *syntax.Var, *syntax.Int, *syntax.Float:
		return b.build(e)
	}
	r := b.temp()
	b.arith(e, r, d)
	return r
}

// arith emits the computation of an expression into register dst. The caller sets the labels and the site.
func (b *body) arith(e syntax.Term, dst uint16, d domain) {
	table, bit, same := arith.IntOps, arith.Op(0), arith.Copy
	switch d {
	case bigs:
		bit = arith.Big
	case floats:
		table, same = arith.FloatOps, arith.FloatCopy
	}
	switch e := e.(type) {
	case *syntax.Int:
		if d != floats {
			b.constant(e, dst)
			return
		}
	case *syntax.Float:
		if d == floats {
			b.constant(e, dst)
			return
		}
	case *syntax.Compound:
		op, ok := arith.Lookup(table, e.Name, len(e.Args))
		if !ok {
			break
		}
		inner := d
		switch op {
		case arith.ToFloat:
			inner = ints
		case arith.ToInt:
			inner, bit = floats, 0
		}
		l := b.operand(e.Args[0], inner)
		r := l
		if len(e.Args) == 2 {
			r = b.operand(e.Args[1], inner)
		}
		if d == ints && op < arith.Copy && strings.HasSuffix(e.Pos.File, kl1) {
			bit |= arith.Wrap
		}
		b.emit(Ins{Op: Arith, A: dst, B: l, C: r, K: int64(op | bit)})
		return
	case *syntax.Var:
		r := b.build(e)
		b.emit(Ins{Op: Arith, A: dst, B: r, C: r, K: int64(same | bit)})
		return
	}
	if d == floats {
		b.c.fail(e.Position(), syntax.Format(e)+" is no expression of floats", "a float, a variable or an operator")
		return
	}
	b.c.fail(e.Position(), syntax.Format(e)+" is no arithmetic expression", "an integer, a variable or an operator")
}

// constant emits the load of a number, an atom or a string into register dst.
func (b *body) constant(t syntax.Term, dst uint16) {
	if w, ok := b.c.constant(t); ok {
		b.emit(Ins{Op: Const, A: dst, K: int64(w)})
	} else {
		b.emit(Ins{Op: Boxed, A: dst, K: int64(b.c.p.constant(boxed(t)))})
	}
}

// assign emits X := E, bigint(E, X) or X $:= E. It is computed at once if the operands are bound; a waiter computes it
// otherwise.
func (b *body) assign(g syntax.Goal, x, e syntax.Term, d domain) {
	vars := map[string]uint16{} // the waiter's registers
	regs := b.operands(e, nil, 0, vars)
	site := b.site(g)
	late := fallback{from: b.c.nextLabel()}
	xr, known := b.vars.known(x)
	v, isVar := x.(*syntax.Var)
	if isVar && !known {
		xr = b.temp()
		b.arith(e, xr, d)
		late.fresh = []uint16{xr}
		if v.Name != "_" {
			b.vars.env[v.Name] = xr
		}
	} else {
		if !known {
			xr = b.build(x)
			late.from = b.c.nextLabel()
		}
		r := b.temp()
		b.arith(e, r, d)
		b.emit(Ins{Op: Unify, A: xr, B: r, Site: int32(site)})
	}
	late.to = b.c.nextLabel()
	late.back = late.to
	b.c.setSites(late.from, late.to, site)
	if len(regs) == 0 && d != bigs { // constants need no waiter, unless the result may be too large for the space that is left
		return
	}
	pr := Proc{Name: [...]string{":=", "bigint", "$:="}[d], Arity: len(regs) + 1, Builtin: true, Pos: g.Term.Position()}
	proc := b.c.wait(pr, waiter{expr: e, vars: vars, domain: d, site: site})
	late.delay = b.goalIns(Delay, proc, append(regs, xr), site)
	b.fallbacks = append(b.fallbacks, late)
}
