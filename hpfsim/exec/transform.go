package exec

import (
	"math"
	"slices"

	"whorl/hpfsim/lower"
)

// transform evaluates a reduction, an inquiry or a transformation.
func (f *frame) transform(e *lower.Call) *array {
	if f.mask != nil {
		defer f.unmasked()()
	}
	switch e.Fn.Op {
	case lower.OpSize, lower.OpLbound, lower.OpUbound, lower.OpShape:
		return f.inquire(e)
	case lower.OpProcessorsShape:
		a := f.newArray(e.T, 0, []int{1}, []int{1})
		a.setInt(0, int64(len(f.ranks)))
		return a
	case lower.OpPrefix, lower.OpSuffix:
		return f.prefix(e)
	case lower.OpScatter:
		return f.scatter(e)
	case lower.OpGrade, lower.OpSort:
		return f.sort(e)
	case lower.OpMyProcessor, lower.OpGlobalShape, lower.OpGlobalSize, lower.OpLocalBlocks:
		return f.askLocal(e)
	case lower.OpDotProduct:
		return f.dot(e)
	case lower.OpMatmul:
		return f.matmul(e)
	case lower.OpTranspose:
		a := f.array(e.Args[0])
		return &array{cells: a.cells, t: a.t, length: a.length, off: a.off, lo: []int{1, 1}, n: []int{a.n[1], a.n[0]}, step: []int{a.step[1], a.step[0]}}
	case lower.OpSpread:
		return f.spread(e)
	case lower.OpReshape:
		return f.reshape(e)
	case lower.OpTransfer:
		return f.reinterpret(e)
	case lower.OpCshift, lower.OpEoshift:
		return f.shift(e)
	case lower.OpPack:
		return f.pack(e)
	case lower.OpUnpack:
		return f.unpack(e)
	}
	return f.reduce(e)
}

func (f *frame) inquire(e *lower.Call) *array {
	a := f.array(e.Args[0])
	one := func(v int) *array { return f.scalar(e.T, lower.Value{I: int64(v)}) }
	bound := func(d int) int {
		switch e.Fn.Op {
		case lower.OpLbound:
			return a.lo[d]
		case lower.OpUbound:
			return a.hi(d)
		}
		return a.n[d]
	}
	if len(e.Args) > 1 && e.Args[1] != nil {
		return one(bound(f.dimension(e, e.Args[1], len(a.n))))
	}
	if e.Fn.Op == lower.OpSize {
		return one(a.size())
	}
	out := f.newArray(e.T, 0, []int{1}, []int{len(a.n)})
	for d := range a.n {
		out.setInt(d, int64(bound(d)))
	}
	return out
}

// dimension evaluates DIM, from 0.
func (f *frame) dimension(e *lower.Call, x lower.Expr, rank int) int {
	d := f.integer(x)
	if d < 1 || d > rank {
		fail(e.Pos, "%s along dimension %d of an array of %d", e.Fn.Name, d, rank)
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

func (f *frame) spread(e *lower.Call) *array {
	a := f.array(e.Args[0])
	d := f.dimension(e, e.Args[1], len(a.n)+1)
	count := max(f.integer(e.Args[2]), 0)
	if size := a.size(); size > 0 && count > math.MaxInt/size {
		panic(&LimitError{"memory"})
	}
	f.reserve(a.t, a.length, a.size()*count) // limits the number of elements, although they share memory
	out := &array{cells: a.cells, t: a.t, length: a.length, off: a.off}
	out.n = slices.Insert(slices.Clone(a.n), d, count)
	out.step = slices.Insert(slices.Clone(a.step), d, 0)
	out.lo = ones(len(out.n))
	return out
}

// shift evaluates CSHIFT and EOSHIFT.
func (f *frame) shift(e *lower.Call) *array {
	a, by := f.array(e.Args[0]), f.array(e.Args[1])
	dimArg, circular := 2, e.Fn.Op == lower.OpCshift
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
	inner := 1
	for _, x := range a.n[:d] {
		inner *= x
	}
	src := f.packed(a)
	if out.size() == 0 {
		return out
	}
	if len(by.n) == 0 && (boundary == nil || len(boundary.n) == 0) && represented(e.T) {
		blank, s := lower.Value{}, int(by.get(by.off).I)
		if boundary != nil {
			blank = boundary.get(boundary.off)
		}
		f.evenly(out.size()/inner, inner, e.Args[:1], func(_ *Machine, lo, hi int) {
			switch {
			case out.f4 != nil:
				shiftRows(out.f4, src.f4[src.off:], float32(blank.F), a.n[d], inner, s, circular, lo, hi)
			case out.f != nil:
				shiftRows(out.f, src.f[src.off:], blank.F, a.n[d], inner, s, circular, lo, hi)
			case out.i4 != nil:
				shiftRows(out.i4, src.i4[src.off:], int32(blank.I), a.n[d], inner, s, circular, lo, hi)
			default:
				shiftRows(out.i, src.i[src.off:], blank.I, a.n[d], inner, s, circular, lo, hi)
			}
		})
		return out
	}
	blank := lower.Value{S: blanks(a.length)}
	n := a.n[d]
	for k := range out.size() {
		line := k%inner + k/(inner*n)*inner
		i := k / inner % n
		from := i + int(by.get(by.off+offset(by, line)).I)
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
	}
	return out
}

// shiftRows shifts rows lo to hi-1 by s along a dimension of extent n. A row is the elements with the same index in
// that dimension and all later ones.
func shiftRows[S any](dst, src []S, blank S, n, inner, s int, circular bool, lo, hi int) {
	for r := lo; r < hi; r++ {
		i := r % n
		from := i + s
		if circular {
			from = ((from % n) + n) % n
		}
		row := dst[r*inner : (r+1)*inner]
		if from < 0 || from >= n {
			for k := range row {
				row[k] = blank
			}
			continue
		}
		copy(row, src[(r-i+from)*inner:])
	}
}

// offset returns the offset of the k-th element of an array from its first, and 0 for a scalar.
func offset(a *array, k int) int {
	at := 0
	for d, n := range a.n {
		at += k % n * a.step[d]
		k /= n
	}
	return at
}
