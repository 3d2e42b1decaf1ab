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
