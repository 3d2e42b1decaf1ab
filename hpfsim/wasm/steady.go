package wasm

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// steady reports whether an element of an array of arrays is the same in all iterations of the region. Its subscripts must be sums and products of
// variables, which the caller computes without errors.
func (s *survey) steady(e *lower.Element) bool {
	if s.Do == nil {
		return false
	}
	if s.varying == nil {
		s.varying = s.changedBy(s.Do)
	}
	ok := true
	for _, sub := range e.Subs {
		lower.Walk(sub.Index, func(x lower.Expr) {
			switch x := x.(type) {
			case *lower.Ref:
				ok = ok && !s.varying[x.Sym]
			case *lower.Element:
				ok = ok && !s.varying[x.Sym]
			case *lower.Const, *lower.Conv:
			case *lower.Binary:
				ok = ok && x.Op <= syntax.Mul
			default:
				ok = false
			}
		})
	}
	return ok
}

// changedBy returns the variables that a loop may change, and others that it uses.
func (s *survey) changedBy(d *lower.Do) map[*lower.Symbol]bool {
	out := map[*lower.Symbol]bool{}
	note := func(x lower.Expr) {
		if v := variableOf(x); v != nil {
			out[v] = true
		}
	}
	all := []lower.Stmt{d}
	lower.Statements(all, func(b lower.Stmt) {
		switch b := b.(type) {
		case *lower.Assign:
			note(b.Left)
		case *lower.Do:
			if b.Var != nil {
				out[b.Var] = true
			}
		case *lower.If, *lower.Select, *lower.Where, *lower.Output, *lower.Leave, *lower.Nothing:
		default:
			lower.Expressions(b, func(x lower.Expr) { lower.Walk(x, note) })
		}
	})
	eachCall(all, func(to *lower.Symbol, args []lower.Expr) {
		for _, x := range args {
			note(x)
		}
		if to.Proc != nil {
			for v := range s.procedures.facts(to.Proc).writes {
				out[v] = true
			}
		}
	})
	return out
}
