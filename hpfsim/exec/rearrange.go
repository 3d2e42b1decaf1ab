package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// reshape evaluates RESHAPE. The elements of SOURCE fill the result, then those of PAD, repeatedly. The first
// dimension in ORDER varies fastest.
func (f *frame) reshape(e *lower.Call) *array {
	a, shape, pad := f.array(e.Args[0]), f.array(e.Args[1]), f.optional(e, 2)
	var n []int
	size := 1
	shape.eachElement(func(at int) {
		x := int(max(shape.int(at), 0))
		if x > mostElements || x > 0 && size > mostElements/x {
			fail(e.Pos, "an array of more than 2**40 elements")
		}
		n = append(n, x)
		size *= x
	})
	if size > a.size() && (pad == nil || pad.size() == 0) {
		fail(e.Pos, "RESHAPE of %d elements to shape %v", a.size(), n)
	}
	out := f.newArray(e.T, a.length, ones(len(n)), n)
	places := *out
	if order := f.optional(e, 3); order != nil {
		places.n, places.step = f.ordered(e, out, order)
	}
	of := a.size()
	f.evenly(size, 1, e.Args, func(_ *Machine, lo, hi int) {
		to, x := walkerAt(&places, lo), walkerAt(a, lo)
		for range min(hi, of) - lo {
			out.set(to.next(), a.get(x.next()))
		}
		if lo = max(lo, of); lo < hi {
			x = walkerAt(pad, (lo-of)%pad.size())
		}
		for range hi - lo {
			out.set(to.next(), pad.get(x.next()))
		}
	})
	return out
}

// ordered returns the extents and steps of an array with permuted dimensions.
func (f *frame) ordered(e *lower.Call, a, order *array) (n, step []int) {
	var dims []int
	order.eachElement(func(at int) { dims = append(dims, int(order.int(at))) })
	for d := range a.n {
		if len(dims) != len(a.n) || !slices.Contains(dims, d+1) {
			fail(e.Pos, "RESHAPE to %d dimensions in the order %v", len(a.n), dims)
		}
	}
	for _, d := range dims {
		n, step = append(n, a.n[d-1]), append(step, a.step[d-1])
	}
	return n, step
}

// pack evaluates PACK. It first counts the elements of each block where the mask holds, which determines where each
// block goes.
func (f *frame) pack(e *lower.Call) *array {
	a, mask := f.array(e.Args[0]), f.array(e.Args[1])
	size := a.size()
	block := min(blockLength, max(size/len(f.ranks), 1))
	count := (size + block - 1) / block
	begins := make([]int, count+1)
	blocks := func(do func(b int, x, m *walk, n int)) {
		f.evenly(count, block, e.Args, func(_ *Machine, lo, hi int) {
			for b := lo; b < hi; b++ {
				do(b, walkerAt(a, b*block), walkerAt(mask, b*block), min(block, size-b*block))
			}
		})
	}
	blocks(func(b int, _, m *walk, n int) {
		for range n {
			begins[b+1] += int(mask.int(m.next()))
		}
	})
	for b := range count {
		begins[b+1] += begins[b]
	}
	n, packed := begins[count], begins[count]
	vector := f.optional(e, 2)
	if vector != nil {
		n = max(n, vector.size())
	}
	out := f.newArray(e.T, a.length, []int{1}, []int{n})
	blocks(func(b int, x, m *walk, n int) {
		to := begins[b]
		for range n {
			if at := x.next(); mask.int(m.next()) != 0 {
				out.set(to, a.get(at))
				to++
			}
		}
	})
	for i := packed; i < n; i++ {
		out.set(i, vector.get(vector.off+offset(vector, i)))
	}
	return out
}

func (f *frame) unpack(e *lower.Call) *array {
	vector, mask, field := f.array(e.Args[0]), f.array(e.Args[1]), f.array(e.Args[2])
	if len(field.n) > 0 {
		f.conform(e.Pos, mask, field)
	}
	out := f.like(e.T, vector.length, mask)
	w, taken, k := walker(field), 0, 0
	f.each(mask, func(at int) {
		v := field.get(w.next())
		if mask.int(at) != 0 {
			if taken == vector.size() {
				fail(e.Pos, "UNPACK needs more than the %d elements of its vector", taken)
			}
			v = vector.get(vector.off + offset(vector, taken))
			taken++
		}
		out.set(k, v)
		k++
	})
	return out
}
