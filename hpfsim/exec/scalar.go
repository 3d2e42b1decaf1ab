package exec

import (
	"math"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

func lowered(s string) string { return strings.ToLower(s) }

// value evaluates a scalar expression.
func (f *frame) value(x lower.Expr) lower.Value {
	switch e := x.(type) {
	case *lower.Const:
		return e.Value
	case *lower.Ref:
		a := f.variable(e.Sym)
		f.present(a, e.Sym, e.Pos)
		if f.promises != nil {
			f.uses(a, a.off, false, e.Sym.Name, e.Pos)
		}
		return a.get(a.off)
	case *lower.Element:
		a, at := f.place(e)
		if f.promises != nil {
			f.uses(a, at, false, e.Sym.Name, e.Pos)
		}
		return a.get(at)
	case *lower.Substring:
		s := f.value(e.X).S
		lo, hi := f.substring(e, len(s))
		return lower.Value{S: s[lo:hi]}
	case *lower.Unary:
		return lower.Apply1(e.Op, f.value(e.X), e.T)
	case *lower.Binary:
		return f.binary(e)
	case *lower.Conv:
		v := f.value(e.X)
		return lower.Convert(v, e.X.Type(), e.T)
	case *lower.Call:
		return f.intrinsic(e)
	case *lower.Invoke:
		a := f.invoke(e)
		return a.get(a.off)
	}
	a := f.array(x)
	return a.get(a.off)
}

// binary evaluates an operator. It evaluates the second operand of .AND. and .OR. only if the first does not decide.
func (f *frame) binary(e *lower.Binary) lower.Value {
	a := f.value(e.X)
	switch {
	case e.Op == syntax.And && a.I == 0:
		return lower.Value{}
	case e.Op == syntax.Or && a.I != 0:
		return lower.Value{I: 1}
	}
	b := f.value(e.Y)
	t := e.X.Type()
	if t.Floating() && e.Op <= syntax.Div {
		var r float64
		switch e.Op {
		case syntax.Add:
			r = a.F + b.F
		case syntax.Sub:
			r = a.F - b.F
		case syntax.Mul:
			r = float64(a.F * b.F)
		default:
			r = a.F / b.F
		}
		return lower.Value{F: t.Round(r)}
	}
	v, ok := lower.Apply2(e.Op, a, b, t, e.Y.Type())
	if !ok {
		fail(e.Pos, "division of an integer by zero")
	}
	return v
}

// integer evaluates a scalar integer.
func (f *frame) integer(x lower.Expr) int { return int(f.value(x).I) }

// present fails if a variable is not allocated or not present.
func (f *frame) present(a *array, s *lower.Symbol, pos syntax.Pos) {
	if a == nil || a.absent {
		if s.Pointer {
			fail(pos, "the pointer %s is not associated", title(s))
		}
		if s.Allocatable {
			fail(pos, "%s is not allocated", title(s))
		}
		fail(pos, "the argument %s is not present", s.Name)
	}
}

// place returns the array and the offset of an element.
func (f *frame) place(e *lower.Element) (*array, int) {
	a := f.variable(e.Sym)
	f.present(a, e.Sym, e.Pos)
	at := a.off
	for d := range e.Subs {
		i := f.integer(e.Subs[d].Index)
		k := i - a.lo[d]
		if uint(k) >= uint(a.n[d]) {
			f.outside(e, a, d, i, 0)
		}
		at += k * a.step[d]
	}
	return a, at
}

// indices evaluates the subscripts of an element.
func (f *frame) indices(e *lower.Element) []int {
	out := make([]int, len(e.Subs))
	for d := range e.Subs {
		out[d] = f.integer(e.Subs[d].Index)
	}
	return out
}

// substring returns the bounds of a substring, from 0.
func (f *frame) substring(e *lower.Substring, length int) (lo, hi int) {
	lo, hi = f.integer(e.Lo), length
	if e.Hi != nil {
		hi = f.integer(e.Hi)
	}
	if hi < lo {
		return 0, 0
	}
	if lo < 1 || hi > length {
		fail(e.Pos, "characters %d to %d of a text of %d", lo, hi, length)
	}
	return lo - 1, hi
}

// intrinsic evaluates an intrinsic function with a scalar result.
func (f *frame) intrinsic(e *lower.Call) lower.Value {
	if e.Fn.Sort == lower.Elemental {
		if len(e.Args) == 1 && e.T.Floating() && e.Args[0].Type().Floating() {
			if fn := e.Fn.Real; fn != nil {
				return lower.Value{F: e.T.Round(f.defined(fn(f.value(e.Args[0]).F), e))}
			}
		}
		values, types := make([]lower.Value, len(e.Args)), make([]lower.Type, len(e.Args))
		for i, a := range e.Args {
			if a != nil {
				values[i], types[i] = f.value(a), a.Type()
			}
		}
		v, ok := e.Fn.Compute(values, types, e.T)
		if !ok {
			fail(e.Pos, "%s", undefined(e.Fn))
		}
		return v
	}
	if e.Fn.Sort == lower.Service {
		return f.service(e)
	}
	switch e.Fn.Op {
	case lower.OpAssociated:
		if f.associated(e) {
			return lower.Value{I: 1}
		}
		return lower.Value{}
	case lower.OpAllocated, lower.OpPresent:
		if r, ok := e.Args[0].(*lower.Ref); ok {
			a := f.variable(r.Sym)
			if a != nil && !a.absent {
				return lower.Value{I: 1}
			}
		}
		return lower.Value{}
	case lower.OpLen:
		return lower.Value{I: f.length(e.Args[0])}
	case lower.OpStorageSize: // of characters; other types have known sizes
		return lower.Value{I: 8 * f.length(e.Args[0])}
	case lower.OpTrim:
		return lower.Value{S: strings.TrimRight(f.value(e.Args[0]).S, " ")}
	case lower.OpRepeat:
		n := f.integer(e.Args[1])
		s := f.value(e.Args[0]).S
		if n < 0 || n > (1<<24)/max(len(s), 1) {
			fail(e.Pos, "REPEAT makes %d copies of %d characters (expected at most %d characters)", n, len(s), 1<<24)
		}
		return lower.Value{S: strings.Repeat(s, n)}
	}
	a := f.transform(e)
	return a.get(a.off)
}

// defined makes all NaN alike.
func (f *frame) defined(x float64, _ *lower.Call) float64 {
	if math.IsNaN(x) {
		return math.NaN()
	}
	return x
}

// undefined describes why an elemental function has no value for its arguments.
func undefined(fn *lower.Intrinsic) string {
	if fn.Op == lower.OpMod || fn.Op == lower.OpModulo {
		return fn.Name + " by zero"
	}
	return fn.Name + " is not defined for these arguments"
}

// length returns the number of characters of a value.
func (f *frame) length(x lower.Expr) int64 {
	if r, ok := x.(*lower.Ref); ok {
		return int64(f.variable(r.Sym).length)
	}
	return int64(len(f.value(x).S))
}
