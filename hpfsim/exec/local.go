package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// callLocal calls an EXTRINSIC(HPF_LOCAL) subroutine on each processor by itself. Mapped arguments are the
// processor's own parts, with indices from 1. Other arguments are passed as usual.
func (f *frame) callLocal(s *lower.Subcall, u *lower.Unit, host *frame) {
	if f.depth++; f.depth > maxDepth {
		fail(s.Pos, "calls nest more than %d deep", maxDepth)
	}
	given := make([]*array, len(u.Params))
	for i := range u.Params {
		if i >= len(s.Args) || s.Args[i] == nil {
			continue
		}
		given[i] = f.argument(s.Args[i])
	}
	whole := slices.Clone(given)
	storage := func(t *lower.Symbol) *array { return whole[t.Dummy-1] } // only arguments and templates are mapped
	placement := func(t *lower.Symbol) *lower.Placement { return t.Outer }
	for i, p := range u.Params {
		a := given[i]
		if a == nil || p.Outer == nil || len(a.n) == 0 {
			continue
		}
		b := *a
		given[i] = &b
		f.layWith(p, &b, p.Outer, storage, placement)
		if a.lay != nil && !a.lay.Same(b.lay) {
			f.exchange(&b, a.lay, b.lay, 0)
		}
	}
	site := f.code.callSite(s.Pos)
	before := f.used
	for _, p := range f.who {
		g := f.frame(u, []int32{p}, host)
		g.inherit(f, site)
		g.keep()
		var back []func()
		for _, arrays := range []bool{false, true} { // scalars first: bounds of arrays may depend on them
			for i, d := range u.Params {
				if d.Rank() > 0 != arrays {
					continue
				}
				a := given[i]
				if a != nil && len(a.n) > 0 && a.lay != nil {
					part, put := f.part(a, p)
					a = part
					if d.Intent != "IN" {
						back = append(back, put)
					}
				}
				if b := g.hand(d, a, s.Pos); b != nil {
					back = append([]func(){b}, back...)
				}
			}
		}
		g.body()
		for _, b := range back {
			b()
		}
		f.drop(before)
	}
	f.depth--
}

// part copies the elements of an array that a processor owns, and returns a function that copies them back.
func (f *frame) part(a *array, p int32) (*array, func()) {
	n := make([]int, len(a.n))
	places := make([][]int, len(a.n)) // along each dimension, from the first element
	if int(p) < a.lay.Template.Grid.Size() {
		for d, runs := range a.lay.Owned(int(p), a.whole()) {
			for _, r := range runs {
				for i := r.From; i <= r.To; i += r.Step {
					places[d] = append(places[d], (i-a.lo[d])*a.step[d])
				}
			}
			n[d] = len(places[d])
		}
	}
	out := f.newArray(a.t, a.length, ones(len(n)), n)
	view := &array{off: a.off, n: n}
	each := func(visit func(k, at int)) {
		k := 0
		f.scattered(view, places, func(at int) {
			visit(k, at)
			k++
		})
	}
	each(func(k, at int) { out.set(k, a.get(at)) })
	return out, func() { each(func(k, at int) { a.set(at, out.get(k)) }) }
}
