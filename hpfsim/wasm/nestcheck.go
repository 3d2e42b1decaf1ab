package wasm

import (
	"fmt"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// check gives up for an expression that has no code.
func (g *nester) check(x lower.Expr) {
	if _, ok := g.Known[x]; ok {
		return
	}
	if _, ok := g.At[x]; ok {
		return
	}
	if !represented(x.Type()) {
		panic(giveUp{"a value"})
	}
	switch e := x.(type) {
	case *lower.Const:
	case *lower.Ref:
		for _, v := range g.Vars {
			if v == e.Sym {
				return
			}
		}
		for _, v := range g.Privates {
			if v == e.Sym {
				return
			}
		}
		panic(giveUp{e.Sym.Name})
	case *lower.Unary:
		g.check(e.X)
	case *lower.Conv:
		if e.X.Type().Base == syntax.LogicalType {
			panic(giveUp{"a conversion"})
		}
		g.check(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			if n, ok := e.Y.(*lower.Const); !ok || n.T.Base != syntax.IntegerType || !e.T.Floating() || max(n.I, -n.I) > mostPower {
				panic(giveUp{"a power"})
			}
			g.check(e.X)
			return
		}
		if e.Op == syntax.Div && !e.T.Floating() && !positive(e.Y) {
			panic(giveUp{"a division"})
		}
		g.check(e.X)
		g.check(e.Y)
	case *lower.Call:
		t := translations[e.Fn.Op]
		if e.Fn.Sort != lower.Elemental || t == nil || !t.fits(e) || (e.Fn.Op == lower.OpMod || e.Fn.Op == lower.OpModulo) && !positive(e.Args[1]) {
			panic(giveUp{e.Fn.Name})
		}
		for _, a := range e.Args {
			if a != nil {
				g.check(a)
			}
		}
	default:
		panic(giveUp{fmt.Sprintf("%T", x)})
	}
}

func positive(x lower.Expr) bool {
	k, ok := x.(*lower.Const)
	return ok && k.I > 0
}
