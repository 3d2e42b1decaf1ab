package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// Scalar expressions compile to functions of a frame. Frequent forms have functions of their own: constants,
// variables of the unit, elements whose subscripts are a variable and a constant, and operators. Other expressions
// are evaluated by value.
type (
	floatFn func(f *frame) float64
	intFn   func(f *frame) int64
	boolFn  func(f *frame) bool
)

// isLocal reports whether a variable is in every frame of the unit, so that it needs no lookup and no check.
func (c *code) isLocal(s *lower.Symbol) bool {
	return s.Unit == c.unit && s.Class == lower.Variable && s.Dummy == 0 && !s.Allocatable
}

// float compiles a scalar real.
func (c *code) float(x lower.Expr) floatFn {
	switch e := x.(type) {
	case *lower.Const:
		v := e.F
		return func(*frame) float64 { return v }
	case *lower.Ref:
		if c.isLocal(e.Sym) {
			k := e.Sym.Index
			return func(f *frame) float64 { a := f.vars[k]; return a.real(a.off) }
		}
		return func(f *frame) float64 {
			a := f.variable(e.Sym)
			f.present(a, e.Sym, e.Pos)
			return a.real(a.off)
		}
	case *lower.Element:
		return c.floatElement(e)
	case *lower.Unary:
		of := c.float(e.X)
		return func(f *frame) float64 { return -of(f) }
	case *lower.Conv:
		return c.toFloat(e.X, e.T, x)
	case *lower.Binary:
		return c.floatBinary(e)
	case *lower.Call:
		if of := c.floatCall(e); of != nil {
			return of
		}
	case *lower.Invoke:
		if of := c.invoked(e); of != nil {
			return func(f *frame) float64 {
				g, a := of(f)
				v := a.real(a.off)
				g.leave()
				return v
			}
		}
	}
	return func(f *frame) float64 { return f.value(x).F }
}

// toFloat compiles a conversion of a number to a real.
func (c *code) toFloat(x lower.Expr, to lower.Type, whole lower.Expr) floatFn {
	single := to.Base == syntax.RealType
	switch from := x.Type(); {
	case from.Floating():
		of := c.float(x)
		if !single || from == to {
			return of
		}
		return func(f *frame) float64 { return float64(float32(of(f))) }
	case from.Base == syntax.IntegerType:
		of := c.int(x)
		if single {
			return func(f *frame) float64 { return float64(float32(float64(of(f)))) }
		}
		return func(f *frame) float64 { return float64(of(f)) }
	}
	return func(f *frame) float64 { return f.value(whole).F }
}

func (c *code) floatBinary(e *lower.Binary) floatFn {
	if !e.X.Type().Floating() || e.Op > syntax.Pow {
		return func(f *frame) float64 { return f.value(e).F }
	}
	x, single := c.float(e.X), e.T.Base == syntax.RealType
	if e.Op == syntax.Pow {
		return c.floatPower(e, x)
	}
	if k, ok := e.Y.(*lower.Const); ok && !single {
		k := k.F
		switch e.Op {
		case syntax.Add:
			return func(f *frame) float64 { return x(f) + k }
		case syntax.Sub:
			return func(f *frame) float64 { return x(f) - k }
		case syntax.Mul:
			return func(f *frame) float64 { return float64(x(f) * k) }
		}
		return func(f *frame) float64 { return x(f) / k }
	}
	y := c.float(e.Y)
	if single {
		switch e.Op {
		case syntax.Add:
			return func(f *frame) float64 { return float64(float32(x(f)) + float32(y(f))) }
		case syntax.Sub:
			return func(f *frame) float64 { return float64(float32(x(f)) - float32(y(f))) }
		case syntax.Mul:
			return func(f *frame) float64 { return float64(float32(x(f)) * float32(y(f))) }
		}
		return func(f *frame) float64 { return float64(float32(x(f)) / float32(y(f))) }
	}
	switch e.Op {
	case syntax.Add:
		return func(f *frame) float64 { return x(f) + y(f) }
	case syntax.Sub:
		return func(f *frame) float64 { return x(f) - y(f) }
	case syntax.Mul:
		return func(f *frame) float64 { return float64(x(f) * y(f)) }
	}
	return func(f *frame) float64 { return x(f) / y(f) }
}

func (c *code) floatPower(e *lower.Binary, x floatFn) floatFn {
	t := e.T
	if e.Y.Type().Base == syntax.IntegerType {
		if n, ok := e.Y.(*lower.Const); ok && n.I == 2 {
			return func(f *frame) float64 { v := x(f); return t.Round(v * v) }
		}
		n := c.int(e.Y)
		return func(f *frame) float64 { v := x(f); return t.Round(lower.PowerInt(v, n(f))) }
	}
	y := c.float(e.Y)
	return func(f *frame) float64 { v := x(f); return t.Round(math.Pow(v, y(f))) }
}

// floatCall compiles a call of a frequent elemental function. It returns nil for others.
func (c *code) floatCall(e *lower.Call) floatFn {
	if e.Fn.Sort != lower.Elemental || len(e.Args) == 0 {
		return nil
	}
	t := e.T
	if len(e.Args) == 1 && e.Fn.Op == lower.OpReal {
		return c.toFloat(e.Args[0], t, e)
	}
	for _, x := range e.Args {
		if x == nil || x.Type() != t {
			return nil
		}
	}
	x := c.float(e.Args[0])
	switch e.Fn.Op {
	case lower.OpAbs:
		return func(f *frame) float64 { return math.Abs(x(f)) }
	case lower.OpSqrt:
		return func(f *frame) float64 { return t.Round(math.Sqrt(x(f))) }
	case lower.OpMax, lower.OpMin:
		if len(e.Args) != 2 {
			return nil
		}
		y := c.float(e.Args[1])
		if e.Fn.Op == lower.OpMax {
			return func(f *frame) float64 {
				a, b := x(f), y(f)
				if b > a || a != a {
					a = b
				}
				return a
			}
		}
		return func(f *frame) float64 {
			a, b := x(f), y(f)
			if b < a || a != a {
				a = b
			}
			return a
		}
	}
	if fn := e.Fn.Real; fn != nil && len(e.Args) == 1 {
		return func(f *frame) float64 { return t.Round(fn(x(f))) }
	}
	return nil
}

// A subscriptFn is an index: the sum of a variable of the unit and a constant, or the value of a function.
type subscriptFn struct {
	function intFn
	sym      int
	add      int
}

func (s *subscriptFn) value(f *frame) int {
	if s.function == nil {
		a := f.vars[s.sym]
		return int(a.int(a.off)) + s.add
	}
	return int(s.function(f))
}

func (c *code) subscript(x lower.Expr) subscriptFn {
	if b, ok := x.(*lower.Binary); ok && (b.Op == syntax.Add || b.Op == syntax.Sub) && b.T.Base == syntax.IntegerType {
		r, ok1 := b.X.(*lower.Ref)
		k, ok2 := b.Y.(*lower.Const)
		if ok1 && ok2 && c.isLocal(r.Sym) {
			if b.Op == syntax.Sub {
				return subscriptFn{sym: r.Sym.Index, add: -int(k.I)}
			}
			return subscriptFn{sym: r.Sym.Index, add: int(k.I)}
		}
	}
	if r, ok := x.(*lower.Ref); ok && c.isLocal(r.Sym) {
		return subscriptFn{sym: r.Sym.Index}
	}
	return subscriptFn{function: c.int(x)}
}

// element compiles the lookup of an element.
func (c *code) element(e *lower.Element) func(f *frame) (*array, int) {
	for _, s := range e.Subs {
		if s.Section || s.Index.Rank() > 0 {
			return elsewhere(e)
		}
	}
	whole := c.arrayOf(e.Sym)
	subs := make([]subscriptFn, len(e.Subs))
	for d := range subs {
		subs[d] = c.subscript(e.Subs[d].Index)
	}
	if len(subs) == 1 {
		s := subs[0]
		return func(f *frame) (*array, int) {
			a := whole(f)
			if a == nil || a.absent {
				f.present(a, e.Sym, e.Pos)
			}
			i := s.value(f)
			p := i - a.lo[0]
			if uint(p) >= uint(a.n[0]) {
				f.outside(e, a, 0, i, 0)
			}
			return a, a.off + p*a.step[0]
		}
	}
	if len(subs) == 2 {
		s, t := subs[0], subs[1]
		return func(f *frame) (*array, int) {
			a := whole(f)
			if a == nil || a.absent {
				f.present(a, e.Sym, e.Pos)
			}
			lo, n, step := a.lo, a.n, a.step
			i := s.value(f)
			p := i - lo[0]
			if uint(p) >= uint(n[0]) {
				f.outside(e, a, 0, i, 0)
			}
			j := t.value(f)
			q := j - lo[1]
			if uint(q) >= uint(n[1]) {
				f.outside(e, a, 1, j, 0)
			}
			return a, a.off + p*step[0] + q*step[1]
		}
	}
	return func(f *frame) (*array, int) {
		a := whole(f)
		if a == nil || a.absent {
			f.present(a, e.Sym, e.Pos)
		}
		at := a.off
		for d := range subs {
			i := subs[d].value(f)
			p := i - a.lo[d]
			if uint(p) >= uint(a.n[d]) {
				f.outside(e, a, d, i, 0)
			}
			at += p * a.step[d]
		}
		return a, at
	}
}

// arrayOf compiles the lookup of a variable of the unit, or of another that it knows.
func (c *code) arrayOf(s *lower.Symbol) func(f *frame) *array {
	if s.Unit != c.unit || s.Slot != nil {
		return func(f *frame) *array { return f.variable(s) }
	}
	k := s.Index
	return func(f *frame) *array { return f.vars[k] }
}

func elsewhere(e *lower.Element) func(f *frame) (*array, int) {
	return func(f *frame) (*array, int) { return f.place(e) }
}

func (c *code) floatElement(e *lower.Element) floatFn {
	place := c.element(e)
	return func(f *frame) float64 {
		a, at := place(f)
		return a.real(at)
	}
}
