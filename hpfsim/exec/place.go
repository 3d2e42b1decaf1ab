package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

func (f *frame) status(x lower.Expr) {
	if x != nil {
		f.store(x, lower.Value{})
	}
}

func (f *frame) allocate(s *lower.Allocate) {
	for i, sym := range s.Arrays {
		a := f.variable(sym)
		if !a.absent && s.Status != nil {
			f.store(s.Status, lower.Value{I: 5014}) // as gfortran has it
			return
		}
		if !a.absent {
			fail(s.At, "%s is allocated already", sym.Name)
		}
		lo, n := f.bounds(s.Bounds[i], s.At)
		*a = *f.newArray(sym.Type, a.length, lo, n)
		f.lay(sym, a)
	}
	f.status(s.Status)
}

const mostElements = 1 << 40

// bounds evaluates bounds to lower bounds and extents.
func (f *frame) bounds(b []lower.Bound, at syntax.Pos) (lo, n []int) {
	total := 1
	for _, x := range b {
		l := 1
		if x.Lo != nil {
			l = f.integer(x.Lo)
		}
		h := l - 1
		if x.Hi != nil {
			h = f.integer(x.Hi)
		}
		extent := max(h-l+1, 0)
		if extent > mostElements || extent > 0 && total > mostElements/extent {
			fail(at, "an array of more than 2**40 elements")
		}
		total *= max(extent, 1)
		lo, n = append(lo, l), append(n, extent)
	}
	return lo, n
}

// lay makes the mapping of an array.
func (f *frame) lay(s *lower.Symbol, a *array) {
	if s.Place == nil || a.absent {
		return
	}
	f.layAs(s, a, s.Place)
}

func (f *frame) layAs(s *lower.Symbol, a *array, p *lower.Placement) {
	hi := make([]int, len(a.n))
	for d := range hi {
		hi[d] = a.hi(d)
	}
	lay, err := p.Lay(s.Name, a.lo, hi, func(t *lower.Symbol) (lo, h []int) {
		if t.Class == lower.TemplateName {
			lo, n := f.bounds(t.Bounds, p.At)
			for d := range n {
				h = append(h, lo[d]+n[d]-1)
			}
			return lo, h
		}
		b := f.variable(t)
		f.present(b, t, p.At)
		for d := range b.n {
			h = append(h, b.hi(d))
		}
		return b.lo, h
	})
	if err != nil {
		fail(p.At, "%v", err)
	}
	a.lay = lay
}

// remap lays arrays anew: every element whose owner is another one is sent.
func (f *frame) remap(s *lower.Remap) {
	for k, sym := range s.Arrays {
		a := f.variable(sym)
		f.present(a, sym, s.At)
		old := a.lay
		f.layAs(sym, a, s.To)
		f.exchange(a, old, a.lay, s.First+k)
	}
	f.run(s.First, s.Last, 1)
}
