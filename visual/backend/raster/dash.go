package raster

import (
	"math"

	"whorl/visual/scene"
)

// dashes is a pattern along a path: on between from[i] and to[i] of every period.
type dashes struct {
	from, to [scene.MaxDash]float64
	n        int
	period   float64
	phase    float64
}

// finest is the shortest period drawn, in pixels. crowded limits how many times shorter than half the line's width the
// period may be. Finer patterns look like a full line and would take very long.
const (
	finest  = 0.5
	crowded = 512
)

// set takes a pattern in list coordinates. An invalid pattern is a full line. A pattern with an odd number of lengths
// is repeated, as in SVG.
func (d *dashes) set(lengths []float32, phase, scale, half float64) {
	d.n, d.period = 0, 0
	if !finite(phase) {
		return
	}
	for i := range len(lengths) * (1 + len(lengths)&1) {
		l := float64(lengths[i%len(lengths)]) * scale
		if !finite(l) || l < 0 {
			d.n = 0
			return
		}
		if i&1 == 0 {
			d.from[d.n] = d.period
		}
		d.period += l
		if i&1 == 0 {
			d.to[d.n] = d.period
			d.n++
		}
	}
	d.phase = phase * scale
	if !(d.period >= max(finest, half/crowded)) {
		d.n = 0
	}
}

func (d *dashes) solid() bool { return d.n == 0 }

// inside reports whether the place s along the path lies in the interior of a dash.
func (d *dashes) inside(s float64) bool {
	s += d.phase
	s -= float64(math.Floor(s/d.period) * d.period)
	for i := range d.n {
		if s > d.from[i] && s < d.to[i] {
			return true
		}
	}
	return false
}

// dashed adds the dashes of the segment from a to b, which starts at the length start of the path. first and final say
// whether it is the path's first or last segment.
func (s *stroker) dashed(a, b, d, last vec, start, length float64, first, final bool) {
	k := &s.dash
	joinA := !first && k.inside(start) // a dash continues around the corner
	joinB := !final && k.inside(start+length)
	lo, hi := s.seen(a, b, length)
	unit := d.mul(1 / s.half)
	c := math.Floor((start + lo + k.phase) / k.period)
	// The bound ends the loop on lines too long to count periods in float64.
	for range int(min((hi-lo)/k.period, 1<<16)) + 2 {
		base := float64(c*k.period) - k.phase - start // start of this period, relative to a
		c++
		for i := range k.n {
			f, t := base+k.from[i], base+k.to[i]
			if t <= max(lo, 0) || f >= min(hi, length) || f >= t {
				continue
			}
			capA, capB := f > 0 || !joinA, t < length || !joinB
			s.piece(a.add(unit.mul(max(f, 0))), a.add(unit.mul(min(t, length))), d, capA, capB)
		}
	}
	if joinA {
		s.corner(a, last, d)
	}
}

// seen returns the visible part of a segment, in pixels from its beginning.
func (s *stroker) seen(a, b vec, length float64) (lo, hi float64) {
	lo, hi = 0, length
	c := s.p.clip
	r := 4*s.half + 2
	cut := func(from, to, low, high float64) {
		d := (to - from) / length
		if d == 0 {
			return
		}
		t0, t1 := (low-r-from)/d, (high+r-from)/d
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	}
	cut(a.x, b.x, float64(c.Min.X), float64(c.Max.X))
	cut(a.y, b.y, float64(c.Min.Y), float64(c.Max.Y))
	return lo, hi
}
