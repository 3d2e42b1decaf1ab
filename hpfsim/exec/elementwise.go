package exec

import "whorl/hpfsim/lower"

// elementwise calls an ELEMENTAL procedure for each element of its array arguments, in their order, where the mask
// holds. It returns the values of a function, and nil for a subroutine.
func (f *frame) elementwise(x *call) *array {
	given, shape := f.elements(x)
	walks := make([]*walk, len(given))
	for i, a := range given {
		if a != nil && len(a.n) > 0 {
			walks[i] = walker(a)
		}
	}
	each := *x
	each.given = make([]*array, len(given))
	mask := f.mask
	defer f.unmasked()()
	var out *array
	for k := range shape.size() {
		copy(each.given, given)
		for i, w := range walks {
			if w != nil {
				each.given[i] = given[i].element(w.next())
			}
		}
		if f.mask = mask; !f.counts(shape, k) {
			continue
		}
		f.mask = nil
		g := f.enterUnit(&each)
		g.body()
		if g.unit.Out != nil {
			v := g.returned(g.unit.Pos)
			if out == nil {
				out = f.like(v.t, v.length, shape)
			}
			out.set(k, v.get(v.off))
		}
		g.leave()
	}
	if result := x.sym.Proc.Out; out == nil && result != nil {
		out = f.like(result.Type, 0, shape)
	}
	return out
}

// elements evaluates the arguments of a call of an ELEMENTAL procedure and returns an array with their shape.
func (f *frame) elements(x *call) (given []*array, shape *array) {
	given = make([]*array, len(x.args))
	for i, e := range x.args {
		switch {
		case e == nil:
		case e.Rank() == 0:
			given[i] = f.argument(e)
		default:
			given[i] = f.array(e)
			if shape == nil {
				shape = given[i]
			}
			f.conform(x.pos, shape, given[i])
		}
	}
	return given, shape
}

// element returns the element at a place as a scalar that shares its memory.
func (a *array) element(at int) *array {
	b := *a
	b.off, b.n, b.lo, b.step, b.lay, b.rest = at, nil, nil, nil, nil, 1
	return &b
}

// isElementwise reports whether a call runs its procedure once for each element of its arguments.
func isElementwise(s *lower.Symbol, args []lower.Expr) bool {
	if s.Proc == nil || !s.Proc.Elemental {
		return false
	}
	for _, x := range args {
		if x != nil && x.Rank() > 0 {
			return true
		}
	}
	return false
}
