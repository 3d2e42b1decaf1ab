// Package packed stores columns of integers in few bytes. A Column takes 0, 1, 2, 3, 4, 5 or 8 bytes for each number, as many as the range
// of its numbers needs.
package packed

import "iter"

// An Integer is a type of numbers that a Column can hold.
type Integer interface {
	~int32 | ~int64 | ~uint32 | ~uint64
}

// A Column is an array of numbers of fixed length. The zero Column is empty.
type Column[T Integer] struct {
	n     int
	least T // the arrays hold the differences from it

	// One of these holds the differences. bytes and halves together hold 24-bit differences, bytes and words together 40-bit ones; bytes holds
	// their upper parts. All are nil if all numbers are equal.
	bytes  []uint8
	halves []uint16
	words  []uint32
	longs  []uint64
}

// New returns a column of n numbers, all equal to least. It can hold numbers from least to most.
func New[T Integer](n int, least, most T) Column[T] {
	c := Column[T]{n: n, least: least}
	switch span := uint64(most) - uint64(least); {
	case span == 0:
	case span < 1<<8:
		c.bytes = make([]uint8, n)
	case span < 1<<16:
		c.halves = make([]uint16, n)
	case span < 1<<24:
		c.bytes, c.halves = make([]uint8, n), make([]uint16, n)
	case span < 1<<32:
		c.words = make([]uint32, n)
	case span < 1<<40:
		c.bytes, c.words = make([]uint8, n), make([]uint32, n)
	default:
		c.longs = make([]uint64, n)
	}
	return c
}

// Pack returns a column of the given numbers.
func Pack[T Integer](numbers ...T) Column[T] {
	var r Range[T]
	r.AddAll(numbers)
	c := r.Column(len(numbers))
	c.Write(0, numbers)
	return c
}

// Len returns the number of numbers.
func (c *Column[T]) Len() int { return c.n }

// At returns a number.
func (c *Column[T]) At(i int) T {
	switch {
	case c.words != nil:
		d := uint64(c.words[i])
		if c.bytes != nil {
			d |= uint64(c.bytes[i]) << 32
		}
		return c.least + T(d)
	case c.halves != nil:
		d := uint64(c.halves[i])
		if c.bytes != nil {
			d |= uint64(c.bytes[i]) << 16
		}
		return c.least + T(d)
	case c.bytes != nil:
		return c.least + T(c.bytes[i])
	case c.longs != nil:
		return c.least + T(c.longs[i])
	}
	return c.least
}

// Set changes a number to one in the range of the column.
func (c *Column[T]) Set(i int, v T) {
	d := uint64(v) - uint64(c.least)
	switch {
	case c.words != nil:
		c.words[i] = uint32(d)
		if c.bytes != nil {
			c.bytes[i] = uint8(d >> 32)
		}
	case c.halves != nil:
		c.halves[i] = uint16(d)
		if c.bytes != nil {
			c.bytes[i] = uint8(d >> 16)
		}
	case c.bytes != nil:
		c.bytes[i] = uint8(d)
	case c.longs != nil:
		c.longs[i] = d
	}
}

// Read copies the numbers from index first on to dst.
func (c *Column[T]) Read(dst []T, first int) {
	switch {
	case c.words != nil && c.bytes != nil:
		join(dst, c.words[first:], c.bytes[first:], 32, c.least)
	case c.words != nil:
		widen(dst, c.words[first:], c.least)
	case c.halves != nil && c.bytes != nil:
		join(dst, c.halves[first:], c.bytes[first:], 16, c.least)
	case c.bytes != nil:
		widen(dst, c.bytes[first:], c.least)
	case c.halves != nil:
		widen(dst, c.halves[first:], c.least)
	case c.longs != nil:
		widen(dst, c.longs[first:], c.least)
	default:
		for i := range dst {
			dst[i] = c.least
		}
	}
}

func widen[T Integer, W uint8 | uint16 | uint32 | uint64](dst []T, packed []W, least T) {
	for i, d := range packed[:len(dst)] {
		dst[i] = least + T(d)
	}
}

// join reads differences whose upper parts are apart.
func join[T Integer, W uint16 | uint32](dst []T, low []W, high []uint8, shift int, least T) {
	high = high[:len(dst)]
	for i, d := range low[:len(dst)] {
		dst[i] = least + T(uint64(high[i])<<shift|uint64(d))
	}
}

// Write changes the numbers from index first on to those of src, which are in the range of the column.
func (c *Column[T]) Write(first int, src []T) {
	switch {
	case c.words != nil && c.bytes != nil:
		narrow(c.words[first:], src, c.least, 0)
		narrow(c.bytes[first:], src, c.least, 32)
	case c.words != nil:
		narrow(c.words[first:], src, c.least, 0)
	case c.halves != nil && c.bytes != nil:
		narrow(c.halves[first:], src, c.least, 0)
		narrow(c.bytes[first:], src, c.least, 16)
	case c.bytes != nil:
		narrow(c.bytes[first:], src, c.least, 0)
	case c.halves != nil:
		narrow(c.halves[first:], src, c.least, 0)
	case c.longs != nil:
		narrow(c.longs[first:], src, c.least, 0)
	}
}

func narrow[T Integer, W uint8 | uint16 | uint32 | uint64](packed []W, src []T, least T, shift int) {
	packed = packed[:len(src)]
	for i, v := range src {
		packed[i] = W((uint64(v) - uint64(least)) >> shift)
	}
}

// Scatter changes the number at places[i] to src[i] for each i. The numbers are in the range of the column.
func (c *Column[T]) Scatter(places []int32, src []T) {
	switch {
	case c.words != nil && c.bytes != nil:
		scatter(c.words, places, src, c.least, 0)
		scatter(c.bytes, places, src, c.least, 32)
	case c.words != nil:
		scatter(c.words, places, src, c.least, 0)
	case c.halves != nil && c.bytes != nil:
		scatter(c.halves, places, src, c.least, 0)
		scatter(c.bytes, places, src, c.least, 16)
	case c.bytes != nil:
		scatter(c.bytes, places, src, c.least, 0)
	case c.halves != nil:
		scatter(c.halves, places, src, c.least, 0)
	case c.longs != nil:
		scatter(c.longs, places, src, c.least, 0)
	}
}

func scatter[T Integer, W uint8 | uint16 | uint32 | uint64](packed []W, places []int32, src []T, least T, shift int) {
	src = src[:len(places)]
	for i, p := range places {
		packed[p] = W((uint64(src[i]) - uint64(least)) >> shift)
	}
}

// Copy changes the numbers from index first on to those of src, which are in the range of the column.
func (c *Column[T]) Copy(first int, src Column[T]) {
	var buffer [1024]T
	for i := 0; i < src.n; i += len(buffer) {
		part := buffer[:min(len(buffer), src.n-i)]
		src.Read(part, i)
		c.Write(first+i, part)
	}
}

// Slice returns the numbers from index first to index end-1. They share memory with c.
func (c Column[T]) Slice(first, end int) Column[T] {
	return Column[T]{
		n: end - first, least: c.least,
		bytes: part(c.bytes, first, end), halves: part(c.halves, first, end), words: part(c.words, first, end), longs: part(c.longs, first, end),
	}
}

func part[W any](packed []W, first, end int) []W {
	if packed == nil {
		return nil
	}
	return packed[first:end]
}

// All returns an iterator over the numbers with their indices.
func (c *Column[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		var buffer [256]T
		for i := 0; i < c.n; i += len(buffer) {
			part := buffer[:min(len(buffer), c.n-i)]
			c.Read(part, i)
			for k, v := range part {
				if !yield(i+k, v) {
					return
				}
			}
		}
	}
}

// Plus returns the numbers plus d. They share memory with c.
func (c Column[T]) Plus(d T) Column[T] {
	c.least += d
	return c
}

// Bytes returns the numbers as bytes that share memory with c, nil if c does not store them so.
func (c *Column[T]) Bytes() []uint8 {
	if c.least != 0 || c.halves != nil || c.words != nil {
		return nil
	}
	return c.bytes
}

// Index returns the index of the first number that equals v, -1 if there is none.
func (c *Column[T]) Index(v T) int {
	for i, w := range c.All() {
		if w == v {
			return i
		}
	}
	return -1
}

// Range returns the range of the numbers.
func (c *Column[T]) Range() (r Range[T]) {
	for _, v := range c.All() {
		r.Add(v)
	}
	return r
}

// Numbers returns the numbers as a slice.
func (c *Column[T]) Numbers() []T {
	all := make([]T, c.n)
	c.Read(all, 0)
	return all
}

// A Range is the least range that contains some numbers. The zero Range contains none.
type Range[T Integer] struct {
	Least, Most T
	some        bool
}

// Add extends the range to a number.
func (r *Range[T]) Add(v T) {
	if !r.some {
		r.Least, r.Most, r.some = v, v, true
	}
	r.Least, r.Most = min(r.Least, v), max(r.Most, v)
}

// AddAll extends the range to numbers.
func (r *Range[T]) AddAll(numbers []T) {
	if len(numbers) == 0 {
		return
	}
	r.Add(numbers[0])
	least, most := r.Least, r.Most
	for _, v := range numbers {
		least, most = min(least, v), max(most, v)
	}
	r.Least, r.Most = least, most
}

// Join extends the range to another one.
func (r *Range[T]) Join(o Range[T]) {
	if o.some {
		r.Add(o.Least)
		r.Add(o.Most)
	}
}

// Column returns a column of n numbers that can hold those in the range.
func (r *Range[T]) Column(n int) Column[T] { return New(n, r.Least, r.Most) }
