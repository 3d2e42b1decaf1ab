package scene

import "math"

// Round returns the whole pixel nearest to x.
func Round(x float32) float32 { return float32(math.Round(float64(x))) }

// A Rect is a rectangle, in pixels or in the coordinates of a world: X0 <= X1, Y0 <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// W returns the width.
func (r Rect) W() float64 { return r.X1 - r.X0 }

// H returns the height.
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// Contains reports whether a point lies inside or on the border.
func (r Rect) Contains(x, y float64) bool { return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1 }

// Grow returns r with every side moved outwards by d.
func (r Rect) Grow(d float64) Rect { return Rect{r.X0 - d, r.Y0 - d, r.X1 + d, r.Y1 + d} }

// Meets reports whether two rectangles have a point in common.
func (r Rect) Meets(s Rect) bool { return r.X0 <= s.X1 && s.X0 <= r.X1 && r.Y0 <= s.Y1 && s.Y0 <= r.Y1 }

// Fill fills a rectangle.
func (l *List) Fill(r Rect, c Color) {
	l.Rect(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), c)
}

// ClipTo restricts the following ops, up to the matching Pop, to a rectangle inside the current clip.
func (l *List) ClipTo(r Rect) {
	l.Clip(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1))
}

// Join returns the smallest rectangle with r and s in it.
func (r Rect) Join(s Rect) Rect {
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// Cut returns the part of r in s. Its width or height is not positive if there is none.
func (r Rect) Cut(s Rect) Rect {
	return Rect{max(r.X0, s.X0), max(r.Y0, s.Y0), min(r.X1, s.X1), min(r.Y1, s.Y1)}
}

// Distance returns the distance of a point from a line through points, given as x and y in turn. It is infinite for fewer than two points.
func Distance(points []float32, x, y float64) float64 {
	best := math.Inf(1)
	for i := 0; i+3 < len(points); i += 2 {
		ax, ay := float64(points[i]), float64(points[i+1])
		bx, by := float64(points[i+2])-ax, float64(points[i+3])-ay
		t := 0.0
		if l := bx*bx + by*by; l > 0 {
			t = min(max(((x-ax)*bx+(y-ay)*by)/l, 0), 1)
		}
		best = min(best, math.Hypot(ax+t*bx-x, ay+t*by-y))
	}
	return best
}
