package overview

import (
	"math"

	"whorl/visual/layout/strips"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is where the strips stand in a frame.
type sheet struct {
	*view.Frame
	g      *Geometry
	em     float64
	in     scene.Rect // the strips, below their headings
	pitchX float64    // from one strip to the next
	pitchY float64    // from one bin to the next
	fitX   float64    // the pitches that show all
	fitY   float64
	left   float64 // strip at the left side of in
	top    float64 // bin at the upper side
	gap    float64 // between two strips
}

// At most so large are a column and a bin where there is room, in ems.
const (
	wideColumn = 3
	wideStrip  = 14
	highBin    = 1.6
)

func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	head, foot := math.Round(1.5*s.em), math.Round(1.5*s.em)
	if f.Area.H() < 6*s.em {
		head, foot = 0, 0
	}
	s.in = scene.Rect{X0: f.Area.X0, Y0: f.Area.Y0 + head, X1: f.Area.X1, Y1: max(f.Area.Y1-foot, f.Area.Y0+head)}
	n, rows := float64(max(g.layout.Strips(), 1)), float64(max(min(g.layout.Rows, g.layout.Bins), 1))
	s.gap = min(math.Round(0.9*s.em), math.Floor(0.2*s.in.W()/n))
	s.fitX = min(s.in.W()/n, s.gap+max(wideStrip, wideColumn*float64(g.across.N))*s.em)
	s.fitY = min(s.in.H()/rows, highBin*s.em)
	s.pitchX, s.pitchY = max(s.fitX, 1e-9), max(s.fitY, 1e-9)
	if f.Camera.ScaleY > 0 {
		s.pitchX = min(max(f.Camera.Scale, s.pitchX), max(s.in.W(), s.pitchX))
		s.pitchY = min(max(f.Camera.ScaleY, s.pitchY), max(4*s.em, s.pitchY))
		s.left = s.within(f.Camera.X-s.in.W()/s.pitchX/2, n, s.in.W()/s.pitchX)
		s.top = s.within(f.Camera.Y-s.in.H()/s.pitchY/2, rows, s.in.H()/s.pitchY)
	}
	return s
}

// within keeps the beginning of what is seen of n things where there are some.
func (s *sheet) within(from, n, seen float64) float64 { return max(min(from, n-seen), 0) }

// x and y are where a strip and a row begin.
func (s *sheet) x(strip int) float64 {
	return math.Round(s.in.X0 + (float64(strip)-s.left)*s.pitchX + s.gap/2)
}
func (s *sheet) y(row int) float64 { return math.Round(s.in.Y0 + (float64(row)-s.top)*s.pitchY) }

// end is where a strip ends.
func (s *sheet) end(strip int) float64 {
	return max(math.Round(s.in.X0+(float64(strip)+1-s.left)*s.pitchX-s.gap/2), s.x(strip)+1)
}

// column is where a column of a strip begins.
func (s *sheet) column(strip, k int) float64 {
	x0, x1 := s.x(strip), s.end(strip)
	return x0 + math.Round((x1-x0)*float64(k)/float64(s.g.across.N))
}

// visible are the ranges of strips and rows that are seen.
func (s *sheet) visible() (strip, strips, row, rows int) {
	strip = max(int(s.left), 0)
	strips = min(int(math.Ceil(s.left+s.in.W()/s.pitchX)), s.g.layout.Strips())
	row = max(int(s.top), 0)
	rows = min(int(math.Ceil(s.top+s.in.H()/s.pitchY)), s.g.layout.Rows)
	return strip, strips, row, rows
}

// bin is the bin at a pixel, false where there is none.
func (s *sheet) bin(x, y float64) (int, bool) {
	if !s.in.Has(x, y) {
		return 0, false
	}
	strip := int(math.Floor((x-s.in.X0)/s.pitchX + s.left))
	row := int(math.Floor((y-s.in.Y0)/s.pitchY + s.top))
	return s.g.layout.BinAt(strip, row)
}

// near is the bin at a pixel, or the nearest one in reading order: above a strip its first, below it its last.
func (s *sheet) near(x, y float64) int {
	l := s.g.layout
	strip := min(max(math.Floor((x-s.in.X0)/s.pitchX+s.left), 0), float64(l.Strips()-1))
	row := min(max(math.Floor((y-s.in.Y0)/s.pitchY+s.top), 0), float64(l.Rows-1))
	return max(min(int(strip)*l.Rows+int(row), l.Bins-1), 0)
}

// rect is where a piece of a strip is.
func (s *sheet) rect(p strips.Piece) scene.Rect {
	r := scene.Rect{X0: s.x(p.Strip), Y0: s.y(p.From), X1: s.end(p.Strip), Y1: s.y(p.End)}
	r.Y1 = max(r.Y1, r.Y0+1)
	return r
}

// seen says whether something of a rectangle is seen.
func (s *sheet) seen(r scene.Rect) bool { return r.Meets(s.in) && r.Meets(s.Clip) }

// zoomed is the camera for other pitches; what is at x, y stays there.
func (s *sheet) zoomed(x, y, by float64) view.Camera {
	n, rows := float64(max(s.g.layout.Strips(), 1)), float64(max(min(s.g.layout.Rows, s.g.layout.Bins), 1))
	px := min(max(s.pitchX*by, s.fitX), max(s.in.W(), s.fitX))
	py := min(max(s.pitchY*by, s.fitY), max(4*s.em, s.fitY))
	atX, atY := s.left+(x-s.in.X0)/s.pitchX, s.top+(y-s.in.Y0)/s.pitchY
	left := s.within(atX-(x-s.in.X0)/px, n, s.in.W()/px)
	top := s.within(atY-(y-s.in.Y0)/py, rows, s.in.H()/py)
	return view.Camera{X: left + s.in.W()/px/2, Y: top + s.in.H()/py/2, Scale: px, ScaleY: py}
}

// moved is the camera for another place, in strips and bins.
func (s *sheet) moved(left, top float64) view.Camera {
	c := s.zoomed(s.in.X0, s.in.Y0, 1)
	n, rows := float64(max(s.g.layout.Strips(), 1)), float64(max(min(s.g.layout.Rows, s.g.layout.Bins), 1))
	c.X = s.within(left, n, s.in.W()/c.Scale) + s.in.W()/c.Scale/2
	c.Y = s.within(top, rows, s.in.H()/c.ScaleY) + s.in.H()/c.ScaleY/2
	return c
}
