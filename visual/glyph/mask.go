package glyph

import (
	"math"
	"unicode/utf8"

	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// MaxMask is the largest em, in pixels, that Place accepts.
const MaxMask = 64

// maxBytes limits the memory of a Set's masks. A Set at the limit drops all masks; otherwise a camera that zooms
// through thousands of sizes would fill the memory.
const maxBytes = 16 << 20

// Mask is a rasterised glyph: the coverage of W x H pixels, row by row. Left and Top are the position of its first pixel
// relative to the pixel of the pen on the baseline.
type Mask struct {
	Left, Top, W, H int32
	Pix             []uint8
}

// Placed is a mask and the place of its first pixel in the picture.
type Placed struct {
	*Mask
	X, Y int
}

type maskKey struct {
	r    rune
	size uint16 // in quarters of a pixel
	face scene.Face
	sub  uint8 // in quarters of a pixel
}

// Place appends the masks of a line of text that begins at (x, y) to dst. y is the baseline and is rounded to a whole
// pixel. Blank characters have no mask. Size must lie in (0, MaxMask].
func (s *Set) Place(dst []Placed, text []byte, x, y, size float64, f scene.Face) []Placed {
	if f != scene.Mono { // monospaced text keeps its order, since editors show a cursor in it
		text = ordered(text)
	}
	fc := s.face(f)
	key := maskKey{size: uint16(min(max(size*4+0.5, 4), 4*MaxMask)), face: f}
	base := int(math.Floor(y + 0.5))
	pen := 0
	s.mu.RLock()
	defer s.mu.RUnlock()
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		g := fc.glyph(r)
		if g.curves != nil {
			q := int(math.Floor((x+pixels(pen, size))*4 + 0.5))
			key.r, key.sub = r, uint8(q&3)
			m := s.masks[key]
			if m == nil {
				m = s.make(key, fc, g)
			}
			dst = append(dst, Placed{m, q>>2 + int(m.Left), base + int(m.Top)})
		}
		pen += int(g.advance)
	}
	return dst
}

// make rasterises a glyph. The caller holds s.mu for reading.
func (s *Set) make(key maskKey, f *face, g *glyph) *Mask {
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.RLock()
	defer s.mu.Unlock()
	if m := s.masks[key]; m != nil {
		return m
	}
	k := float64(key.size) / 4 / em
	lift := align(&f.heights, k)
	if g.bitmap {
		lift = nil
	}
	s.path.Reset()
	s.path.add(g, float64(key.sub)/4, k, lift)
	m := rasterise(&s.buf, &s.path)
	if s.bytes += len(m.Pix) + 100; s.bytes > maxBytes {
		clear(s.masks)
		s.bytes = len(m.Pix) + 100
	}
	s.masks[key] = m
	return m
}

// align maps heights in font units to pixels so that the baseline, the tops of lower case and capitals and the
// ascenders lie on whole pixels, without the overshoot of round letters. Horizontal edges stay sharp, as with light
// hinting.
func align(h *heights, k float64) func(int32) float64 {
	const overshoot = 40
	round := func(u int32) float64 { return max(math.Floor(float64(float64(u)*k)+0.5), 1) }
	ascender := h.capital + 99 // height of b, d and l
	from := [...]float64{0, float64(h.lower), float64(h.lower + overshoot), float64(h.capital), float64(h.capital + overshoot), float64(ascender)}
	low, top := round(h.lower), round(h.capital)
	if h.capital > h.lower && top <= low {
		top = low + 1
	}
	to := [...]float64{0, low, low, top, top, max(round(ascender), top)}
	return func(y int32) float64 {
		u := -float64(y)
		switch {
		case u <= -overshoot:
			return -float64((u + overshoot) * k)
		case u <= 0:
			return 0
		}
		for i := 1; i < len(from); i++ {
			if u <= from[i] {
				t := (u - from[i-1]) / (from[i] - from[i-1])
				return -(to[i-1] + float64(t*(to[i]-to[i-1])))
			}
		}
		return -(to[len(to)-1] + float64((u-from[len(from)-1])*k))
	}
}

// rasterise converts a path to a mask.
func rasterise(buf *cover.Buffer, p *Path) *Mask {
	snap := func(v float64) int { return int(math.Floor(v*cover.Unit + 0.5)) }
	x0, y0, x1, y1 := math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32
	for i := 0; i < len(p.Points); i += 2 {
		x, y := snap(p.Points[i]), snap(p.Points[i+1])
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	if x0 >= x1 || y0 >= y1 {
		return &Mask{}
	}
	x0, y0 = x0>>cover.Shift, y0>>cover.Shift
	x1, y1 = (x1-1)>>cover.Shift+1, (y1-1)>>cover.Shift+1
	m := &Mask{Left: int32(x0), Top: int32(y0), W: int32(x1 - x0), H: int32(y1 - y0)}
	m.Pix = make([]uint8, m.W*m.H)
	buf.Reset(x0, y0, x1, y1)
	from := 0
	for _, end := range p.Ends {
		c := p.Points[from:end]
		from = end
		ax, ay := snap(c[len(c)-2]), snap(c[len(c)-1])
		for i := 0; i < len(c); i += 2 {
			bx, by := snap(c[i]), snap(c[i+1])
			buf.Line(ax, ay, bx, by)
			ax, ay = bx, by
		}
	}
	buf.Sweep(cover.NonZero, func(x, y, n int, cov []uint8, c uint8) {
		row := m.Pix[(y-y0)*int(m.W)+x-x0:][:n]
		if cov != nil {
			copy(row, cov)
			return
		}
		for i := range row {
			row[i] = c
		}
	})
	return m
}
