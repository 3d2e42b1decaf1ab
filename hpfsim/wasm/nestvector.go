package wasm

import (
	"fmt"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// Vectors have 4 values of 4 bytes, or 2 of 8 bytes. In a nest with vectors of 2 the values of 4 bytes are the lower half of a vector.

// lanes returns the number of iterations that all steps can compute at a time, 0 if there is none.
func (g *nester) lanes() int {
	if g.width < 0 {
		g.width = g.Nest.lanes()
	}
	return g.width
}

func (n *Nest) lanes() int {
	if v := n.Vars[n.Loops-1]; v != nil && n.uses(v) {
		return 0
	}
	lanes := 4
	for k := range n.Steps {
		s := &n.Steps[k]
		if n.vectorized(k) != nil {
			return 0
		}
		n.values(s.Value, func(x lower.Expr) {
			if kindOf(x.Type()) == f64 {
				lanes = 2
			}
		})
	}
	return lanes
}

// vectorized returns nil if the values of a step can be computed as vectors, and else why not.
func (n *Nest) vectorized(k int) error {
	s := &n.Steps[k]
	if s.Place < 0 || s.Join != lower.NoOperation || n.Places[s.Place].Step != 1 {
		return fmt.Errorf("step %d", k)
	}
	if s.Masked && (n.Places[s.Mask].Step != 1 || kindOf(n.Places[s.Mask].Type) != i32) {
		return fmt.Errorf("the mask of step %d", k)
	}
	return n.vectorOf(s.Value)
}

// values visits an expression and those within it whose values the nest computes or loads.
func (n *Nest) values(x lower.Expr, visit func(x lower.Expr)) {
	visit(x)
	if _, ok := n.At[x]; ok {
		return
	}
	if _, ok := n.Known[x]; ok {
		return
	}
	switch e := x.(type) {
	case *lower.Unary:
		n.values(e.X, visit)
	case *lower.Conv:
		n.values(e.X, visit)
	case *lower.Binary:
		n.values(e.X, visit)
		n.values(e.Y, visit)
	case *lower.Call:
		for _, a := range e.Args {
			if a != nil {
				n.values(a, visit)
			}
		}
	}
}

// vectorOf returns nil if an expression has vectors, and else why not.
func (n *Nest) vectorOf(x lower.Expr) error {
	t := x.Type()
	if kindOf(t) == i64 || !represented(t) {
		return fmt.Errorf("%v", t)
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
	both := func(x ...lower.Expr) error {
		for _, x := range x {
			if err := n.vectorOf(x); err != nil {
				return err
			}
		}
		return nil
	}
	switch e := x.(type) {
	case *lower.Const:
		return nil
	case *lower.Unary:
		if t.Floating() || t.Base == syntax.LogicalType || wholeInteger(t) {
			return n.vectorOf(e.X)
		}
	case *lower.Conv:
		if convertible(e.X.Type(), t) {
			return n.vectorOf(e.X)
		}
	case *lower.Binary:
		switch {
		case e.Op == syntax.Pow:
			if k, ok := e.Y.(*lower.Const); ok && t.Floating() && k.T.Base == syntax.IntegerType && k.I == 2 {
				return n.vectorOf(e.X)
			}
		case e.Op == syntax.Div && !t.Floating():
			if wholeInteger(t) && powerOf2(e.Y) {
				return n.vectorOf(e.X)
			}
		case e.Op <= syntax.Div && !t.Floating() && !wholeInteger(t), e.Op == syntax.Concat:
		default:
			return both(e.X, e.Y)
		}
	case *lower.Call:
		switch {
		case e.Fn.Op == lower.OpSqrt, e.Fn.Op == lower.OpAbs, e.Fn.Op == lower.OpMerge, e.Fn.Op == lower.OpMax, e.Fn.Op == lower.OpMin:
			if t.Floating() || wholeInteger(t) {
				return both(e.Args...)
			}
		case e.Fn.Op == lower.OpReal && convertible(e.Args[0].Type(), t):
			return n.vectorOf(e.Args[0])
		case e.Fn.Op == lower.OpMod && wholeInteger(t) && powerOf2(e.Args[1]):
			return n.vectorOf(e.Args[0])
		}
	}
	return fmt.Errorf("%T", x)
}

// wholeInteger reports whether integers of a type fill a lane of 4 bytes, so that they wrap in vectors as they should.
func wholeInteger(t lower.Type) bool { return t.Base == syntax.IntegerType && t.Size == 4 }

// convertible reports whether vectors of one type can be converted to another.
func convertible(from, to lower.Type) bool {
	switch {
	case from.Base == syntax.LogicalType, kindOf(from) == i64, kindOf(to) == i64:
		return false
	case to.Floating():
		return true
	}
	return !from.Floating() && to.Size >= from.Size
}

func powerOf2(x lower.Expr) bool {
	k, ok := x.(*lower.Const)
	return ok && k.I > 0 && k.I&(k.I-1) == 0
}
