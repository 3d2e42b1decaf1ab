package radial

import (
	"math"
	"sort"
)

// Nearest returns the node of a view nearest to the point (x, y) and its distance in pixels, among the nodes closer than
// limit that shown accepts; a nil shown accepts all. Without such a node it returns -1 and infinity. It visits the
// circles by their distance from the point, and on each the two nodes next to the point's angle, so it costs a few
// binary searches. If few nodes are shown, it visits all within the limit on each circle. (The paper's node inquiry,
// section 3.3.)
func (l *Layout) Nearest(c Levels, v View, x, y, limit float64, shown func(node int32) bool) (node int32, distance float64) {
	x, y = x-v.X, y-v.Y
	radius := math.Hypot(x, y)
	angle := math.Atan2(y, x)
	if angle < 0 {
		angle += 2 * math.Pi
	}
	turn := angle * radian
	node, distance = -1, limit
	// look considers a node and reports whether nodes farther along its circle may still be nearer than the best.
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
			nodes := c.Nodes(circle - l.Center)
			if len(nodes) == 0 {
				continue
			}
			k := sort.Search(len(nodes), func(k int) bool { return float64(l.Start[nodes[k]])+float64(l.Sweep[nodes[k]])/2 >= turn })
			for i := 0; i < len(nodes) && look(nodes[(k+i)%len(nodes)]); i++ {
			}
			for i := 1; i <= len(nodes) && look(nodes[(k+len(nodes)-i)%len(nodes)]); i++ {
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
