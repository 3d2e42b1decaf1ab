package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// reshape evaluates RESHAPE: the elements of the source and then those of the pad, again and again, fill the result; the first dimension that
// ORDER names changes fastest.
func (f *frame) reshape(e *lower.Call) *array {
	a, shape, pad := f.array(e.Args[0]), f.array(e.Args[1]), f.optional(e, 2)
	var n []int
	size := 1
	shape.each(func(at int) {
		x := int(max(shape.i[at], 0))
		if x > mostElements || x > 0 && size > mostElements/x {
			fail(e.At, "an array of more than 2**40 elements")
		}
		n = append(n, x)
		size *= x
	})
	if size > a.size() && (pad == nil || pad.size() == 0) {
		fail(e.At, "RESHAPE of %d elements to shape %v", a.size(), n)
	}
	out := f.newArray(e.T, a.length, ones(len(n)), n)
	places := *out
	if order := f.optional(e, 3); order != nil {
		places.n, places.step = f.ordered(e, out, order)
	}
	x := walker(a)
	var y *walk
	k := 0
	places.each(func(at int) {
		if k++; k <= a.size() {
			out.set(at, a.get(x.next()))
			return
		}
		if y == nil {
			y = walker(pad)
		}
		out.set(at, pad.get(y.next()))
	})
	return out
}

// ordered returns extents and steps of an array with its dimensions in an order.
func (f *frame) ordered(e *lower.Call, a, order *array) (n, step []int) {
	var dims []int
	order.each(func(at int) { dims = append(dims, int(order.i[at])) })
	for d := range a.n {
		if len(dims) != len(a.n) || !slices.Contains(dims, d+1) {
			fail(e.At, "RESHAPE to %d dimensions in the order %v", len(a.n), dims)
		}
	}
	for _, d := range dims {
		n, step = append(n, a.n[d-1]), append(step, a.step[d-1])
	}
	return n, step
}

func (f *frame) pack(e *lower.Call) *array {
	a, mask := f.array(e.Args[0]), f.array(e.Args[1])
	var values []lower.Value
	w := walker(mask)
	a.each(func(at int) {
		if mask.i[w.next()] != 0 {
			values = append(values, a.get(at))
		}
	})
	n := len(values)
	vector := f.optional(e, 2)
	if vector != nil {
		n = max(n, vector.size())
	}
	out := f.newArray(e.T, a.length, []int{1}, []int{n})
	for i := range n {
		if i < len(values) {
			out.set(i, values[i])
		} else {
			out.set(i, vector.get(vector.off+offset(vector, i)))
		}
	}
	return out
}

func (f *frame) unpack(e *lower.Call) *array {
	vector, mask, field := f.array(e.Args[0]), f.array(e.Args[1]), f.array(e.Args[2])
	if len(field.n) > 0 {
		f.conform(e.At, mask, field)
	}
	out := f.like(e.T, vector.length, mask)
	w, taken, k := walker(field), 0, 0
	mask.each(func(at int) {
		v := field.get(w.next())
		if mask.i[at] != 0 {
			if taken == vector.size() {
				fail(e.At, "UNPACK needs more than the %d elements of its vector", taken)
			}
			v = vector.get(vector.off + offset(vector, taken))
			taken++
		}
		out.set(k, v)
		k++
	})
	return out
}
