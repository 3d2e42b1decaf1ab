package raster

import (
	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// path holds closed contours in pixels, and scratch memory for cutting them at the guard.
type path struct {
	pts  []float64 // x0, y0, x1, y1, ...
	ends []int     // for each contour the index in pts after its last point
	cut  [2][]float64
}

func (s *path) reset()           { s.pts, s.ends = s.pts[:0], s.ends[:0] }
func (s *path) add(x, y float64) { s.pts = append(s.pts, x, y) }
func (s *path) end()             { s.ends = append(s.ends, len(s.pts)) }

func (p *painter) polygon(o *scene.Op) {
	pts, rule := o.Polygon()
	s := &p.path
	s.reset()
	for i := 0; i+1 < len(pts); i += 2 {
		s.add(p.x(pts[i]), p.y(pts[i+1]))
	}
	n := 0
	o.Contours(func(c []float32) {
		n += len(c)
		s.ends = append(s.ends, n)
	})
	p.fillPath(rule)
}

// fillPath fills p.path.
func (p *painter) fillPath(rule scene.Rule) {
	if p.gather(p.path.pts, p.path.ends) {
		p.sweep(rule)
	}
}

// gather adds contours to the coverage buffer. It returns false if they are invisible.
func (p *painter) gather(pts []float64, ends []int) bool {
	if len(pts) < 6 {
		return false
	}
	x0, y0, x1, y1 := pts[0], pts[1], pts[0], pts[1]
	bad := 0.0
	for i := 0; i+1 < len(pts); i += 2 {
		x, y := pts[i], pts[i+1]
		bad += (x - x) + (y - y)
		if x < x0 {
			x0 = x
		} else if x > x1 {
			x1 = x
		}
		if y < y0 {
			y0 = y
		} else if y > y1 {
			y1 = y
		}
	}
	if bad != 0 || !p.visible(x0, y0, x1, y1) {
		return false
	}
	inside := x0 >= -guard && y0 >= -guard && x1 <= guard && y1 <= guard
	from := 0
	for _, end := range ends {
		c := pts[from:end]
		from = end
		if !inside {
			c = p.path.guarded(c)
		}
		if len(c) < 6 {
			continue
		}
		outline(&p.buf, c)
	}
	return true
}

// outline adds a closed contour to a coverage buffer.
func outline(buf *cover.Buffer, pts []float64) {
	ax, ay := snap(pts[len(pts)-2]), snap(pts[len(pts)-1])
	for i := 0; i+1 < len(pts); i += 2 {
		bx, by := snap(pts[i]), snap(pts[i+1])
		buf.Line(ax, ay, bx, by)
		ax, ay = bx, by
	}
}

// visible reports whether a box may touch the clip; rounding to 1/256 pixel moves it by less than one pixel.
func (p *painter) visible(x0, y0, x1, y1 float64) bool {
	return x1 > float64(p.clip.Min.X)-1 && x0 < float64(p.clip.Max.X)+1 &&
		y1 > float64(p.clip.Min.Y)-1 && y0 < float64(p.clip.Max.Y)+1
}

// guarded clips a contour at the four sides of the guard square, one after the other (Sutherland and Hodgman,
// Reentrant polygon clipping, 1974).
func (s *path) guarded(c []float64) []float64 {
	for side := range 4 {
		axis, sign := side&1, 1.0
		if side >= 2 {
			sign = -1
		}
		out := s.cut[side&1][:0]
		n := len(c)
		if n == 0 {
			return nil
		}
		ax, ay := c[n-2], c[n-1]
		da := guard - sign*c[n-2+axis]
		for i := 0; i+1 < n; i += 2 {
			bx, by := c[i], c[i+1]
			db := guard - sign*c[i+axis]
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				x, y := ax+float64(t*(bx-ax)), ay+float64(t*(by-ay))
				if axis == 0 {
					x = sign * guard
				} else {
					y = sign * guard
				}
				out = append(out, x, y)
			}
			if db >= 0 {
				out = append(out, bx, by)
			}
			ax, ay, da = bx, by, db
		}
		s.cut[side&1] = out
		c = out
	}
	return c
}

func coverRule(r scene.Rule) cover.Rule {
	if r == scene.EvenOdd {
		return cover.EvenOdd
	}
	return cover.NonZero
}
