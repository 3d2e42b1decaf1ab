package exec

import (
	"math"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// blockLength is the number of elements that are joined in order. The results of blocks are joined in the order of
// the blocks, so that sums do not depend on which processor computes which block.
const blockLength = 1 << 16

// reduce joins the elements of an array, or those along a dimension.
func (f *frame) reduce(e *lower.Call) *array {
	a := f.array(e.Args[0])
	f.sweep(e, 1)
	mask := f.optional(e, 2)
	if mask != nil && len(mask.n) > 0 {
		f.conform(e.Pos, a, mask)
	}
	if len(e.Args) > 1 && e.Args[1] != nil {
		return f.reduceAlong(e, a, mask, f.dimension(e, e.Args[1], len(a.n)))
	}
	r := newReducer(e, a.t)
	f.blocks(a.size(), e.Args, func(lo, hi int) *reducer {
		part := newReducer(e, a.t)
		for k := lo; k < hi; {
			n := min(a.n[0]-k%a.n[0], hi-k)
			part.run(line{a, a.off + offset(a, k), a.step[0]}, masked(mask, k), n, k)
			k += n
		}
		return part
	}, r)
	if e.N == 0 {
		return f.scalar(e.T, r.v)
	}
	out := f.newArray(e.T, 0, []int{1}, []int{len(a.n)})
	if r.place >= 0 {
		for d, n := range a.n {
			out.setInt(d, int64(r.place%n)+1)
			r.place /= n
		}
	}
	return out
}

// blocks joins the blocks of n elements, in a live run on all processors, and then the results in the order of the
// blocks.
func (f *frame) blocks(n int, read []lower.Expr, join func(lo, hi int) *reducer, to *reducer) {
	count := (n + blockLength - 1) / blockLength
	parts := make([]*reducer, count)
	f.evenly(count, blockLength, read, func(_ *Machine, lo, hi int) {
		for b := lo; b < hi; b++ {
			parts[b] = join(b*blockLength, min((b+1)*blockLength, n))
		}
	})
	for _, p := range parts {
		if p.joined {
			to.add(p.v, p.place)
		}
	}
}

// reduceAlong joins the elements along a dimension.
func (f *frame) reduceAlong(e *lower.Call, a, mask *array, dim int) *array {
	n := slices.Delete(slices.Clone(a.n), dim, dim+1)
	out := f.newArray(e.T, 0, ones(len(n)), n)
	inner := 1
	for _, x := range a.n[:dim] {
		inner *= x
	}
	loc := slices.Contains([]lower.Operation{lower.OpMaxloc, lower.OpMinloc, lower.OpFirstloc, lower.OpLastloc}, e.Fn.Op)
	f.evenly(out.size(), a.n[dim], e.Args, func(_ *Machine, lo, hi int) {
		for i := lo; i < hi; i++ {
			k := i%inner + i/inner*inner*a.n[dim] // the first element
			r := newReducer(e, a.t)
			if a.n[dim] > 0 {
				m := masked(mask, k)
				if mask != nil && len(mask.n) > 0 {
					m.step = mask.step[dim]
				}
				r.run(line{a, a.off + offset(a, k), a.step[dim]}, m, a.n[dim], 0)
			}
			if loc {
				out.setInt(i, int64(r.place+1))
			} else {
				out.set(i, r.v)
			}
		}
	})
	if len(n) == 0 {
		return f.scalar(e.T, out.get(0))
	}
	return out
}

// A line is elements of an array at equal distances.
type line struct {
	a            *array // nil for no mask
	offset, step int
}

// masked returns the line of a mask from its k-th element on.
func masked(mask *array, k int) line {
	switch {
	case mask == nil:
		return line{}
	case len(mask.n) == 0:
		return line{mask, mask.off, 0}
	}
	return line{mask, mask.off + offset(mask, k), mask.step[0]}
}

// A reducer joins values by a reduction.
type reducer struct {
	op     lower.Operation
	t      lower.Type
	v      lower.Value
	place  int
	joined bool // something was joined
}

func newReducer(e *lower.Call, t lower.Type) *reducer { return reducerOf(e.Fn.Op, t) }

// reducerOf returns a reducer that has joined nothing.
func reducerOf(op lower.Operation, t lower.Type) *reducer {
	r := &reducer{op: op, t: t, place: -1}
	switch r.op {
	case lower.OpProduct:
		r.v = lower.Value{I: 1, F: 1, Z: 1}
	case lower.OpAll:
		r.v.I = 1
	case lower.OpIall:
		r.v.I = -1
	case lower.OpMaxval:
		most := lower.Limit(lower.OpHuge, t)
		r.v = lower.Value{I: -most.I - 1, F: -most.F}
	case lower.OpMinval:
		r.v = lower.Limit(lower.OpHuge, t)
	}
	return r
}

// run joins n elements of a line where the mask holds. The first is element number place.
func (r *reducer) run(x, mask line, n, place int) {
	if r.t.Floating() {
		if join := joinerOf(r.op, r.t); join != nil {
			v, some := r.v.F, false
			if !r.joined && (r.op == lower.OpMaxval || r.op == lower.OpMinval) {
				v = math.NaN() // which any element replaces, infinite ones too
			}
			if x.a.f4 != nil {
				v, some = joinLine(v, x.a.f4, x, mask, n, join)
			} else {
				v, some = joinLine(v, x.a.f, x, mask, n, join)
			}
			if some {
				r.v.F, r.joined = v, true
			}
			return
		}
	}
	if x.a.integers() {
		if join := joinerOfIntegers(r.op, r.t); join != nil {
			if r.joined = true; x.a.i4 != nil {
				r.v.I, _ = joinLine(r.v.I, x.a.i4, x, mask, n, join)
			} else {
				r.v.I, _ = joinLine(r.v.I, x.a.i, x, mask, n, join)
			}
			return
		}
	}
	for k := range n {
		if mask.a == nil || mask.a.int(mask.offset+k*mask.step) != 0 {
			r.add(x.a.get(x.offset+k*x.step), place+k)
		}
	}
}

// joinLine joins elements strip by strip. It reports whether there are any.
func joinLine[S, T number](v T, of []S, x, mask line, n int, join func(v T, x []T) T) (T, bool) {
	if all, ok := any(of).([]T); ok && x.step == 1 && mask.a == nil {
		return join(v, all[x.offset:x.offset+n]), n > 0
	}
	some := false
	var strip [256]T
	for n > 0 {
		k := 0
		for ; n > 0 && k < len(strip); n-- {
			if mask.a == nil || mask.a.int(mask.offset) != 0 {
				strip[k] = T(of[x.offset])
				k++
			}
			x.offset, mask.offset = x.offset+x.step, mask.offset+mask.step
		}
		if k > 0 {
			v, some = join(v, strip[:k]), true
		}
	}
	return v, some
}

func (r *reducer) add(v lower.Value, place int) {
	first := !r.joined
	r.joined = true
	switch r.op {
	case lower.OpSum:
		r.v = lower.Value{I: r.t.Wrap(r.v.I + v.I), F: r.t.Round(r.v.F + v.F), Z: lower.RoundComplex(r.v.Z+v.Z, r.t)}
	case lower.OpProduct:
		r.v = lower.Value{I: r.t.Wrap(r.v.I * v.I), F: r.t.Round(r.v.F * v.F), Z: lower.RoundComplex(r.v.Z*v.Z, r.t)}
	case lower.OpMaxval, lower.OpMaxloc:
		if first || v.I > r.v.I || v.F > r.v.F || math.IsNaN(r.v.F) && !math.IsNaN(v.F) {
			r.v, r.place = v, place
		}
	case lower.OpMinval, lower.OpMinloc:
		if first || v.I < r.v.I || v.F < r.v.F || math.IsNaN(r.v.F) && !math.IsNaN(v.F) {
			r.v, r.place = v, place
		}
	case lower.OpFirstloc:
		if v.I != 0 && r.place < 0 {
			r.v, r.place = v, place
		}
	case lower.OpLastloc:
		if v.I != 0 {
			r.v, r.place = v, place
		}
	case lower.OpAny, lower.OpIany:
		r.v.I |= v.I
	case lower.OpAll, lower.OpIall:
		r.v.I &= v.I
	case lower.OpParity, lower.OpIparity:
		r.v.I ^= v.I
	case lower.OpCount:
		r.v.I += v.I
	case lower.OpDotProduct:
		r.v, _ = lower.Apply2(addition(r.t), r.v, v, r.t, r.t)
	}
}

// addition returns the addition of a type, which is .OR. for logicals.
func addition(t lower.Type) syntax.Op {
	if t.Base == syntax.LogicalType {
		return syntax.Or
	}
	return syntax.Add
}

func (f *frame) dot(e *lower.Call) *array {
	a, b := f.array(e.Args[0]), f.array(e.Args[1])
	f.conform(e.Pos, a, b)
	f.sweep(e, 1)
	r := newReducer(e, e.T)
	f.blocks(a.size(), e.Args, func(lo, hi int) *reducer {
		part := newReducer(e, e.T)
		part.joined = true
		x, y := a.off+lo*a.step[0], b.off+lo*b.step[0]
		for range hi - lo {
			if a.reals() && b.reals() {
				part.v.F = e.T.Round(part.v.F + e.T.Round(a.real(x)*b.real(y)))
			} else {
				v := a.get(x)
				v.Z = complex(real(v.Z), -imag(v.Z))
				part.v = f.multiplyAdd(part.v, v, b.get(y), a.t, b.t, e.T)
			}
			x, y = x+a.step[0], y+b.step[0]
		}
		return part
	}, r)
	return f.scalar(e.T, r.v)
}

func (f *frame) multiplyAdd(sum, a, b lower.Value, t, u, to lower.Type) lower.Value {
	if to.Base == syntax.LogicalType {
		return lower.Value{I: sum.I | a.I&b.I}
	}
	p, _ := lower.Apply2(syntax.Mul, lower.Convert(a, t, to), lower.Convert(b, u, to), to, to)
	s, _ := lower.Apply2(syntax.Add, sum, p, to, to)
	return s
}

func (f *frame) matmul(e *lower.Call) *array {
	a, b := f.array(e.Args[0]), f.array(e.Args[1])
	rows, inner, cols := 1, a.n[len(a.n)-1], 1
	var n []int
	as, bs := 0, 0
	if len(a.n) == 2 {
		rows, as = a.n[0], a.step[0]
		n = append(n, rows)
	}
	if len(b.n) == 2 {
		cols, bs = b.n[1], b.step[1]
		n = append(n, cols)
	}
	if b.n[0] != inner {
		fail(e.Pos, "MATMUL of an array of shape %v and one of shape %v", a.n, b.n)
	}
	f.sweep(e, cols)
	out := f.newArray(e.T, 0, ones(len(n)), n)
	ak := a.step[len(a.n)-1]
	part := func(i, to, j int) { // rows from i to below to of a column
		for ; i < to; i++ {
			var sum lower.Value
			for k := range inner {
				sum = f.multiplyAdd(sum, a.get(a.off+i*as+k*ak), b.get(b.off+k*b.step[0]+j*bs), a.t, b.t, e.T)
			}
			out.set(j*rows+i, sum)
		}
	}
	if a.t.Floating() && b.t.Floating() {
		part = func(i, to, j int) {
			for k := range inner {
				v := b.real(b.off + k*b.step[0] + j*bs)
				at := a.off + k*ak + i*as
				switch {
				case as == 1 && out.f != nil && a.f != nil:
					dst := out.f[j*rows+i : j*rows+to]
					addScaled(dst, v, a.f[at:at+len(dst)])
				case as == 1 && out.f4 != nil && a.f4 != nil:
					dst := out.f4[j*rows+i : j*rows+to]
					addScaled4(dst, float32(v), a.f4[at:at+len(dst)])
				default:
					for x := i; x < to; x++ {
						was := out.real(j*rows + x)
						out.setReal(j*rows+x, e.T.Round(was+e.T.Round(a.real(at+(x-i)*as)*v)))
					}
				}
			}
		}
	}
	if cols == 1 {
		f.evenly(rows, inner, e.Args, func(_ *Machine, lo, hi int) { part(lo, hi, 0) })
		return out
	}
	f.evenly(cols, rows*inner, e.Args, func(_ *Machine, lo, hi int) {
		for j := lo; j < hi; j++ {
			part(0, rows, j)
		}
	})
	return out
}
