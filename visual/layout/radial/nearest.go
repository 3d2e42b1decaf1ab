package radial

import (
	"math"
	"sort"
)

// Nearest returns the node nearest to the point (x, y) of a view and its distance in pixels, -1 and infinity for an empty tree. It looks
// at the circles in the order of their distance from the point, and on each at the two nodes next to it by angle, so it costs a few
// binary searches. (The paper's node inquiry, section 3.3.)
func (l *Layout) Nearest(c Levels, v View, x, y float64) (node int32, distance float64) {
	return l.NearestOf(c, v, x, y, math.Inf(1), nil)
}

// NearestOf is Nearest among the nodes closer than limit for which shown is true; nil shows all. Where few are shown it looks at all that
// are closer than the limit on the circles.
func (l *Layout) NearestOf(c Levels, v View, x, y, limit float64, shown func(node int32) bool) (node int32, distance float64) {
	x, y = x-v.X, y-v.Y
	radius := math.Hypot(x, y)
	angle := math.Atan2(y, x)
	if angle < 0 {
		angle += 2 * math.Pi
	}
	at := angle * radian
	node, distance = -1, limit
	// look takes a node's distance and says whether nodes farther round its circle may still be nearer than the nearest yet.
	look := func(n int32) bool {
		nx, ny := l.Position(n, v.Distance)
		d := math.Hypot(nx-x, ny-y)
		if d >= distance {
			return false
		}
		if shown != nil && !shown(n) {
			return true
		}
		node, distance = n, d
		return false
	}
	top := l.Height + l.Center
	first := int32(min(max(math.Round(radius/v.Distance), 0), float64(top)))
	for step := int32(0); step <= top; step++ {
		near := false
		for _, circle := range [2]int32{first - step, first + step} {
			if circle < 0 || circle > top || math.Abs(float64(circle)*v.Distance-radius) >= distance {
				continue
			}
			near = true
			on := c.At(circle - l.Center)
			if len(on) == 0 {
				continue
			}
			k := sort.Search(len(on), func(k int) bool { return float64(l.Start[on[k]])+float64(l.Sweep[on[k]])/2 >= at })
			for i := 0; i < len(on) && look(on[(k+i)%len(on)]); i++ {
			}
			for i := 1; i <= len(on) && look(on[(k+len(on)-i)%len(on)]); i++ {
			}
		}
		if !near && step > 0 {
			break
		}
	}
	if node < 0 {
		distance = math.Inf(1)
	}
	return node, distance
}
