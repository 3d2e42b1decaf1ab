package exec

import (
	"cmp"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// lines calls do with the places of the elements along a dimension of an array, for each combination of the other indices. Places are numbers in the order of
// Fortran's arrays, from 0. A dimension of -1 means one line with all elements.
func lines(a *array, dim int, do func(places []int)) {
	size := a.size()
	if dim < 0 {
		all := make([]int, size)
		for k := range all {
			all[k] = k
		}
		do(all)
		return
	}
	inner := 1
	for _, n := range a.n[:dim] {
		inner *= n
	}
	n := a.n[dim]
	if n == 0 {
		return
	}
	places := make([]int, n)
	for line := range size / n {
		for i := range places {
			places[i] = line%inner + line/inner*inner*n + i*inner
		}
		do(places)
	}
}

// named evaluates the argument of an intrinsic function that has a name. It returns nil if it is left out.
func (f *frame) named(e *lower.Call, name string) *array {
	i := slices.IndexFunc(e.Fn.Params, func(p lower.Param) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return f.optional(e, i)
}

// dimensionOf evaluates DIM of an intrinsic function, from 0; -1 if it is left out.
func (f *frame) dimensionOf(e *lower.Call, rank int) int {
	if e.Args[1] == nil {
		return -1
	}
	return f.dimension(e, e.Args[1], rank)
}

// nth returns element number k of an array, or the value of a scalar.
func (a *array) nth(k int) lower.Value { return a.get(a.off + offset(a, k)) }

// prefix evaluates XXX_PREFIX and XXX_SUFFIX of HPF_LIBRARY: each element becomes the reduction of those before it, or after it, in the same segment.
func (f *frame) prefix(e *lower.Call) *array {
	a := f.array(e.Args[0])
	mask, segment, exclusive := f.named(e, "MASK"), f.named(e, "SEGMENT"), false
	if len(e.Fn.Params) > 2 && e.Fn.Params[0].Name == "MASK" { // that of ALL, ANY, PARITY and COUNT is the array
		mask = nil
	}
	if x := f.named(e, "EXCLUSIVE"); x != nil {
		exclusive = x.get(x.off).I != 0
	}
	for _, x := range []*array{mask, segment} {
		if x != nil && len(x.n) > 0 {
			f.conform(e.Pos, a, x)
		}
	}
	out := f.like(e.T, a.length, a)
	lines(a, f.dimensionOf(e, len(a.n)), func(places []int) {
		if e.Fn.Op == lower.OpSuffix {
			slices.Reverse(places)
			defer slices.Reverse(places)
		}
		var r *reducer
		for i, k := range places {
			v := a.nth(k)
			if i == 0 || segment != nil && segment.nth(k).I != segment.nth(places[i-1]).I {
				r = reducerOf(e.Fn.Join, e.T)
				if e.Fn.Join == lower.NoOperation {
					r.v = v
				}
			}
			before := r.v
			if mask == nil || mask.nth(k).I != 0 {
				r.add(v, k)
			}
			if exclusive {
				out.set(k, before)
			} else {
				out.set(k, r.v)
			}
		}
	})
	return out
}

// scatter evaluates XXX_SCATTER of HPF_LIBRARY: the elements of an array are joined with the elements of BASE that the indices name.
func (f *frame) scatter(e *lower.Call) *array {
	a, base, mask := f.array(e.Args[0]), f.array(e.Args[1]), f.named(e, "MASK")
	if e.Fn.Params[0].Name == "MASK" {
		mask = nil
	}
	var indices []*array
	for i := range base.n {
		x := f.array(e.Args[2+i])
		if len(x.n) > 0 {
			f.conform(e.Pos, a, x)
		}
		indices = append(indices, x)
	}
	if mask != nil && len(mask.n) > 0 {
		f.conform(e.Pos, a, mask)
	}
	out := f.copied(base)
	for k := range a.size() {
		if mask != nil && mask.nth(k).I == 0 {
			continue
		}
		at, step := 0, 1
		for d, x := range indices {
			i := int(x.nth(k).I)
			if i < 1 || i > base.n[d] {
				fail(e.Pos, "%s: index %d of dimension %d is outside of BASE, whose extent is %d", e.Fn.Name, i, d+1, base.n[d])
			}
			at += (i - 1) * step
			step *= base.n[d]
		}
		if e.Fn.Join == lower.NoOperation {
			out.set(at, a.nth(k))
			continue
		}
		r := reducerOf(e.Fn.Join, e.T)
		r.v, r.joined = out.get(at), true
		r.add(a.nth(k), 0)
		out.set(at, r.v)
	}
	return out
}

// sort evaluates GRADE_UP, GRADE_DOWN, SORT_UP and SORT_DOWN of HPF_LIBRARY. Equal elements keep their order.
func (f *frame) sort(e *lower.Call) *array {
	a := f.array(e.Args[0])
	order := func(j, k int) int {
		x, y := a.nth(j), a.nth(k)
		c := 0
		switch {
		case a.t.Base == syntax.CharacterType:
			c = lower.CompareText(x.S, y.S)
		case a.t.Floating():
			c = cmp.Compare(x.F, y.F)
		default:
			c = cmp.Compare(x.I, y.I)
		}
		if e.Fn.Descending() {
			return -c
		}
		return c
	}
	dim := f.dimensionOf(e, len(a.n))
	grade := e.Fn.Op == lower.OpGrade
	var out *array
	if grade && dim < 0 {
		out = f.newArray(e.T, 0, ones(2), []int{len(a.n), a.size()})
	} else {
		out = f.like(e.T, a.length, a)
	}
	lines(a, dim, func(places []int) {
		ranks := make([]int, len(places))
		for i := range ranks {
			ranks[i] = i
		}
		slices.SortStableFunc(ranks, func(i, j int) int { return order(places[i], places[j]) })
		for i, r := range ranks {
			switch k := places[r]; {
			case !grade:
				out.set(places[i], a.nth(k))
			case dim >= 0:
				out.setInt(places[i], int64(r+1))
			default:
				for d, n := range a.n {
					out.setInt(i*len(a.n)+d, int64(k%n+1))
					k /= n
				}
			}
		}
	})
	return out
}
