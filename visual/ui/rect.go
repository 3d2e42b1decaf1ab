package ui

import "math"

// A Rect is a rectangle of the window in device pixels: X0 <= X1, Y0 <= Y1. It is no scene.Rect: widgets tile the window, so that a point on a
// common border belongs to one of them, while marks in the world of a picture may have no width and contain their borders. Its numbers are
// those of the display list.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// W returns the width.
func (r Rect) W() float32 { return r.X1 - r.X0 }

// H returns the height.
func (r Rect) H() float32 { return r.Y1 - r.Y0 }

// Empty reports whether the rectangle has no pixel.
func (r Rect) Empty() bool { return !(r.X0 < r.X1 && r.Y0 < r.Y1) }

// Contains reports whether a point lies inside. Of two adjacent rectangles only one contains a point.
func (r Rect) Contains(x, y float32) bool { return x >= r.X0 && x < r.X1 && y >= r.Y0 && y < r.Y1 }

// Cut returns the intersection with s.
func (r Rect) Cut(s Rect) Rect {
	r = Rect{max(r.X0, s.X0), max(r.Y0, s.Y0), min(r.X1, s.X1), min(r.Y1, s.Y1)}
	r.X1, r.Y1 = max(r.X0, r.X1), max(r.Y0, r.Y1)
	return r
}

// Inset moves the left and right sides inwards by dx, the others by dy.
func (r Rect) Inset(dx, dy float32) Rect {
	r.X0, r.X1 = r.X0+dx, r.X1-dx
	r.Y0, r.Y1 = r.Y0+dy, r.Y1-dy
	if r.X0 > r.X1 {
		m := Whole((r.X0 + r.X1) / 2)
		r.X0, r.X1 = m, m
	}
	if r.Y0 > r.Y1 {
		m := Whole((r.Y0 + r.Y1) / 2)
		r.Y0, r.Y1 = m, m
	}
	return r
}

// Move returns the rectangle moved by dx, dy.
func (r Rect) Move(dx, dy float32) Rect { return Rect{r.X0 + dx, r.Y0 + dy, r.X1 + dx, r.Y1 + dy} }

// Center returns a rectangle of w by h in the middle of r, on whole pixels.
func (r Rect) Center(w, h float32) Rect {
	x, y := Whole((r.X0+r.X1-w)/2), Whole((r.Y0+r.Y1-h)/2)
	return Rect{x, y, x + w, y + h}
}

// Reach returns the rectangle with sides of at least a length, about the same middle.
func (r Rect) Reach(least float32) Rect {
	if r.W() >= least && r.H() >= least {
		return r
	}
	return r.Center(max(r.W(), least), max(r.H(), least))
}

// CutLeft cuts a piece of width w off the left side and returns it.
func (r *Rect) CutLeft(w float32) Rect {
	p := *r
	p.X1 = min(p.X0+max(w, 0), r.X1)
	r.X0 = p.X1
	return p
}

// CutRight cuts a piece of width w off the right side and returns it.
func (r *Rect) CutRight(w float32) Rect {
	p := *r
	p.X0 = max(p.X1-max(w, 0), r.X0)
	r.X1 = p.X0
	return p
}

// CutTop cuts a piece of height h off the top and returns it.
func (r *Rect) CutTop(h float32) Rect {
	p := *r
	p.Y1 = min(p.Y0+max(h, 0), r.Y1)
	r.Y0 = p.Y1
	return p
}

// CutBottom cuts a piece of height h off the bottom and returns it.
func (r *Rect) CutBottom(h float32) Rect {
	p := *r
	p.Y0 = max(p.Y1-max(h, 0), r.Y0)
	r.Y1 = p.Y0
	return p
}

// Columns divides r into columns with gaps between, one for each least width. The columns are equally wide, except for those that need more
// for their least width. Columns without room are cut off at the right.
func (r Rect) Columns(gap float32, least ...float32) []Rect {
	out := make([]Rect, len(least))
	x := r.X0
	for i, w := range divide(r.W()-gap*float32(len(least)-1), least) {
		out[i] = Rect{min(x, r.X1), r.Y0, min(x+w, r.X1), r.Y1}
		x += w + gap
	}
	return out
}

// divide returns whole widths of columns that fill the room.
func divide(room float32, least []float32) []float32 {
	out := make([]float32, len(least))
	settled := make([]bool, len(least)) // columns with their least width; the others share the rest
	open := float32(len(least))
	for again := true; again && open > 0; {
		again = false
		for i, w := range least {
			if !settled[i] && room/open < w {
				settled[i], again = true, true
				out[i] = Whole(w)
				room -= out[i]
				open--
				break
			}
		}
	}
	for i := range out {
		if !settled[i] {
			out[i] = Whole(max(room, 0) / open)
			room -= out[i]
			open--
		}
	}
	return out
}

// Whole rounds to the nearest integer, halves upwards also below 0, so that rows above the window keep their distances.
func Whole(x float32) float32 { return float32(math.Floor(float64(x) + 0.5)) }
