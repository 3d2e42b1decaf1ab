package wasm

import (
	"fmt"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// Translates reports whether a nest computes an operation or a function from the values of its operands. An operation that can fail is not among them.
func Translates(x lower.Expr) bool {
	if !represented(x.Type()) {
		return false
	}
	switch e := x.(type) {
	case *lower.Unary:
		return true
	case *lower.Conv:
		return e.X.Type().Base != syntax.LogicalType && represented(e.X.Type())
	case *lower.Binary:
		switch {
		case !represented(e.X.Type()) || !represented(e.Y.Type()):
			return false
		case e.Op == syntax.Pow:
			n, ok := e.Y.(*lower.Const)
			return ok && n.T.Base == syntax.IntegerType && e.T.Floating() && max(n.I, -n.I) <= mostPower
		}
		return e.Op != syntax.Div || e.T.Floating() || positive(e.Y)
	case *lower.Call:
		t := translations[e.Fn.Op]
		return e.Fn.Sort == lower.Elemental && t != nil && t.fits(e) && (e.Fn.Op != lower.OpMod && e.Fn.Op != lower.OpModulo || positive(e.Args[1]))
	}
	return false
}

// check gives up for an expression that has no code.
func (g *nester) check(x lower.Expr) {
	if _, ok := g.Known[x]; ok {
		return
	}
	if _, ok := g.At[x]; ok {
		return
	}
	switch e := x.(type) {
	case *lower.Const:
		return
	case *lower.Ref:
		for _, v := range append(g.Vars[:len(g.Vars):len(g.Vars)], g.Privates...) {
			if v == e.Sym {
				return
			}
		}
		panic(giveUp{e.Sym.Name})
	}
	if !Translates(x) {
		panic(giveUp{fmt.Sprintf("%T", x)})
	}
	switch e := x.(type) {
	case *lower.Unary:
		g.check(e.X)
	case *lower.Conv:
		g.check(e.X)
	case *lower.Binary:
		g.check(e.X)
		if e.Op != syntax.Pow {
			g.check(e.Y)
		}
	case *lower.Call:
		for _, a := range e.Args {
			if a != nil {
				g.check(a)
			}
		}
	}
}

func positive(x lower.Expr) bool {
	k, ok := x.(*lower.Const)
	return ok && k.I > 0
}
