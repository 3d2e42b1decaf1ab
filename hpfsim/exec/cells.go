package exec

import (
	"unsafe"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/wasm"
)

// Cells hold the elements of an array, or a scalar, in one of the slices. Elements of arrays of reals in single precision and of integers and logicals of up to 4
// bytes take 4 bytes; scalars take 8.
type cells struct {
	i     []int64 // integers and logicals
	i4    []int32
	f     []float64
	f4    []float32
	z     []complex128
	s     []string
	held  []*array    // of an array of arrays; nil where nothing is allocated yet
	block *wasm.Block // holds the elements where generated code can use them; nil elsewhere
}

// narrow reports whether elements of arrays take 4 bytes.
func narrow(t lower.Type) bool {
	return t.Base == syntax.RealType || (t.Base == syntax.IntegerType || t.Base == syntax.LogicalType) && t.Size <= 4
}

// elementBytes returns the size of an element of an array of numbers or logicals.
func elementBytes(t lower.Type) int {
	switch {
	case narrow(t):
		return 4
	case t.Base == syntax.ComplexType:
		return 16
	}
	return 8
}

// within returns the elements in a block.
func within(b *wasm.Block, t lower.Type) cells {
	switch {
	case t.Floating() && narrow(t):
		return cells{f4: wasm.Slice[float32](b), block: b}
	case t.Floating():
		return cells{f: wasm.Slice[float64](b), block: b}
	case narrow(t):
		return cells{i4: wasm.Slice[int32](b), block: b}
	}
	return cells{i: wasm.Slice[int64](b), block: b}
}

// int returns an integer or a logical.
func (c *cells) int(at int) int64 {
	if c.i != nil {
		return c.i[at]
	}
	return int64(c.i4[at])
}

// setInt stores an integer of the type of the elements, or a logical.
func (c *cells) setInt(at int, v int64) {
	if c.i != nil {
		c.i[at] = v
	} else {
		c.i4[at] = int32(v)
	}
}

// real returns a real.
func (c *cells) real(at int) float64 {
	if c.f != nil {
		return c.f[at]
	}
	return float64(c.f4[at])
}

// setReal stores a real of the type of the elements.
func (c *cells) setReal(at int, v float64) {
	if c.f != nil {
		c.f[at] = v
	} else {
		c.f4[at] = float32(v)
	}
}

// integers reports whether the elements are integers or logicals, reals whether they are reals.
func (c *cells) integers() bool { return c.i != nil || c.i4 != nil }
func (c *cells) reals() bool    { return c.f != nil || c.f4 != nil }

// stored returns the number of elements in the memory.
func (c *cells) stored() int {
	return len(c.i) + len(c.i4) + len(c.f) + len(c.f4) + len(c.z) + len(c.s) + len(c.held)
}

// address identifies the memory of an element, nil if there is none.
func (c *cells) address(at int) unsafe.Pointer {
	switch {
	case at < len(c.i):
		return unsafe.Pointer(&c.i[at])
	case at < len(c.i4):
		return unsafe.Pointer(&c.i4[at])
	case at < len(c.f):
		return unsafe.Pointer(&c.f[at])
	case at < len(c.f4):
		return unsafe.Pointer(&c.f4[at])
	case at < len(c.z):
		return unsafe.Pointer(&c.z[at])
	case at < len(c.s):
		return unsafe.Pointer(&c.s[at])
	case at < len(c.held):
		return unsafe.Pointer(&c.held[at])
	}
	return nil
}

// copyRow copies n elements from place from of other cells of the same type to place at. The steps are those between elements.
func (c *cells) copyRow(at, step int, other *cells, from, by, n int) {
	switch {
	case c.f4 != nil && other.f4 != nil:
		copyRow(c.f4, at, step, other.f4, from, by, n)
	case c.f != nil && other.f != nil:
		copyRow(c.f, at, step, other.f, from, by, n)
	case c.i4 != nil && other.i4 != nil:
		copyRow(c.i4, at, step, other.i4, from, by, n)
	case c.i != nil && other.i != nil:
		copyRow(c.i, at, step, other.i, from, by, n)
	case c.integers():
		for k := range n {
			c.setInt(at+k*step, other.int(from+k*by))
		}
	default:
		for k := range n {
			c.setReal(at+k*step, other.real(from+k*by))
		}
	}
}

func copyRow[S number](to []S, at, step int, other []S, from, by, n int) {
	if step == 1 && by == 1 {
		copy(to[at:at+n], other[from:from+n])
		return
	}
	for k := range n {
		to[at+k*step] = other[from+k*by]
	}
}
