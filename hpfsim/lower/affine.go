package lower

import "whorl/hpfsim/syntax"

// An affine is a sum of variables, each with a factor, and a constant.
type affine struct {
	factors map[*Symbol]int64
	offset  int64
}

// affineOf returns an integer expression as an affine sum. It returns false for other expressions.
func affineOf(e Expr) (affine, bool) {
	switch e := e.(type) {
	case *Const:
		if e.T.Base == syntax.IntegerType {
			return affine{offset: e.I}, true
		}
	case *Ref:
		if e.N == 0 && e.T.Base == syntax.IntegerType && e.Sym.Class == Variable {
			return affine{factors: map[*Symbol]int64{e.Sym: 1}}, true
		}
	case *Conv:
		if e.T.Base == syntax.IntegerType && e.X.Type().Base == syntax.IntegerType {
			return affineOf(e.X)
		}
	case *Unary:
		if e.Op == syntax.Sub {
			a, ok := affineOf(e.X)
			return a.times(-1), ok
		}
	case *Binary:
		a, ok1 := affineOf(e.X)
		b, ok2 := affineOf(e.Y)
		if !ok1 || !ok2 {
			return affine{}, false
		}
		switch e.Op {
		case syntax.Add:
			return a.plus(b), true
		case syntax.Sub:
			return a.plus(b.times(-1)), true
		case syntax.Mul:
			if len(a.factors) == 0 {
				return b.times(a.offset), true
			}
			if len(b.factors) == 0 {
				return a.times(b.offset), true
			}
		}
	}
	return affine{}, false
}

func (a affine) times(n int64) affine {
	out := affine{offset: a.offset * n}
	for s, f := range a.factors {
		out = out.plus(affine{factors: map[*Symbol]int64{s: f * n}})
	}
	return out
}

func (a affine) plus(b affine) affine {
	out := affine{factors: map[*Symbol]int64{}, offset: a.offset + b.offset}
	for s, f := range a.factors {
		out.factors[s] = f
	}
	for s, f := range b.factors {
		if out.factors[s] += f; out.factors[s] == 0 {
			delete(out.factors, s)
		}
	}
	return out
}

// contains reports whether the sum depends on one of some variables.
func (a affine) contains(vars map[*Symbol]bool) bool {
	for s := range a.factors {
		if vars[s] {
			return true
		}
	}
	return false
}

// Affine returns the factors of the variables in an integer expression that is an affine sum, and its constant. It returns false for other expressions.
func Affine(x Expr) (factors map[*Symbol]int64, constant int64, ok bool) {
	a, ok := affineOf(x)
	return a.factors, a.offset, ok
}
