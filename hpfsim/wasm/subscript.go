package wasm

import (
	"fmt"
	"math/bits"
	"strings"

	"whorl/hpfsim/lower"
)

// address generates the address of an element, less a distance in bytes that it returns. It checks the subscripts in order.
func (g *generator) address(e *lower.Element) (distance int) {
	if h := g.hoisted; h != nil && h.pointer[e] != nil {
		return h.address(g, e)
	}
	a := g.arrays[e.Sym]
	for d, sub := range e.Subs {
		l := g.subscript(e, d, sub.Index)
		if d == 0 {
			g.get(a.base)
		}
		g.get(l)
		if d == 0 { // the elements of the first dimension are adjacent
			g.int(int64(bits.TrailingZeros(uint(sizeOf(e.T)))))
			g.op(i32Shl)
		} else {
			g.get(a.steps[d])
			g.op(i32Mul)
		}
		g.op(i32Add)
	}
	return 0
}

// subscript generates the check of a subscript, unless it is known to be within bounds. It returns the local of its distance from the lower bound.
func (g *generator) subscript(e *lower.Element, d int, x lower.Expr) int {
	a := g.arrays[e.Sym]
	key, vars, simple := text(x)
	key = fmt.Sprintf("%p %d %s", e.Sym, d, key)
	if simple {
		if o := g.checked[key]; o != nil {
			return o.local
		}
	}
	i, at := g.local(kindOf(x.Type())), g.local(i32)
	g.value(x)
	g.tee(i)
	if kindOf(x.Type()) == i64 {
		g.get(a.lo[d])
		g.op(i64Extend, i64Sub)
		wide := g.local(i64)
		g.tee(wide)
		g.get(a.n[d])
		g.op(i64ExtendUnsigned, i64GeU)
		g.fault(Point{Expr: e, Dim: d}, func() { g.get(i) })
		g.get(wide)
		g.op(i32Wrap)
		g.set(at)
	} else {
		g.get(a.lo[d])
		g.op(i32Sub)
		g.tee(at)
		g.get(a.n[d])
		g.op(i32GeU)
		g.fault(Point{Expr: e, Dim: d}, func() { g.get(i); g.op(i64Extend) })
	}
	if simple {
		g.checked[key] = &offset{at, vars}
	}
	return at
}

// text returns a text that is the same for subscripts with the same value as long as the variables keep theirs. It returns false for subscripts with elements or
// functions.
func text(x lower.Expr) (key string, vars []*lower.Symbol, ok bool) {
	var b strings.Builder
	ok = true
	lower.Walk(x, func(e lower.Expr) {
		switch e := e.(type) {
		case *lower.Const:
			fmt.Fprint(&b, e.I, " ")
		case *lower.Ref:
			fmt.Fprintf(&b, "%p ", e.Sym)
			vars = append(vars, e.Sym)
		case *lower.Binary:
			fmt.Fprint(&b, e.Op, e.T.Size, " ")
		case *lower.Unary:
			fmt.Fprint(&b, "-", e.Op, e.T.Size, " ")
		default:
			ok = false
		}
	})
	return b.String(), vars, ok
}
