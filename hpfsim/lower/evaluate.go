package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// An Evaluator computes a constant expression. It returns the extents of its value, none for a scalar, and the
// elements in the order of Fortran's arrays. The interpreter of programs is one (exec.Constant), so that constants
// have the values that a run would compute.
type Evaluator func(x Expr) (shape []int, values []Value, problem *syntax.Error)

// isConstant reports whether an expression consists of constants and of constant bounds of arrays.
func isConstant(x Expr) bool {
	all := func(list ...Expr) bool {
		return !slices.ContainsFunc(list, func(x Expr) bool { return x != nil && !isConstant(x) })
	}
	switch x := x.(type) {
	case *Const:
		return true
	case *Ref:
		return isConstantArray(x.Sym)
	case *Element:
		for _, s := range x.Subs {
			if !all(s.Index, s.Lo, s.Hi, s.Step) {
				return false
			}
		}
		return isConstantArray(x.Sym)
	case *Substring:
		return all(x.X, x.Lo, x.Hi)
	case *Unary:
		return all(x.X)
	case *Binary:
		return all(x.X, x.Y)
	case *Conv:
		return all(x.X)
	case *List:
		return all(x.Items...)
	case *Call:
		switch x.Fn.Op {
		case OpAllocated, OpAssociated, OpPresent, OpProcessorsShape, OpMyProcessor:
			return false
		case OpSize, OpShape, OpLbound, OpUbound:
			if r, ok := x.Args[0].(*Ref); ok && fixedBounds(r.Sym) {
				return all(x.Args[1:]...)
			}
		}
		return x.Fn.Sort != Service && all(x.Args...)
	}
	return false
}

// isConstantArray reports whether a symbol is a constant array whose values are known.
func isConstantArray(s *Symbol) bool {
	n, ok := constSize(s)
	return s.Class == Constant && s.Rank() > 0 && ok && n == len(s.Elements)
}

// fixedBounds reports whether the bounds of an array are constant.
func fixedBounds(s *Symbol) bool {
	_, _, ok := constBounds(s)
	return ok && !s.Allocatable && s.Rank() > 0
}

// evaluated computes a constant expression. It returns false for other expressions, and after reporting an error in
// the computation.
func (l *lowerer) evaluated(x Expr) (shape []int, values []Value, ok bool) {
	if l.evaluate == nil || !isConstant(x) {
		return nil, nil, false
	}
	shape, values, problem := l.evaluate(x)
	if problem != nil {
		l.errs = append(l.errs, problem)
		return nil, nil, false
	}
	return shape, values, true
}

// reduced returns the constant value of a scalar expression, x if it is not constant, and nil after reporting an error.
func (l *lowerer) reduced(x Expr) Expr {
	if x == nil || x.Rank() > 0 {
		return x
	}
	before := len(l.errs)
	if _, values, ok := l.evaluated(x); ok && len(values) == 1 {
		return &Const{typed{x.Type(), 0, x.Position()}, values[0]}
	}
	if len(l.errs) > before {
		return nil
	}
	return x
}
