package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// An Evaluator computes a constant expression, of arrays too: the extents of its value, none for a scalar, and the elements in the order of
// Fortran's arrays. What runs programs is one (exec.Constant), so that constants are what a run would compute.
type Evaluator func(x Expr) (shape []int, values []Value, problem *syntax.Error)

// isConstant tells whether an expression is made of constants, and of the bounds of arrays that are constant.
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
			if !all(s.At, s.Lo, s.Hi, s.Step) {
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
		case OpAllocated, OpPresent, OpProcessorsShape:
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

// isConstantArray tells whether a symbol is a constant array that has its values.
func isConstantArray(s *Symbol) bool {
	n, ok := constSize(s)
	return s.Class == Constant && s.Rank() > 0 && ok && n == len(s.Elements)
}

// fixedBounds tells whether the bounds of an array are constants.
func fixedBounds(s *Symbol) bool {
	_, _, ok := constBounds(s)
	return ok && !s.Allocatable && s.Rank() > 0
}

// evaluated computes a constant expression; false where it is none, or, which is reported, has no value.
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

// reduced is the constant that a scalar expression with constant arrays in it stands for; x, where it is none.
func (l *lowerer) reduced(x Expr) Expr {
	if x == nil || x.Rank() > 0 {
		return x
	}
	before := len(l.errs)
	if _, values, ok := l.evaluated(x); ok && len(values) == 1 {
		return &Const{typed{x.Type(), 0, x.Pos()}, values[0]}
	}
	if len(l.errs) > before {
		return nil
	}
	return x
}
