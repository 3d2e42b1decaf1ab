package raster

import (
	"math"

	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// largestMask is the largest size, in pixels, of marks drawn from masks.
const largestMask = 24

// markCache holds the masks of recent marks, for 8 x 8 positions of the centre within its pixel.
type markCache struct {
	masks map[markKey]*[64]markMask
	buf   cover.Buffer
	path  path
}

type markKey struct {
	shape scene.Shape
	size  int // 1/256 pixel
}

// markMask is the coverage of a mark; x and y are its first pixel relative to the centre's pixel.
type markMask struct {
	x, y, w, h int
	pix        []uint8
}

func (p *painter) drawMarks(o *scene.Op) {
	shape, fsize, pts := o.Marks()
	size := float64(fsize) * p.v.Scale
	if !finite(size) || !(size > 0) {
		return
	}
	half := size / 2
	// Discard invisible marks before rounding: most belong to other bands.
	left, right := float64(p.clip.Min.X)-half-1, float64(p.clip.Max.X)+half+1
	top, bottom := float64(p.clip.Min.Y)-half-1, float64(p.clip.Max.Y)+half+1
	var masks *[64]markMask
	if size <= largestMask && shape != scene.Square {
		masks = p.marks.get(markKey{shape, snap(size)})
	}
	var last scene.Color
	p.setInk(last)
	for i := range len(pts) / 2 {
		x, y := p.x(pts[2*i]), p.y(pts[2*i+1])
		if !(y >= top && y <= bottom && x >= left && x <= right) {
			continue
		}
		if c := o.ColorAt(i); c != last {
			p.setInk(c)
			last = c
		}
		if last.A == 0 {
			continue
		}
		switch {
		case masks != nil:
			cx, cy := (snap(x)+16)>>5, (snap(y)+16)>>5 // in eighths of a pixel
			m := &masks[cy&7<<3|cx&7]
			if m.pix == nil {
				p.marks.make(m, shape, size, cx&7, cy&7)
			}
			p.mask(cx>>3+m.x, cy>>3+m.y, m.w, m.h, m.pix)
		case shape == scene.Square:
			p.fillRect(snap(x-half), snap(y-half), snap(x+half), snap(y+half))
		default:
			p.path.reset()
			p.path.mark(shape, x, y, size)
			p.fillPath(scene.NonZero)
		}
	}
}

// get returns the masks for a shape and size; most of them are made on first use.
func (m *markCache) get(k markKey) *[64]markMask {
	v := m.masks[k]
	if v == nil {
		if len(m.masks) >= 64 {
			clear(m.masks)
		}
		v = new([64]markMask)
		m.masks[k] = v
	}
	return v
}

// make rasterises a mark whose centre lies dx, dy eighths of a pixel inside its pixel.
func (m *markCache) make(out *markMask, shape scene.Shape, size float64, dx, dy int) {
	r := int(math.Ceil(size/2)) + 1
	out.x, out.y, out.w, out.h = -r, -r, 2*r+1, 2*r+1
	out.pix = make([]uint8, out.w*out.h)
	m.buf.Reset(0, 0, out.w, out.h)
	m.path.reset()
	m.path.mark(shape, float64(r)+float64(dx)/8, float64(r)+float64(dy)/8, size)
	outline(&m.buf, m.path.pts)
	m.buf.Sweep(cover.NonZero, func(x, y, n int, cov []uint8, c uint8) {
		for i := range n {
			v := c
			if cov != nil {
				v = cov[i]
			}
			out.pix[y*out.w+x+i] = v
		}
	})
	out.trim()
}

// trim removes the empty rows and columns at the sides.
func (m *markMask) trim() {
	x0, y0, x1, y1 := m.w, m.h, 0, 0
	for i, c := range m.pix {
		if c != 0 {
			x, y := i%m.w, i/m.w
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
		}
	}
	if x0 >= x1 {
		m.w, m.h = 0, 0
		return
	}
	pix := make([]uint8, 0, (x1-x0)*(y1-y0))
	for y := y0; y < y1; y++ {
		pix = append(pix, m.pix[y*m.w+x0:y*m.w+x1]...)
	}
	m.x, m.y, m.w, m.h, m.pix = m.x+x0, m.y+y0, x1-x0, y1-y0, pix
}

// mark adds the outline of a mark as one contour.
func (s *path) mark(shape scene.Shape, x, y, size float64) {
	h := size / 2
	switch shape {
	case scene.Square:
		s.pts = append(s.pts, x-h, y-h, x+h, y-h, x+h, y+h, x-h, y+h)
	case scene.Diamond:
		s.pts = append(s.pts, x, y-h, x+h, y, x, y+h, x-h, y)
	case scene.Triangle:
		s.pts = append(s.pts, x, y-h, x+h, y+h, x-h, y+h)
	case scene.Cross:
		t := size / 6 // half the width of the arms
		s.pts = append(s.pts,
			x-t, y-h, x+t, y-h, x+t, y-t, x+h, y-t, x+h, y+t, x+t, y+t,
			x+t, y+h, x-t, y+h, x-t, y+t, x-h, y+t, x-h, y-t, x-t, y-t)
	default:
		s.disc(x, y, h)
		return
	}
	s.end()
}
