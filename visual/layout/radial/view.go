package radial

import "math"

// A View is the part of a layout that a window shows. All values are pixels.
type View struct {
	X, Y           float64 // centre of the tree
	Distance       float64 // between neighbouring circles
	X0, Y0, X1, Y1 float64 // the window, with a margin for the marks around a node
	Cut            float64 // thinner subtrees become spokes; none do if at most 0
}

// A reach is a view in polar coordinates around the centre of the tree.
type reach struct {
	distance   float64
	near, far  float64 // smallest and largest distance of the window from the centre
	from, span uint32  // angles of the window, unless round
	round      bool    // the window contains or touches the centre: all angles
	cut        float64 // Cut in units of the circle times circles
}

func (v View) reach() reach {
	x0, y0, x1, y1 := v.X0-v.X, v.Y0-v.Y, v.X1-v.X, v.Y1-v.Y
	r := reach{
		distance: v.Distance,
		near:     math.Hypot(max(x0, -x1, 0), max(y0, -y1, 0)),
		far:      math.Hypot(max(-x0, x1), max(-y0, y1)),
		cut:      v.Cut * radian / v.Distance,
	}
	r.round = !(r.near > 0)
	if r.round {
		return r
	}
	mid := math.Atan2((y0+y1)/2, (x0+x1)/2)
	lo, hi := 0.0, 0.0
	for _, c := range [4][2]float64{{x0, y0}, {x0, y1}, {x1, y0}, {x1, y1}} {
		d := math.Remainder(math.Atan2(c[1], c[0])-mid, 2*math.Pi)
		lo, hi = min(lo, d), max(hi, d)
	}
	const margin = 4 // units, for rounding
	from := mid + lo
	if from < 0 {
		from += 2 * math.Pi
	}
	r.from = uint32(int64(from*radian) - margin)
	r.span = uint32(int64((hi-lo)*radian) + 2*margin)
	return r
}

// misses reports that nothing of a subtree is visible: neither its nodes nor its family polygons. The polygons lie
// within the subtree's sector, as each side spans at most half of a sector; no farther out than its last circle; and
// no farther in than the chord across the sector on its first circle: 1 - a*a/8 is below the cosine of half the
// sector's angle a.
func (r *reach) misses(start, sweep uint32, circle, outer int32) bool {
	if float64(outer)*r.distance < r.near {
		return true
	}
	if in := float64(circle) * r.distance; in > r.far {
		if a := float64(sweep) / radian; in*(1-a*a/8) > r.far {
			return true
		}
	}
	// Differences of angles are modulo the circle.
	return !r.round && start-r.from > r.span && r.from-start > sweep
}

// thin reports whether a sector is thinner than the cut on the given circle. The centre is never thin.
func (r *reach) thin(sweep uint32, circle int32) bool {
	return circle > 0 && float64(sweep)*float64(circle) < r.cut
}

// straight returns the widest angle whose chord on the given circle stays within a quarter of a pixel of its arc.
func (r *reach) straight(circle int32) uint32 {
	a := math.Sqrt(2/(float64(circle)*r.distance)) * radian
	return uint32(min(a, Full/8))
}
