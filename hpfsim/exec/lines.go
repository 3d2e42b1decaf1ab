package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A lineOf returns the next line along the first dimension of an array that is computed, in the order of the lines. It may use dst, which is
// as long, and return that, or return values that lie elsewhere.
type lineOf func(dst []float64) []float64

// lines compiles an expression of reals that is computed line by line, so that what is computed on the way stays in the caches. The extents
// are those of the array that it is assigned to. False is for what has to be computed as a whole: also where it reads what is assigned to,
// unless at the same elements.
func (f *frame) lines(x lower.Expr, to *array) (lineOf, bool) {
	t := x.Type()
	if !t.Floating() || !lineable(x) {
		return nil, false
	}
	if x.Rank() == 0 {
		v := f.value(x).F
		var line []float64
		return func(dst []float64) []float64 {
			if line == nil {
				line = make([]float64, len(dst))
				for i := range line {
					line[i] = v
				}
			}
			return line
		}, true
	}
	switch e := x.(type) {
	case *lower.Ref, *lower.Element:
		a := f.array(x)
		if !slices.Equal(a.n, to.n) {
			f.conform(x.Pos(), to, a)
		}
		if overlap(a, to) && (a.off != to.off || !slices.Equal(a.step, to.step)) {
			return nil, false
		}
		walk := lineWalker(a)
		return func(dst []float64) []float64 {
			at, step := walk.next()
			if step == 1 {
				return a.f[at : at+len(dst)]
			}
			for i := range dst {
				dst[i] = a.f[at+i*step]
			}
			return dst
		}, true
	case *lower.Conv: // of a REAL, which is kept as the double that it is
		return f.lines(e.X, to)
	case *lower.Unary:
		of, ok := f.lines(e.X, to)
		return func(dst []float64) []float64 {
			for i, v := range of(dst) {
				dst[i] = -v
			}
			return dst
		}, ok
	case *lower.Binary:
		left, ok1 := f.lines(e.X, to)
		right, ok2 := f.lines(e.Y, to)
		if !ok1 || !ok2 {
			return nil, false
		}
		var other []float64
		op, single := e.Op, t.Base == syntax.RealType
		return func(dst []float64) []float64 {
			if other == nil {
				other = make([]float64, len(dst))
			}
			combine(dst, left(dst), right(other), op)
			if single {
				for i, v := range dst {
					dst[i] = float64(float32(v))
				}
			}
			return dst
		}, true
	}
	return nil, false
}

// lineable tells whether an expression is one that lines knows.
func lineable(x lower.Expr) bool {
	if x.Rank() == 0 {
		return true
	}
	switch e := x.(type) {
	case *lower.Ref:
		return true
	case *lower.Element:
		for _, s := range e.Subs {
			if !s.Section && s.At.Rank() > 0 {
				return false
			}
		}
		return true
	case *lower.Conv:
		return e.T == lower.Double && e.X.Type().Floating() && lineable(e.X)
	case *lower.Unary:
		return e.Op == syntax.Sub && lineable(e.X)
	case *lower.Binary:
		return e.Op <= syntax.Div && e.X.Type().Floating() && e.Y.Type().Floating() && lineable(e.X) && lineable(e.Y)
	}
	return false
}

// assignLines carries out an assignment line by line, and answers false where it cannot.
func (f *frame) assignLines(s *lower.Assign) bool {
	if !s.Left.Type().Floating() || !lineable(s.Left) {
		return false
	}
	switch s.Left.(type) {
	case *lower.Ref, *lower.Element:
	default:
		return false
	}
	to := f.array(s.Left)
	next, ok := f.lines(s.Right, to)
	if !ok {
		return false
	}
	if to.size() == 0 {
		return true
	}
	n := to.n[0]
	walk := lineWalker(to)
	var line []float64
	for range to.size() / n {
		at, step := walk.next()
		if step == 1 {
			dst := to.f[at : at+n]
			if got := next(dst); &got[0] != &dst[0] {
				copy(dst, got)
			}
			continue
		}
		if line == nil {
			line = make([]float64, n)
		}
		for i, v := range next(line) {
			to.f[at+i*step] = v
		}
	}
	return true
}

// combine computes dst[i] = a[i] op b[i]; a may be dst.
func combine(dst, a, b []float64, op syntax.Op) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch op {
	case syntax.Add:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case syntax.Sub:
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	case syntax.Mul:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	default:
		for i := range dst {
			dst[i] = a[i] / b[i]
		}
	}
}
