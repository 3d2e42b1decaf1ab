package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// native carries out an intrinsic subroutine.
func (f *frame) native(s *lower.Subcall) {
	arg := func(i int) lower.Expr {
		if i < len(s.Args) {
			return s.Args[i]
		}
		return nil
	}
	give := func(x lower.Expr, v lower.Value, t lower.Type) {
		if x != nil {
			f.store(x, lower.Convert(v, t, x.Type()))
		}
	}
	now := f.procs[f.who[0]].clock / 1000
	switch s.Native.Name {
	case "SYSTEM_CLOCK":
		give(arg(0), lower.Value{I: now}, lower.Type{Base: syntax.IntegerType, Size: 8})
		give(arg(1), lower.Value{I: 1e9}, lower.Type{Base: syntax.IntegerType, Size: 8})
		give(arg(2), lower.Model("HUGE", lower.Integer), lower.Integer)
	case "CPU_TIME":
		give(arg(0), lower.Value{F: float64(now) / 1e9}, lower.Double)
	case "RANDOM_NUMBER":
		a := f.argument(arg(0))
		if len(a.n) == 0 {
			a.set(a.off, lower.Value{F: a.t.Round(f.random.next(a.t))})
			return
		}
		a.each(func(at int) { a.set(at, lower.Value{F: f.random.next(a.t)}) })
	case "RANDOM_SEED":
		if x := arg(0); x != nil {
			give(x, lower.Value{I: 1}, lower.Integer)
		}
		if x := arg(1); x != nil {
			put := f.array(x)
			f.random = newRandom(put.get(put.off).I)
		}
	}
}

// A random is the generator of RANDOM_NUMBER: that of xorshift* (S. Vigna, 2016), with a seed of its own.
type random struct{ state uint64 }

func newRandom(seed int64) random { return random{uint64(seed)*0x9E3779B97F4A7C15 | 1} }

// next is a number from 0 to below 1, as a type holds it.
func (r *random) next(t lower.Type) float64 {
	r.state ^= r.state >> 12
	r.state ^= r.state << 25
	r.state ^= r.state >> 27
	bits := r.state * 2685821657736338717
	if t.Base == syntax.RealType {
		return float64(bits>>40) / (1 << 24)
	}
	return float64(bits>>11) / (1 << 53)
}
