// Package cover computes the area of each pixel that an outline covers, exactly and in integers.
//
// Coordinates are in 1/256 pixel, y downwards. Every edge adds its signed area to the pixels that it crosses; a
// running sum along a row then gives the covered area of each pixel. This is the signed area accumulation of Raph
// Levien's font-rs on a sparse buffer: rows record which blocks of pixels were touched, so that a long thin line costs
// its length and not its bounding box.
//
// The crossing of an edge with a row or a column is a rounded division of the edge's own end points, never a value
// carried on from the border of the buffer. So the coverage of a pixel depends neither on the part of the picture in the
// buffer nor on the processor. In partly covered pixels, overlapping outlines add up their areas, limited to full
// coverage.
package cover

import "math/bits"

// Unit is the number of coordinate steps in a pixel.
const (
	Unit  = 1 << Shift
	Shift = 8
)

// Limit bounds coordinates: for |x|, |y| <= Limit no product below overflows.
const Limit = 1 << 30

// Rule decides how overlapping parts of an outline count.
type Rule uint8

// The rules.
const (
	NonZero Rule = iota
	EvenOdd
)

// full is the sum of a pixel covered wholly and once: twice the area in square units.
const full = 2 * Unit * Unit

const (
	blockShift = 4
	block      = 1 << blockShift
)

// Buffer collects edges until Sweep. The zero value covers no pixel; see Reset.
type Buffer struct {
	x0, y0, x1, y1 int // pixels of the buffer
	cx0, cy0       int // the clip, within the buffer
	cx1, cy1       int

	stride  int
	words   int     // words of touched in a row
	acc     []int32 // stride values in a row; all zero between sweeps
	touched []uint64
	rows    []extent
	top     int // touched rows, relative to y0
	bottom  int

	line []uint8
}

// extent is the range of pixels of a row that edges have touched, relative to x0.
type extent struct{ lo, hi int32 }

// Reset makes the buffer hold the pixels x0 <= x < x1, y0 <= y < y1 and sets the clip to all of them. Edges not yet
// swept are lost.
func (b *Buffer) Reset(x0, y0, x1, y1 int) {
	w, h := max(x1-x0, 0), max(y1-y0, 0)
	b.x0, b.y0, b.x1, b.y1 = x0, y0, x0+w, y0+h
	b.stride = (w + 1 + block) &^ (block - 1)
	b.words = (b.stride>>blockShift + 63) / 64
	b.acc = zeroed(b.acc, b.stride*h)
	b.touched = zeroed(b.touched, b.words*h)
	b.line = zeroed(b.line, b.stride)
	if cap(b.rows) < h {
		b.rows = make([]extent, h)
	}
	b.rows = b.rows[:h]
	for i := range b.rows {
		b.rows[i] = extent{1 << 30, -1}
	}
	b.top, b.bottom = h, -1
	b.Clip(x0, y0, x1, y1)
}

func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Clip restricts the following edges to a rectangle of pixels inside the buffer. It must not change between the edges
// of one outline.
func (b *Buffer) Clip(x0, y0, x1, y1 int) {
	b.cx0, b.cy0 = max(x0, b.x0), max(y0, b.y0)
	b.cx1, b.cy1 = max(min(x1, b.x1), b.cx0), max(min(y1, b.y1), b.cy0)
}

// Line adds the edge from (ax, ay) to (bx, by). The edges of an outline must form closed contours.
func (b *Buffer) Line(ax, ay, bx, by int) {
	dir := 1
	if ay > by {
		ax, ay, bx, by = bx, by, ax, ay
		dir = -1
	}
	first, last := ay>>Shift, (by-1)>>Shift
	if ay == by || last < b.cy0 || first >= b.cy1 || min(ax, bx)>>Shift >= b.cx1 {
		return
	}
	row, end := max(first, b.cy0), min(last, b.cy1-1)
	b.top, b.bottom = min(b.top, row-b.y0), max(b.bottom, end-b.y0)

	dx, dy := bx-ax, by-ay
	ya := max(ay, row<<Shift)
	xa, rem := divmod((ya-ay)*dx, dy)
	xa += ax
	if dx == 0 {
		for ; row <= end; row++ {
			yb := min(by, (row+1)<<Shift)
			b.segment(row, xa, xa, dir, yb-ya)
			ya = yb
		}
		return
	}
	var q, r int // of one whole row
	if last > row {
		q, r = divmod(dx<<Shift, dy)
	}
	for ; row <= end; row++ {
		yb := (row + 1) << Shift
		var xb int
		switch {
		case yb >= by:
			yb, xb = by, bx
		case yb-ya == Unit:
			xb = xa + q
			if rem += r; rem >= dy {
				rem -= dy
				xb++
			}
		default:
			xb, rem = divmod((yb-ay)*dx, dy)
			xb += ax
		}
		b.segment(row, xa, xb, dir, yb-ya)
		xa, ya = xb, yb
	}
}

// segment adds the part of an edge inside one row: x goes from xa to xb while y grows by h <= Unit.
func (b *Buffer) segment(row, xa, xb, dir, h int) {
	if xa > xb {
		xa, xb = xb, xa // the mirrored edge covers the same area
	}
	lo := xa >> Shift
	if lo >= b.cx1 {
		return
	}
	r := row - b.y0
	acc := b.acc[r*b.stride : (r+1)*b.stride]
	d := int32(dir * h)
	hi := xb >> Shift
	switch {
	case hi < b.cx0 || xb == b.cx0<<Shift:
		lo, hi = b.cx0, b.cx0
		acc[lo-b.x0] += d * 2 * Unit
	case lo == hi && lo >= b.cx0:
		f := int32(xa&(Unit-1) + xb&(Unit-1))
		acc[lo-b.x0] += d * (2*Unit - f)
		acc[lo-b.x0+1] += d * f
	default:
		lo, hi = b.slant(acc, xa, xb, dir, h)
	}
	b.touch(r, lo-b.x0, min(hi+1, b.cx1)-b.x0)
}

// slant adds a part of an edge that crosses several pixels of a row. It returns the first and the last pixel touched.
func (b *Buffer) slant(acc []int32, xa, xb, dir, h int) (lo, hi int) {
	dx := xb - xa
	x, y := xa, 0 // y is the part of h left of x
	if left := b.cx0 << Shift; x < left {
		x = left
		y, _ = divmod((left-xa)*h, dx)
		acc[b.cx0-b.x0] += int32(dir*y) * 2 * Unit
	}
	lo = x >> Shift
	hi = min(xb>>Shift, b.cx1-1)
	var q, r, rem int
	if hi > lo {
		q, r = divmod(h<<Shift, dx)
	}
	column := lo - b.x0
	for col := lo; col <= hi; col++ {
		right := (col + 1) << Shift
		yn, f := h, xb-col<<Shift // the point where it leaves the pixel
		switch {
		case right > xb:
		case x == xa || col == lo:
			yn, rem = divmod((right-xa)*h, dx)
			f = Unit
		default:
			yn, f = y+q, Unit
			if rem += r; rem >= dx {
				rem -= dx
				yn++
			}
		}
		d := int32(dir * (yn - y))
		s := int32(x - col<<Shift + f)
		acc[column] += d * (2*Unit - s)
		acc[column+1] += d * s
		column++
		x, y = right, yn
	}
	return lo, hi
}

// touch records that the pixels lo to hi of a row have been written.
func (b *Buffer) touch(row, lo, hi int) {
	e := &b.rows[row]
	e.lo, e.hi = min(e.lo, int32(lo)), max(e.hi, int32(hi))
	t := b.touched[row*b.words : (row+1)*b.words]
	for k := lo >> blockShift; k <= hi>>blockShift; k++ {
		t[k>>6] |= 1 << (k & 63)
	}
}

// divmod divides rounding towards minus infinity; d > 0.
func divmod(n, d int) (q, r int) {
	q = n / d
	if r = n - q*d; r < 0 {
		q--
		r += d
	}
	return q, r
}

// Sweep passes the coverage of the collected outline to span, row by row and from left to right in pieces, and empties
// the buffer. A piece is either a run of pixels with their coverages in cov, from 0 to 255 (opaque), or cov is nil and n
// pixels have the coverage c. cov is valid during the call.
func (b *Buffer) Sweep(rule Rule, span func(x, y, n int, cov []uint8, c uint8)) {
	for r := b.top; r <= b.bottom; r++ {
		if b.rows[r].hi >= 0 {
			b.sweepRow(r, rule, span)
		}
	}
	b.top, b.bottom = len(b.rows), -1
}

func (b *Buffer) sweepRow(r int, rule Rule, span func(x, y, n int, cov []uint8, c uint8)) {
	e := b.rows[r]
	b.rows[r] = extent{1 << 30, -1}
	acc := b.acc[r*b.stride : (r+1)*b.stride]
	t := b.touched[r*b.words : (r+1)*b.words]
	y := r + b.y0
	limit := b.cx1 - b.x0 // the first pixel right of the clip
	sum := int32(0)
	for column := int(e.lo); column < limit; {
		k := nextBlock(t, column>>blockShift)
		if start := max(k<<blockShift, column); start > column {
			start = min(start, limit)
			if c := level(sum, rule); c != 0 {
				span(b.x0+column, y, start-column, nil, c)
			}
			column = start
			continue
		}
		// A run of touched blocks.
		stop := (k + 1) << blockShift
		for stop>>blockShift < b.stride>>blockShift && t[stop>>(blockShift+6)]>>(stop>>blockShift&63)&1 != 0 {
			stop += block
		}
		stop = min(stop, limit, int(e.hi)+1)
		line := b.line[:stop-column]
		a := acc[column:stop]
		c := level(sum, rule)
		for i, v := range a {
			if v != 0 {
				sum += v
				c = level(sum, rule)
				a[i] = 0
			}
			line[i] = c
		}
		span(b.x0+column, y, stop-column, line, 0)
		column = stop
		if column > int(e.hi) {
			if c := level(sum, rule); c != 0 && column < limit {
				span(b.x0+column, y, limit-column, nil, c)
			}
			break
		}
	}
	if int(e.hi) >= limit {
		clear(acc[limit : int(e.hi)+1])
	}
	clear(t)
}

// nextBlock returns the first touched block from k on, or the index after the last.
func nextBlock(t []uint64, k int) int {
	w := k >> 6
	if w >= len(t) {
		return k
	}
	v := t[w] >> (k & 63) << (k & 63)
	for v == 0 {
		if w++; w == len(t) {
			return w << 6
		}
		v = t[w]
	}
	return w<<6 + bits.TrailingZeros64(v)
}

// level converts a sum to a coverage from 0 to 255.
func level(sum int32, rule Rule) uint8 {
	if sum < 0 {
		sum = -sum
	}
	if sum > full {
		if rule == NonZero {
			return 255
		}
		if sum &= 2*full - 1; sum > full {
			sum = 2*full - sum
		}
	}
	return uint8((sum*255 + full/2) >> 17)
}
