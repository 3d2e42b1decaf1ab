package raster

import (
	"encoding/binary"
	"image"

	"whorl/internal/integer"
	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// samples are the sample points of triangles inside a pixel, in 1/256: a rotated grid where no two
// share a row or a column, which suits nearly horizontal and vertical edges.
var samples = [...]struct{ x, y int }{{96, 32}, {224, 96}, {32, 160}, {160, 224}}

// mesh holds the samples of one mesh op as premultiplied pixels. The samples of a pixel are adjacent, since memory
// access dominates the cost.
type mesh struct {
	box  image.Rectangle
	tri  [][3]vertex
	each []uint32
}

const perPixel = len(samples)

// vertex is a corner in 1/256 pixel.
type vertex struct {
	x, y int
	c    scene.Color
}

func (p *painter) drawMesh(o *scene.Op) {
	pts := o.Mesh()
	tri := p.mesh.tri[:0]
	box := image.Rectangle{}
	for i := 0; i+5 < len(pts); i += 6 {
		var t [3]vertex
		ok := true
		for k := range t {
			x, y := p.x(pts[i+2*k]), p.y(pts[i+2*k+1])
			ok = ok && x >= -guard && x <= guard && y >= -guard && y <= guard
			if ok {
				t[k] = vertex{snap(x), snap(y), o.ColorAt(i/2 + k)}
			}
		}
		if !ok {
			continue
		}
		b := bounds(&t).Intersect(p.clip)
		if b.Empty() {
			continue
		}
		tri = append(tri, t)
		box = box.Union(b)
	}
	m := &p.mesh
	m.tri = tri
	if len(tri) == 0 {
		return
	}
	m.reset(box)
	for i := range tri {
		m.triangle(&tri[i])
	}
	if p.setInk(o.ColorAt(0)); p.hatched {
		m.resolveHatched(p)
		return
	}
	m.resolve(p)
}

func bounds(t *[3]vertex) image.Rectangle {
	const s, up = cover.Shift, cover.Unit - 1
	return image.Rect(
		min(t[0].x, t[1].x, t[2].x)>>s, min(t[0].y, t[1].y, t[2].y)>>s,
		(max(t[0].x, t[1].x, t[2].x)+up)>>s, (max(t[0].y, t[1].y, t[2].y)+up)>>s)
}

func (m *mesh) reset(box image.Rectangle) {
	m.box = box
	n := box.Dx() * box.Dy() * perPixel
	if cap(m.each) < n {
		m.each = make([]uint32, n)
	}
	m.each = m.each[:n]
	clear(m.each)
}

// triangle draws a triangle into the samples inside it. A sample on an edge belongs to one of the two sides only,
// because both sides compute the same crossing from the same upper end.
func (m *mesh) triangle(t *[3]vertex) {
	area := (t[1].x-t[0].x)*(t[2].y-t[0].y) - (t[2].x-t[0].x)*(t[1].y-t[0].y)
	if area == 0 {
		return
	}
	sh := newShade(t, area)
	b := bounds(t).Intersect(m.box)
	top, mid, end := &t[0], &t[1], &t[2]
	if mid.y < top.y {
		top, mid = mid, top
	}
	if end.y < mid.y {
		mid, end = end, mid
	}
	if mid.y < top.y {
		top, mid = mid, top
	}
	// The long edge runs from top to end; the other two follow each other on its other side.
	long, upper, lower := newEdge(top, end), newEdge(top, mid), newEdge(mid, end)
	right := (mid.x-top.x)*long.dy > (mid.y-top.y)*long.dx // whether the other two lie to its right
	for k, sample := range samples {
		first := max(-((sample.y - top.y) >> cover.Shift), b.Min.Y) // the first row whose sample is at or below the top
		turn := min(max(-((sample.y-mid.y)>>cover.Shift), first), b.Max.Y)
		last := min(-((sample.y - end.y) >> cover.Shift), b.Max.Y) // the row after the last
		m.rows(&sh, &long, &upper, right, k, first, turn, b)
		m.rows(&sh, &long, &lower, right, k, turn, last, b)
	}
}

// rows draws the k-th samples of rows between the long edge and another one, which lies to the right of it if right is
// set.
func (m *mesh) rows(sh *shade, long, other *edge, right bool, k, first, last int, b image.Rectangle) {
	if first >= last {
		return
	}
	if !right {
		long, other = other, long
	}
	sample := samples[k]
	sy := first<<cover.Shift + sample.y
	l, r := long.cross(sample.x, sy), other.cross(sample.x, sy)
	w := m.box.Dx()
	i := ((first-m.box.Min.Y)*w-m.box.Min.X)*perPixel + k
	from := sh.from(sample.x, sy)
	for range last - first {
		if x, end := max(l.x, b.Min.X), min(r.x, b.Max.X); x < end {
			sh.span(m.each[i+x*perPixel:i+end*perPixel-k], x, &from)
		}
		l.down(long)
		r.down(other)
		from.down(sh)
		i += w * perPixel
	}
}

// edge is a side of a triangle, from its upper end down.
type edge struct {
	x, y, dx, dy int
	step, rest   int // advance to the right in a row: step pixels and rest/dy/256
}

func newEdge(p, q *vertex) edge {
	e := edge{x: p.x, y: p.y, dx: q.x - p.x, dy: q.y - p.y}
	if e.dy > 0 {
		d := e.dy << cover.Shift
		e.step = integer.Floor(e.dx<<cover.Shift, d)
		e.rest = e.dx<<cover.Shift - e.step*d
	}
	return e
}

// crossing is the intersection of an edge with a row of samples. x is the first pixel whose sample lies on the edge or
// right of it, by left/dy/256 pixels.
type crossing struct{ x, left int }

// cross returns the crossing with the row of samples sy; sx is the place of the samples in their pixels.
func (e *edge) cross(sx, sy int) crossing {
	d := e.dy << cover.Shift
	num := (e.x-sx)*e.dy + (sy-e.y)*e.dx
	x := integer.Ceil(num, d)
	return crossing{x, x*d - num}
}

// down moves to the next row, without an unpredictable branch.
func (c *crossing) down(e *edge) {
	c.left -= e.rest
	borrow := c.left >> 63
	c.left += e.dy << cover.Shift & borrow
	c.x += e.step - borrow
}

// shade is the colour of a triangle as a plane, in 1/2^32. Integers make it the same wherever a span begins. Sums may
// wrap around on the way, but not inside the triangle, where all samples lie; the half added there keeps rounding
// within the levels.
type shade struct {
	x0, y0 int
	c      [4]int // at (x0, y0)
	dx, dy [4]int // per 1/256 pixel
	right  [4]int // per pixel to the right
	below  [4]int // per pixel downwards
	flat   bool
	opaque bool
	word   uint32
}

const shadeShift = 32

func newShade(t *[3]vertex, area int) shade {
	s := shade{x0: t[0].x, y0: t[0].y, flat: t[0].c == t[1].c && t[0].c == t[2].c, opaque: t[0].c.A&t[1].c.A&t[2].c.A == 255}
	if s.flat {
		s.word = premultiplied(t[0].c.R, t[0].c.G, t[0].c.B, t[0].c.A)
		return s
	}
	channel := func(c scene.Color) [4]int { return [4]int{int(c.R), int(c.G), int(c.B), int(c.A)} }
	a, b, c := channel(t[0].c), channel(t[1].c), channel(t[2].c)
	for i := range 4 {
		s.c[i] = a[i]<<shadeShift + 1<<(shadeShift-1)
		u, v := b[i]-a[i], c[i]-a[i]
		gx := u*(t[2].y-t[0].y) - v*(t[1].y-t[0].y)
		gy := v*(t[1].x-t[0].x) - u*(t[2].x-t[0].x)
		s.dx[i] = int(float64(gx) * (1 << shadeShift) / float64(area))
		s.dy[i] = int(float64(gy) * (1 << shadeShift) / float64(area))
		s.right[i], s.below[i] = s.dx[i]*cover.Unit, s.dy[i]*cover.Unit
	}
	return s
}

// start is the colour of a row of samples in pixel 0.
type start [4]int

func (s *shade) from(sx, sy int) (v start) {
	for k := range v {
		v[k] = s.c[k] + (sx-s.x0)*s.dx[k] + (sy-s.y0)*s.dy[k]
	}
	return v
}

// down moves to the next row.
func (v *start) down(s *shade) {
	v[0] += s.below[0]
	v[1] += s.below[1]
	v[2] += s.below[2]
	if !s.opaque {
		v[3] += s.below[3]
	}
}

// span blends the shade over one sample of each of several consecutive pixels from x on.
func (s *shade) span(px []uint32, x int, from *start) {
	switch {
	case s.opaque && !s.flat:
		dr, dg, db := s.right[0], s.right[1], s.right[2]
		r, g, b := from[0]+x*dr, from[1]+x*dg, from[2]+x*db
		for i := 0; i < len(px); i += perPixel {
			px[i] = uint32(level(r)) | uint32(level(g))<<8 | uint32(level(b))<<16 | 255<<24
			r, g, b = r+dr, g+dg, b+db
		}
	case s.opaque:
		for i := 0; i < len(px); i += perPixel {
			px[i] = s.word
		}
	case s.flat:
		for i := 0; i < len(px); i += perPixel {
			px[i] = overWord(px[i], s.word)
		}
	default:
		var v [4]int
		for k := range v {
			v[k] = from[k] + x*s.right[k]
		}
		for i := 0; i < len(px); i += perPixel {
			w := premultiplied(level(v[0]), level(v[1]), level(v[2]), level(v[3]))
			if w>>24 != 255 {
				w = overWord(px[i], w)
			}
			px[i] = w
			for k := range v {
				v[k] += s.right[k]
			}
		}
	}
}

func level(v int) uint8 { return uint8(v >> shadeShift) }

// premultiplied returns a pixel of an image.RGBA as a little-endian word.
func premultiplied(r, g, b, a uint8) uint32 {
	if a == 255 {
		return uint32(r) | uint32(g)<<8 | uint32(b)<<16 | 255<<24
	}
	k := uint32(a)
	return div255(uint32(r)*k) | div255(uint32(g)*k)<<8 | div255(uint32(b)*k)<<16 | k<<24
}

// resolve averages the samples and blends them over the picture.
func (m *mesh) resolve(p *painter) {
	w := m.box.Dx()
	for y := range m.box.Dy() {
		px := p.row(m.box.Min.X, m.box.Min.Y+y, w)
		for x := range w {
			i := (y*w + x) * perPixel
			four := m.each[i : i+perPixel : i+perPixel]
			a, b, c, d := four[0], four[1], four[2], four[3]
			if a|b|c|d == 0 {
				continue
			}
			s := a
			if a != b || a != c || a != d {
				s = quarter(a, b, c, d)
			}
			if s>>24 != 255 {
				s = overWord(binary.LittleEndian.Uint32(px[4*x:]), s)
			}
			binary.LittleEndian.PutUint32(px[4*x:], s)
		}
	}
}

// resolveHatched puts the pattern of the op on the averages and blends them over the picture.
func (m *mesh) resolveHatched(p *painter) {
	w := m.box.Dx()
	for y := range m.box.Dy() {
		px := p.row(m.box.Min.X, m.box.Min.Y+y, w)
		tone, at := p.hatch.row(m.box.Min.X, m.box.Min.Y+y)
		for x := range w {
			i := (y*w + x) * perPixel
			if s := quarter(m.each[i], m.each[i+1], m.each[i+2], m.each[i+3]); s != 0 {
				s = p.hatch.shade(s, tone[at])
				binary.LittleEndian.PutUint32(px[4*x:], overWord(binary.LittleEndian.Uint32(px[4*x:]), s))
			}
			if at++; at == len(tone) {
				at = 0
			}
		}
	}
}

// quarter returns the mean of four pixels.
func quarter(a, b, c, d uint32) uint32 {
	const half, low = 0x00020002, 0x00ff00ff
	rb := a&low + b&low + c&low + d&low + half
	ga := a>>8&low + b>>8&low + c>>8&low + d>>8&low + half
	return rb>>2&low | ga>>2&low<<8
}
