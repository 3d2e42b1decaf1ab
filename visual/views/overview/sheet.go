package overview

import (
	"math"

	"whorl/visual/layout/strips"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet holds the positions of the strips in a frame.
type sheet struct {
	*view.Frame
	view.Axes // X counts strips, Y bins; In excludes the headings
	g         *Geometry
	em        float64
	gap       float64 // space between strips
	width     float64 // of the yellow rectangles' lines
	reach     float64 // width of the golden rectangle's line outside its strip
}

// The largest sizes without zoom, in ems.
const (
	wideColumn = 3
	wideStrip  = 14
	highBin    = 1.6
)

// layout places the strips of a frame for its camera.
func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	s.width = max(math.Round(s.em/7), 1)
	s.reach = math.Ceil(2.75*s.width + 0.75)
	head, foot := math.Round(1.3*s.em+s.reach), math.Round(1.3*s.em+s.reach)
	if f.Area.H() < 6*s.em {
		head, foot = 0, 0
	}
	s.In = scene.Rect{X0: f.Area.X0, Y0: f.Area.Y0 + head, X1: f.Area.X1, Y1: max(f.Area.Y1-foot, f.Area.Y0+head)}
	n, rows := float64(max(g.layout.Strips(), 1)), float64(max(min(g.layout.Rows, g.layout.Bins), 1))
	s.gap = min(math.Round(0.9*s.em), math.Floor(0.2*s.In.W()/n))
	fit := min(s.In.W()/n, s.gap+max(wideStrip, wideColumn*float64(g.across.N))*s.em)
	s.X = view.Axis{World: n, Begin: true, Fit: max(fit, 1e-9), Most: s.In.W()}
	s.Y = view.Axis{World: rows, Begin: true, Fit: max(min(s.In.H()/rows, highBin*s.em), 1e-9), Most: 4 * s.em}
	s.Look(f.Camera)
	return s
}

// x returns the left end of a strip, and y the top of a row.
func (s *sheet) x(strip int) float64 {
	return math.Round(s.In.X0 + (float64(strip)-s.X.From)*s.X.Scale + s.gap/2)
}

func (s *sheet) y(row int) float64 { return math.Round(s.In.Y0 + (float64(row)-s.Y.From)*s.Y.Scale) }

// end returns the right end of a strip.
func (s *sheet) end(strip int) float64 {
	return max(math.Round(s.In.X0+(float64(strip)+1-s.X.From)*s.X.Scale-s.gap/2), s.x(strip)+1)
}

// column returns the left end of column k of a strip.
func (s *sheet) column(strip, k int) float64 {
	x0, x1 := s.x(strip), s.end(strip)
	return x0 + math.Round((x1-x0)*float64(k)/float64(s.g.across.N))
}

// visible returns the visible strips from strip to strips-1 and rows from row to rows-1.
func (s *sheet) visible() (strip, strips, row, rows int) {
	strip = max(int(s.X.From), 0)
	strips = min(int(math.Ceil(s.X.From+s.In.W()/s.X.Scale)), s.g.layout.Strips())
	row = max(int(s.Y.From), 0)
	rows = min(int(math.Ceil(s.Y.From+s.In.H()/s.Y.Scale)), s.g.layout.Rows)
	return strip, strips, row, rows
}

// bin returns the bin at a pixel. It reports false if there is none.
func (s *sheet) bin(x, y float64) (int, bool) {
	if !s.In.Contains(x, y) {
		return 0, false
	}
	strip := int(math.Floor((x-s.In.X0)/s.X.Scale + s.X.From))
	row := int(math.Floor((y-s.In.Y0)/s.Y.Scale + s.Y.From))
	return s.g.layout.BinAt(strip, row)
}

// near returns the bin at a pixel or the nearest one: above a strip its first, below a strip its last.
func (s *sheet) near(x, y float64) int {
	l := s.g.layout
	strip := min(max(math.Floor((x-s.In.X0)/s.X.Scale+s.X.From), 0), float64(l.Strips()-1))
	row := min(max(math.Floor((y-s.In.Y0)/s.Y.Scale+s.Y.From), 0), float64(l.Rows-1))
	return max(min(int(strip)*l.Rows+int(row), l.Bins-1), 0)
}

// rect returns the rectangle of a piece of a strip.
func (s *sheet) rect(p strips.Piece) scene.Rect {
	r := scene.Rect{X0: s.x(p.Strip), Y0: s.y(p.From), X1: s.end(p.Strip), Y1: s.y(p.End)}
	r.Y1 = max(r.Y1, r.Y0+1)
	return r
}

// seen reports whether a part of a rectangle is visible.
func (s *sheet) seen(r scene.Rect) bool { return r.Meets(s.In) && r.Meets(s.Clip) }
