package exec

import (
	"math"
	"math/cmplx"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// transform evaluates a reduction, an inquiry or a transformation.
func (f *frame) transform(e *lower.Call) *array {
	switch e.Fn.Name {
	case "SIZE", "LBOUND", "UBOUND", "SHAPE":
		return f.inquire(e)
	case "PROCESSORS_SHAPE":
		a := f.newArray(e.T, 0, []int{1}, []int{1})
		a.i[0] = int64(len(f.procs))
		return a
	case "DOT_PRODUCT":
		return f.dot(e)
	case "MATMUL":
		return f.matmul(e)
	case "TRANSPOSE":
		a := f.array(e.Args[0])
		return &array{t: a.t, i: a.i, f: a.f, z: a.z, s: a.s, length: a.length, off: a.off, lo: []int{1, 1}, n: []int{a.n[1], a.n[0]}, step: []int{a.step[1], a.step[0]}}
	case "SPREAD":
		return f.spread(e)
	case "RESHAPE":
		return f.reshape(e)
	case "CSHIFT", "EOSHIFT":
		return f.shift(e)
	case "PACK":
		return f.pack(e)
	case "UNPACK":
		return f.unpack(e)
	}
	return f.reduce(e)
}

func (f *frame) inquire(e *lower.Call) *array {
	a := f.array(e.Args[0])
	one := func(v int) *array { return f.scalar(e.T, lower.Value{I: int64(v)}) }
	bound := func(d int) int {
		switch e.Fn.Name {
		case "LBOUND":
			return a.lo[d]
		case "UBOUND":
			return a.hi(d)
		}
		return a.n[d]
	}
	if len(e.Args) > 1 && e.Args[1] != nil {
		return one(bound(f.dimension(e, e.Args[1], len(a.n))))
	}
	if e.Fn.Name == "SIZE" {
		return one(a.size())
	}
	out := f.newArray(e.T, 0, []int{1}, []int{len(a.n)})
	for d := range a.n {
		out.i[d] = int64(bound(d))
	}
	return out
}

// dimension evaluates DIM, from 0.
func (f *frame) dimension(e *lower.Call, x lower.Expr, rank int) int {
	d := f.integer(x)
	if d < 1 || d > rank {
		fail(e.At, "%s along dimension %d of an array of %d", e.Fn.Name, d, rank)
	}
	return d - 1
}

// optional evaluates an argument that may be left out.
func (f *frame) optional(e *lower.Call, i int) *array {
	if i < len(e.Args) && e.Args[i] != nil {
		return f.array(e.Args[i])
	}
	return nil
}

// reduce joins the elements of an array, or those along a dimension.
func (f *frame) reduce(e *lower.Call) *array {
	a := f.array(e.Args[0])
	mask := f.optional(e, 2)
	if mask != nil && len(mask.n) > 0 {
		f.conform(e.At, a, mask)
	}
	loc := e.Fn.Name == "MAXLOC" || e.Fn.Name == "MINLOC"
	dim := -1
	if len(e.Args) > 1 && e.Args[1] != nil {
		dim = f.dimension(e, e.Args[1], len(a.n))
	}
	if dim < 0 {
		r := newReducer(e, a.t)
		var w *walk
		if mask != nil {
			w = walker(mask)
		}
		k := 0
		a.each(func(at int) {
			if w == nil || mask.i[w.next()] != 0 {
				r.add(a.get(at), k)
			}
			k++
		})
		if loc {
			out := f.newArray(e.T, 0, []int{1}, []int{len(a.n)})
			if r.place >= 0 {
				for d, n := range a.n {
					out.i[d] = int64(r.place%n) + 1
					r.place /= n
				}
			}
			return out
		}
		return f.scalar(e.T, r.result())
	}
	n := slices.Delete(slices.Clone(a.n), dim, dim+1)
	out := f.newArray(e.T, 0, ones(len(n)), n)
	rs := make([]*reducer, out.size())
	for i := range rs {
		rs[i] = newReducer(e, a.t)
	}
	var w *walk
	if mask != nil {
		w = walker(mask)
	}
	inner := 1
	for _, x := range a.n[:dim] {
		inner *= x
	}
	k := 0
	a.each(func(at int) {
		to := k%inner + k/(inner*a.n[dim])*inner
		if w == nil || mask.i[w.next()] != 0 {
			rs[to].add(a.get(at), k/inner%a.n[dim])
		}
		k++
	})
	for i, r := range rs {
		if loc {
			out.i[i] = int64(r.place + 1)
		} else {
			out.set(i, r.result())
		}
	}
	if len(n) == 0 {
		return f.scalar(e.T, out.get(0))
	}
	return out
}

// A reducer joins values.
type reducer struct {
	name  string
	t     lower.Type
	v     lower.Value
	place int
}

func newReducer(e *lower.Call, t lower.Type) *reducer {
	r := &reducer{name: e.Fn.Name, t: t, place: -1}
	switch r.name {
	case "PRODUCT":
		r.v = lower.Value{I: 1, F: 1, Z: 1}
	case "ALL":
		r.v.I = 1
	case "MAXVAL":
		most := lower.Model("HUGE", t)
		r.v = lower.Value{I: -most.I - 1, F: -most.F}
	case "MINVAL":
		r.v = lower.Model("HUGE", t)
	}
	return r
}

func (r *reducer) add(v lower.Value, place int) {
	switch r.name {
	case "SUM":
		r.v = lower.Value{I: r.t.Wrap(r.v.I + v.I), F: r.t.Round(r.v.F + v.F), Z: lower.RoundComplex(r.v.Z+v.Z, r.t)}
	case "PRODUCT":
		r.v = lower.Value{I: r.t.Wrap(r.v.I * v.I), F: r.t.Round(r.v.F * v.F), Z: lower.RoundComplex(r.v.Z*v.Z, r.t)}
	case "MAXVAL", "MAXLOC":
		if r.name == "MAXLOC" && r.place < 0 || v.I > r.v.I || v.F > r.v.F || math.IsNaN(r.v.F) {
			r.v, r.place = v, place
		}
	case "MINVAL", "MINLOC":
		if r.name == "MINLOC" && r.place < 0 || v.I < r.v.I || v.F < r.v.F || math.IsNaN(r.v.F) {
			r.v, r.place = v, place
		}
	case "ANY":
		r.v.I |= v.I
	case "ALL":
		r.v.I &= v.I
	case "COUNT":
		r.v.I += v.I
	}
}

func (r *reducer) result() lower.Value { return r.v }

func (f *frame) dot(e *lower.Call) *array {
	a, b := f.array(e.Args[0]), f.array(e.Args[1])
	f.conform(e.At, a, b)
	x, y := walker(a), walker(b)
	var sum lower.Value
	for range a.size() {
		u := a.get(x.next())
		u.Z = cmplx.Conj(u.Z)
		sum = f.multiplyAdd(sum, u, b.get(y.next()), a.t, b.t, e.T)
	}
	return f.scalar(e.T, sum)
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
		fail(e.At, "MATMUL of an array of shape %v and one of shape %v", a.n, b.n)
	}
	out := f.newArray(e.T, 0, ones(len(n)), n)
	ak := a.step[len(a.n)-1]
	if a.t.Floating() && b.t.Floating() {
		for j := range cols {
			dst := out.f[j*rows : (j+1)*rows]
			for k := range inner {
				v := b.f[b.off+k*b.step[0]+j*bs]
				at := a.off + k*ak
				for i := range dst {
					dst[i] = e.T.Round(dst[i] + e.T.Round(a.f[at+i*as]*v))
				}
			}
		}
		return out
	}
	for j := range cols {
		for i := range rows {
			var sum lower.Value
			for k := range inner {
				sum = f.multiplyAdd(sum, a.get(a.off+i*as+k*ak), b.get(b.off+k*b.step[0]+j*bs), a.t, b.t, e.T)
			}
			out.set(j*rows+i, sum)
		}
	}
	return out
}

func (f *frame) spread(e *lower.Call) *array {
	a := f.array(e.Args[0])
	d := f.dimension(e, e.Args[1], len(a.n)+1)
	count := max(f.integer(e.Args[2]), 0)
	if size := a.size(); size > 0 && count > math.MaxInt/size {
		panic(&limitReached{"memory"})
	}
	f.take(a.t, a.length, a.size()*count) // though it takes none, whoever goes through it meets so many elements
	out := &array{t: a.t, i: a.i, f: a.f, z: a.z, s: a.s, length: a.length, off: a.off}
	out.n = slices.Insert(slices.Clone(a.n), d, count)
	out.step = slices.Insert(slices.Clone(a.step), d, 0)
	out.lo = ones(len(out.n))
	return out
}

// shift evaluates CSHIFT and EOSHIFT.
func (f *frame) shift(e *lower.Call) *array {
	a, by := f.array(e.Args[0]), f.array(e.Args[1])
	dimArg, circular := 2, e.Fn.Name == "CSHIFT"
	var boundary *array
	if !circular {
		boundary = f.optional(e, 2)
		dimArg = 3
	}
	d := 0
	if len(e.Args) > dimArg && e.Args[dimArg] != nil {
		d = f.dimension(e, e.Args[dimArg], len(a.n))
	}
	out := f.like(e.T, a.length, a)
	n := a.n[d]
	inner := 1
	for _, x := range a.n[:d] {
		inner *= x
	}
	blank := lower.Value{S: blanks(a.length)}
	k := 0
	src := f.packed(a)
	for range out.size() {
		line := k%inner + k/(inner*n)*inner
		i := k / inner % n
		s := int(by.get(by.off + offset(by, line)).I)
		from := i + s
		if circular {
			from = ((from % n) + n) % n
		}
		if from < 0 || from >= n {
			v := blank
			if boundary != nil {
				v = boundary.get(boundary.off + offset(boundary, line))
			}
			out.set(k, v)
		} else {
			out.set(k, src.get(src.off+k+(from-i)*inner))
		}
		k++
	}
	return out
}

// offset is where the k-th element of an array is, from its first; of a scalar always there.
func offset(a *array, k int) int {
	at := 0
	for d, n := range a.n {
		at += k % n * a.step[d]
		k /= n
	}
	return at
}
