package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// An array holds the elements of an array, or a section of another array, or one scalar. Element (x1, x2, ...) is at off + the sum of (xd - lo[d]) * step[d].
type array struct {
	cells
	t      lower.Type
	length int // of characters
	off    int
	lo, n  []int // lower bounds and extents
	step   []int
	lay    *mapping.Array // nil for a replicated array
	absent bool           // not allocated, or an omitted argument
	rest   int            // for an element that is passed as an array: the number of elements from it on
	proc   *lower.Unit    // for an argument that is a procedure
	host   *frame         // the frame around proc
	within *fragment      // the fragment that is this local array of an HPF_LOCAL subroutine; nil for others
}

// size returns the number of elements.
func (a *array) size() int {
	n := 1
	for _, e := range a.n {
		n *= e
	}
	return n
}

// hi returns the upper bound of a dimension.
func (a *array) hi(d int) int { return a.lo[d] + a.n[d] - 1 }

// along returns the indices of dimension d.
func (a *array) along(d int) mapping.Run { return mapping.Run{From: a.lo[d], To: a.hi(d), Step: 1} }

// spans reports whether an address is between those of the first and the last element.
func (a *array) spans(at uintptr) bool {
	lo, hi := a.off, a.off
	for d, n := range a.n {
		if n == 0 {
			return false
		}
		lo, hi = lo+min(0, (n-1)*a.step[d]), hi+max(0, (n-1)*a.step[d])
	}
	return at >= uintptr(a.address(lo)) && at <= uintptr(a.address(hi))
}

// whole returns the indices of all dimensions.
func (a *array) whole() []mapping.Run {
	out := make([]mapping.Run, len(a.n))
	for d := range out {
		out[d] = a.along(d)
	}
	return out
}

// contiguous reports whether the elements are adjacent in memory.
func (a *array) contiguous() bool {
	step := 1
	for d := range a.n {
		if a.n[d] > 1 && a.step[d] != step {
			return false
		}
		step *= a.n[d]
	}
	return true
}

// newVariable makes an array of zeros or blanks, for generated code if it has elements of a type that such code knows.
func (m *Machine) newVariable(t lower.Type, length int, lo, n []int) *array {
	if m.memory == nil || len(n) == 0 || !represented(t) {
		return m.newArray(t, length, lo, n)
	}
	a, size := shaped(t, 0, lo, n)
	m.reserve(t, 0, size)
	if b := m.memory.Alloc(size, elementBytes(t)); b != nil {
		a.cells = within(b, t)
	} else { // beyond 4 GiB
		a.elements(size)
	}
	return a
}

// shaped returns an array without elements, and their number.
func shaped(t lower.Type, length int, lo, n []int) (a *array, size int) {
	a = &array{t: t, length: length, lo: lo, n: n, step: make([]int, len(n))}
	size = 1
	for d := range n {
		a.step[d] = size
		size *= n[d]
	}
	return a, size
}

// newArray makes an array of zeros or blanks.
func (m *Machine) newArray(t lower.Type, length int, lo, n []int) *array {
	a, size := shaped(t, length, lo, n)
	m.reserve(t, length, size)
	a.elements(size)
	return a
}

// elements makes the elements of an array.
func (a *array) elements(size int) {
	small := len(a.n) > 0 && narrow(a.t)
	switch {
	case a.t.Base == syntax.ComplexType:
		a.z = make([]complex128, size)
	case a.t.Base == syntax.CharacterType:
		a.s = make([]string, size)
		blank := blanks(a.length)
		for i := range a.s {
			a.s[i] = blank
		}
	case a.t.Floating() && small:
		a.f4 = make([]float32, size)
	case a.t.Floating():
		a.f = make([]float64, size)
	case small:
		a.i4 = make([]int32, size)
	default:
		a.i = make([]int64, size)
	}
}

// reserve counts the memory of n elements, and ends the run at the limit.
func (m *Machine) reserve(t lower.Type, length, size int) {
	each := bytesOf(t, length)
	if m.limits.Bytes > 0 && int64(size) > (m.limits.Bytes-m.used-m.lasting)/int64(each) {
		panic(&LimitError{"memory"})
	}
	m.used += int64(size) * int64(each)
}

// bytesOf returns the size of an element.
func bytesOf(t lower.Type, length int) int {
	if t.Base == syntax.CharacterType {
		return 16 + length
	}
	return elementBytes(t)
}

// get returns an element as a value.
func (a *array) get(at int) lower.Value {
	switch a.t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		return lower.Value{I: a.int(at)}
	case syntax.ComplexType:
		return lower.Value{Z: a.z[at]}
	case syntax.CharacterType:
		return lower.Value{S: a.s[at]}
	}
	return lower.Value{F: a.real(at)}
}

// set gives an element a value of the array's type.
func (a *array) set(at int, v lower.Value) {
	switch a.t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		a.setInt(at, v.I)
	case syntax.ComplexType:
		a.z[at] = v.Z
	case syntax.CharacterType:
		a.s[at] = fit(v.S, a.length)
	default:
		a.setReal(at, v.F)
	}
}

// eachElement calls f with the place of every element, in the order of Fortran's arrays.
func (a *array) eachElement(f func(at int)) {
	if a.size() == 0 {
		return
	}
	x := make([]int, len(a.n))
	at := a.off
	for {
		f(at)
		d := 0
		for ; d < len(x); d++ {
			x[d]++
			at += a.step[d]
			if x[d] < a.n[d] {
				break
			}
			at -= a.n[d] * a.step[d]
			x[d] = 0
		}
		if d == len(x) {
			return
		}
	}
}

// packed returns an array with adjacent elements: the array itself or a copy.
func (m *Machine) packed(a *array) *array {
	if a.contiguous() {
		return a
	}
	b := m.newVariable(a.t, a.length, ones(len(a.n)), a.n)
	k := 0
	m.each(a, func(at int) {
		b.set(k, a.get(at))
		k++
	})
	return b
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func blanks(n int) string {
	const some = "                                                                "
	if n <= len(some) {
		return some[:max(n, 0)]
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = ' '
	}
	return string(b)
}

// fit pads or cuts characters to a length.
func fit(s string, n int) string {
	if len(s) == n {
		return s
	}
	if len(s) > n {
		return s[:n]
	}
	return s + blanks(n-len(s))
}

// A walk visits the elements of an array in order. For a scalar it stays at the value.
type walk struct {
	a      *array
	x      []int
	offset int
}

func walker(a *array) *walk { return &walk{a: a, x: make([]int, len(a.n)), offset: a.off} }

// walkerAt returns a walk from the k-th element on.
func walkerAt(a *array, k int) *walk {
	w := walker(a)
	for d, n := range a.n {
		if n == 0 {
			break
		}
		w.x[d] = k % n
		w.offset += w.x[d] * a.step[d]
		k /= n
	}
	return w
}

func (w *walk) next() int {
	at := w.offset
	for d := range w.x {
		w.x[d]++
		w.offset += w.a.step[d]
		if w.x[d] < w.a.n[d] {
			break
		}
		w.offset -= w.a.n[d] * w.a.step[d]
		w.x[d] = 0
	}
	return at
}

// A lineWalk visits the lines of an array along its first dimension.
type lineWalk struct {
	w    *walk
	step int
}

func lineWalker(a *array) *lineWalk {
	if len(a.n) == 0 {
		return &lineWalk{walker(a), 0}
	}
	rest := &array{off: a.off, n: a.n[1:], step: a.step[1:]}
	return &lineWalk{walker(rest), a.step[0]}
}

func (l *lineWalk) next() (at, step int) { return l.w.next(), l.step }
