package raster

import (
	"math"

	"whorl/visual/scene"
)

// stroker turns a polyline into pieces with the same winding: a quadrilateral for each segment or dash, a wedge on the
// outside of each corner, a cap at each end. Neighbouring pieces share their edges, so their coverage adds up without
// a seam, and overlaps count once.
type stroker struct {
	p    *painter
	half float64 // half the width, in pixels
	join scene.Join
	cap  scene.Cap
	dash dashes
	any  bool // whether anything was added
	pts  []vec
	poly []float64
}

// vec is a point or a direction.
type vec struct{ x, y float64 }

func (a vec) add(b vec) vec       { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec       { return vec{a.x - b.x, a.y - b.y} }
func (a vec) mul(k float64) vec   { return vec{float64(a.x * k), float64(a.y * k)} }
func (a vec) dot(b vec) float64   { return float64(a.x*b.x) + float64(a.y*b.y) }
func (a vec) cross(b vec) float64 { return float64(a.x*b.y) - float64(a.y*b.x) }
func (a vec) len() float64        { return math.Sqrt(a.dot(a)) }
func (a vec) right() vec          { return vec{-a.y, a.x} } // a quarter turn clockwise, since y points down

// widest limits half the width of a line, in pixels, since round corners of wide lines are slow.
const widest = 1 << 16

func (p *painter) polyline(o *scene.Op) {
	pts, st := o.Polyline()
	half := float64(st.Width) * p.v.Scale / 2
	if !finite(half) || !(half > 0) || len(pts) == 0 {
		return
	}
	half = min(half, widest)
	if len(pts) == 4 && len(st.Dash) == 0 && st.Cap == scene.ButtCap && p.straight(pts, half) {
		return
	}
	s := &p.stroke
	s.p, s.half, s.join, s.cap, s.any = p, half, st.Join, st.Cap, false
	s.pts = s.pts[:0]
	for i := 0; i+1 < len(pts); i += 2 {
		v := vec{p.x(pts[i]), p.y(pts[i+1])}
		if !finite(v.x) || !finite(v.y) {
			return
		}
		if n := len(s.pts); n == 0 || s.pts[n-1] != v {
			s.pts = append(s.pts, v)
		}
	}
	closed := st.Closed
	if n := len(s.pts); closed && n > 1 && s.pts[0] == s.pts[n-1] {
		s.pts = s.pts[:n-1]
	}
	if len(s.pts) == 1 {
		s.dot(s.pts[0])
	} else {
		s.dash.set(st.Dash, float64(st.Phase), p.v.Scale, half)
		s.run(closed && len(s.pts) > 2)
	}
	if s.any {
		p.sweep(scene.NonZero)
	}
}

// straight draws a horizontal or vertical line as a rectangle. It returns false for any other line.
func (p *painter) straight(pts []float32, half float64) bool {
	x0, y0, x1, y1 := p.x(pts[0]), p.y(pts[1]), p.x(pts[2]), p.y(pts[3])
	if !finite(x0) || !finite(y0) || !finite(x1) || !finite(y1) {
		return true
	}
	switch {
	case y0 == y1:
		p.fillRect(snap(min(x0, x1)), snap(y0-half), snap(max(x0, x1)), snap(y0+half))
	case x0 == x1:
		p.fillRect(snap(x0-half), snap(min(y0, y1)), snap(x0+half), snap(max(y0, y1)))
	default:
		return false
	}
	return true
}

// dot draws a line without length: its caps.
func (s *stroker) dot(centre vec) {
	d := vec{s.half, 0}
	switch s.cap {
	case scene.RoundCap:
		s.roundCap(centre, d)
		s.roundCap(centre, d.mul(-1))
	case scene.SquareCap:
		s.quad(centre.sub(d), centre.add(d), d.right())
	}
}

// run adds the pieces of s.pts.
func (s *stroker) run(closed bool) {
	n := len(s.pts)
	segs := n - 1
	if closed {
		segs = n
	}
	var last vec // direction of the previous segment, as long as half the width
	if closed {
		last = s.direction(n-1, 0)
	}
	start := 0.0 // length of the path so far
	for i := range segs {
		a, b := s.pts[i], s.pts[(i+1)%n]
		d := s.direction(i, (i+1)%n)
		length := b.sub(a).len()
		first, final := i == 0 && !closed, i == segs-1 && !closed
		if !s.near(a, b) {
			start += length
			last = d
			continue
		}
		if s.dash.solid() {
			s.piece(a, b, d, first, final)
			if !first {
				s.corner(a, last, d)
			}
		} else {
			s.dashed(a, b, d, last, start, length, i == 0, i == segs-1)
		}
		start += length
		last = d
	}
}

func (s *stroker) direction(i, j int) vec {
	d := s.pts[j].sub(s.pts[i])
	return d.mul(s.half / d.len())
}

// near reports whether a segment, its corners or its caps may be visible.
func (s *stroker) near(a, b vec) bool {
	const reach = 4 // of a mitre, in half widths
	r := s.half * reach
	return s.p.visible(min(a.x, b.x)-r, min(a.y, b.y)-r, max(a.x, b.x)+r, max(a.y, b.y)+r)
}

// piece adds a straight part with direction d, and the requested caps.
func (s *stroker) piece(a, b, d vec, capA, capB bool) {
	if s.cap == scene.SquareCap {
		if capA {
			a = a.sub(d)
		}
		if capB {
			b = b.add(d)
		}
	}
	s.quad(a, b, d.right())
	if s.cap == scene.RoundCap {
		if capA {
			s.roundCap(a, d.mul(-1))
		}
		if capB {
			s.roundCap(b, d)
		}
	}
}

func (s *stroker) quad(a, b, n vec) {
	s.start(a.add(n))
	s.next(b.add(n))
	s.next(b.sub(n))
	s.next(a.sub(n))
	s.flush()
}

// roundCap adds the half disc about a at the end of a line with direction d.
func (s *stroker) roundCap(a, d vec) {
	n := d.right()
	s.start(a.add(n))
	s.bend(a, n, d, 0)
	s.next(a.add(d))
	s.bend(a, d, n.mul(-1), 0)
	s.next(a.sub(n))
	s.flush()
}

// corner adds the wedge on the outer side of the corner at v between two directions.
func (s *stroker) corner(v, d1, d2 vec) {
	n1, n2 := d1.right(), d2.right()
	turn := d1.cross(d2)
	cos := d1.dot(d2) / float64(s.half*s.half)
	switch {
	case turn > 0: // right turn: the outside is on the left, and runs backwards
		n1, n2 = n2.mul(-1), n1.mul(-1)
	case turn == 0 && cos > 0:
		return
	}
	s.start(v)
	s.next(v.add(n1))
	switch {
	case s.join == scene.RoundJoin && cos < -0.999:
		out := d1 // the middle of a reversal
		s.bend(v, n1, out, 0)
		s.next(v.add(out))
		s.bend(v, out, n2, 0)
	case s.join == scene.RoundJoin:
		s.bend(v, n1, n2, 0)
	case s.join == scene.MiterJoin && 1+cos >= 2.0/16: // four widths
		s.next(v.add(n1.add(n2).mul(1 / (1 + cos))))
	}
	s.next(v.add(n2))
	s.flush()
}

// bend adds the points of the shorter arc about v between v+a and v+b, without its ends, halving it until the chords
// are flat.
func (s *stroker) bend(v, a, b vec, depth int) {
	m := a.add(b)
	l := m.len()
	if s.half-l/2 < flat || depth == 12 {
		return
	}
	m = m.mul(s.half / l)
	s.bend(v, a, m, depth+1)
	s.next(v.add(m))
	s.bend(v, m, b, depth+1)
}

func (s *stroker) start(v vec) { s.poly = append(s.poly[:0], v.x, v.y) }
func (s *stroker) next(v vec)  { s.poly = append(s.poly, v.x, v.y) }

func (s *stroker) flush() {
	ends := [1]int{len(s.poly)}
	if s.p.gather(s.poly, ends[:]) {
		s.any = true
	}
}
