package glyph

import (
	"math"
	"unicode/utf8"

	"whorl/visual/scene"
)

// Path holds closed contours of straight lines: points x0, y0, x1, y1, ... in pixels, y downwards, and for each
// contour the index in Points after its last point.
type Path struct {
	Points []float64
	Ends   []int
}

// Reset empties the path and keeps its memory.
func (p *Path) Reset() { p.Points, p.Ends = p.Points[:0], p.Ends[:0] }

// Outlines appends the outlines of a line of text to p, from the origin to the right along the baseline, at an em of
// size pixels. Curves deviate by less than 1/20 pixel.
func (s *Set) Outlines(p *Path, text []byte, size float64, f scene.Face) {
	if f != scene.Mono {
		text = ordered(text)
	}
	fc := s.face(f)
	k := size / em
	pen := 0
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		g := fc.glyph(r)
		p.add(g, float64(float64(pen)*k), k, nil)
		pen += int(g.advance)
	}
}

// add appends a glyph scaled by k and moved right by dx. If lift is not nil, it replaces the scaling of y.
func (p *Path) add(g *glyph, dx, k float64, lift func(y int32) float64) {
	if g.bitmap {
		k *= em / 12.0
	}
	var x, y float64
	point := func(ux, uy int32) (float64, float64) {
		if lift != nil {
			return dx + float64(float64(ux)*k), lift(uy)
		}
		return dx + float64(float64(ux)*k), float64(float64(uy) * k)
	}
	for i := range g.curves {
		c := &g.curves[i]
		ex, ey := point(c.x, c.y)
		switch c.op {
		case moveTo:
			p.end()
		case quadTo:
			cx, cy := point(c.cx, c.cy)
			// A quadratic curve deviates from its chord by at most a quarter of |p0 - 2c + p1|; n pieces divide that
			// by n squared.
			dev := math.Abs(x-2*cx+ex) + math.Abs(y-2*cy+ey)
			n := min(int(math.Sqrt(dev*5))+1, 32)
			for j := 1; j < n; j++ {
				t := float64(j) / float64(n)
				u := 1 - t
				a, b, d := u*u, 2*u*t, t*t
				p.Points = append(p.Points,
					float64(float64(a*x)+float64(b*cx))+float64(d*ex),
					float64(float64(a*y)+float64(b*cy))+float64(d*ey))
			}
		}
		p.Points = append(p.Points, ex, ey)
		x, y = ex, ey
	}
	p.end()
}

// end closes the current contour if it has points.
func (p *Path) end() {
	if n := len(p.Points); n > 0 && (len(p.Ends) == 0 || p.Ends[len(p.Ends)-1] < n) {
		p.Ends = append(p.Ends, n)
	}
}
