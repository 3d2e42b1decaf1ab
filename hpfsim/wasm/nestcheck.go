package wasm

import (
	"fmt"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// vectorized returns nil if the values of a step can be computed two at a time, and else why not.
func (n *Nest) vectorized(k int) error {
	s := &n.Steps[k]
	if s.Place < 0 || s.Join != lower.NoOperation || n.Places[s.Place].Step != 1 || kindOf(n.Places[s.Place].Type) != f64 {
		return fmt.Errorf("step %d", k)
	}
	return n.vectorOf(s.Value)
}

func (n *Nest) vectorOf(x lower.Expr) error {
	if kindOf(x.Type()) != f64 || !x.Type().Floating() {
		return fmt.Errorf("%v", x.Type())
	}
	if _, ok := n.Known[x]; ok {
		return nil
	}
	if p, ok := n.At[x]; ok {
		if n.Places[p].Step == Any {
			return fmt.Errorf("a step")
		}
		return nil
	}
	switch e := x.(type) {
	case *lower.Const:
		return nil
	case *lower.Unary:
		return n.vectorOf(e.X)
	case *lower.Binary:
		if e.Op == syntax.Pow {
			if k, ok := e.Y.(*lower.Const); ok && k.T.Base == syntax.IntegerType && k.I == 2 {
				return n.vectorOf(e.X)
			}
			return fmt.Errorf("a power")
		}
		if e.Op > syntax.Div {
			return fmt.Errorf("%v", e.Op)
		}
		if err := n.vectorOf(e.X); err != nil {
			return err
		}
		return n.vectorOf(e.Y)
	case *lower.Call:
		if (e.Fn.Op == lower.OpAbs || e.Fn.Op == lower.OpSqrt) && len(e.Args) == 1 {
			return n.vectorOf(e.Args[0])
		}
	}
	return fmt.Errorf("%T", x)
}

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
