package sunburst

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	g      *Geometry
	x, y   float64 // the middle, in pixels
	scale  float64 // width of a ring, in pixels
	em     float64
	gap    float64 // between rings and between arcs
	spans  [2][2]float64
	nSpans int     // number of spans: visible angles, in turns
	near   float64 // least distance of the clip from the middle, in pixels
	far    float64 // largest distance
}

// Mapping returns the mapping of a frame and the part of its area that moves.
func (g *Geometry) Mapping(f *view.Frame) (view.Mapping, scene.Rect) { return f.Mapping() }

func newSheet(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	s.scale, _ = f.Camera.Scales()
	s.x, s.y = f.ToPixel(0, 0)
	s.gap = min(1, s.scale/8)
	s.look(f.Clip)
	return s
}

// look computes the visible part of the rings: the distances of a rectangle from the middle, and the angles between its corners.
func (s *sheet) look(c scene.Rect) {
	dx, dy := max(c.X0-s.x, 0, s.x-c.X1), max(c.Y0-s.y, 0, s.y-c.Y1)
	s.near = math.Hypot(dx, dy)
	s.far = math.Hypot(max(s.x-c.X0, c.X1-s.x), max(s.y-c.Y0, c.Y1-s.y))
	if c.Contains(s.x, s.y) {
		s.spans[0], s.nSpans = [2]float64{0, 1}, 1
		return
	}
	// From outside, all corners lie within half a turn of the middle of the rectangle.
	mid := turn((c.X0+c.X1)/2-s.x, (c.Y0+c.Y1)/2-s.y)
	lo, hi := 0.0, 0.0
	for _, p := range [4][2]float64{{c.X0, c.Y0}, {c.X1, c.Y0}, {c.X0, c.Y1}, {c.X1, c.Y1}} {
		d := turn(p[0]-s.x, p[1]-s.y) - mid
		d -= math.Round(d)
		lo, hi = min(lo, d), max(hi, d)
	}
	lo, hi = mid+lo, mid+hi
	s.nSpans = 1
	switch {
	case lo < 0:
		s.spans, s.nSpans = [2][2]float64{{0, hi}, {lo + 1, 1}}, 2
	case hi > 1:
		s.spans, s.nSpans = [2][2]float64{{0, hi - 1}, {lo, 1}}, 2
	default:
		s.spans[0] = [2]float64{lo, hi}
	}
}

// turn returns the angle of a direction in turns, clockwise from the top.
func turn(dx, dy float64) float64 {
	t := math.Atan2(dx, -dy) / (2 * math.Pi)
	if t < 0 {
		t++
	}
	return min(t, 1)
}

// band returns the inner and outer radius of a ring, in pixels.
func (s *sheet) band(ring int) (inner, outer float64) {
	if ring == 0 {
		return 0, hole * s.scale
	}
	return radius(ring-1) * s.scale, radius(ring) * s.scale
}

// seen reports whether any part of a ring is visible.
func (s *sheet) seen(ring int) bool {
	inner, outer := s.band(ring)
	return outer >= s.near && inner <= s.far
}

// sector fills the part of a ring between two angles, with gaps to its neighbours if it is wide enough.
func (s *sheet) sector(out *scene.List, inner, outer, from, to float64, c scene.Color) {
	start, sweep := from*2*math.Pi-math.Pi/2, (to-from)*2*math.Pi
	if broad := sweep * outer; to-from < 1 && broad > 4*s.gap {
		cut := s.gap / max((inner+outer)/2, 1)
		start, sweep = start+cut/2, sweep-cut
	}
	out.Arc(float32(s.x), float32(s.y), float32(inner), float32(max(outer-s.gap, inner)), float32(start), float32(sweep), c)
}

// arc returns the arc at a pixel, or -1.
func (s *sheet) arc(x, y float64) int32 {
	if !s.Area.Contains(x, y) || !(s.scale > 0) {
		return -1
	}
	r := math.Hypot(x-s.x, y-s.y) / s.scale
	ring := 0
	if r >= hole {
		if r >= radius(s.g.Shown) {
			return -1
		}
		ring = int(r-hole) + 1
	}
	if ring >= s.g.Shown {
		return -1
	}
	return s.g.Layout.PartAt(ring, min(turn(x-s.x, y-s.y), math.Nextafter(1, 0)))
}

// box returns the rectangle around an arc, in pixels.
func (s *sheet) box(a int32) scene.Rect {
	l := s.g.Layout
	inner, outer := s.band(l.Level(a))
	from, to := l.From[a], l.To[a]
	r := scene.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	add := func(angle, radius float64) {
		sin, cos := math.Sincos(2 * math.Pi * angle)
		x, y := s.x+float64(sin*radius), s.y-float64(cos*radius)
		r = scene.Rect{X0: min(r.X0, x), Y0: min(r.Y0, y), X1: max(r.X1, x), Y1: max(r.Y1, y)}
	}
	for _, radius := range [2]float64{inner, outer} {
		add(from, radius)
		add(to, radius)
	}
	for quarter := math.Ceil(4*from) / 4; quarter <= to; quarter += 0.25 {
		add(quarter, outer)
	}
	return r
}
