package flame

import (
	"math"

	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	view.Axes // X is the share of the width, Y counts rows
	g         *Geometry
	em        float64
}

// Mapping returns the mapping of a frame and the part of its area that moves.
func (g *Geometry) Mapping(f *view.Frame) (view.Mapping, scene.Rect) {
	return newSheet(f, g).Axes.Mapping()
}

// The height of a row without zoom, in ems: low, or in tall panes a share of the height up to high.
const (
	low, high = 1.6, 2.2
	tall      = 1. / 30
)

func newSheet(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	pad := math.Round(min(0.5*s.em, f.Area.W()/8, f.Area.H()/8))
	s.In = f.Area.Grow(-pad)
	row := min(max(low*s.em, tall*s.In.H()), high*s.em)
	fit := max(min(s.In.H()/g.height, row), 1e-9)
	if g.fromBottom && g.mode != both {
		s.In.Y0 = max(s.In.Y0, s.In.Y1-fit*g.height)
	}
	s.X = view.Axis{World: 1, Begin: true, Fit: max(s.In.W(), 1e-9), Most: 1e9 * max(s.In.W(), 1e-9)}
	s.Y = view.Axis{World: g.height, Begin: true, Fit: fit, Most: 2.5 * s.em}
	s.Look(f.Camera)
	return s
}

// band returns the top and the bottom of a row of a panel, in pixels. Rows before len(above) are those of the callers of the root.
func (s *sheet) band(p *panel, row int) (y0, y1 float64) {
	if p.up {
		row = p.rows() - 1 - row
	}
	y := p.top + float64(row)
	return math.Round(s.Y.ToPixel(y)), math.Round(s.Y.ToPixel(y + 1))
}

// visible returns the visible rows of a panel.
func (s *sheet) visible(p *panel) (first, end int) {
	n := p.rows()
	first = min(max(int(math.Floor(s.Y.Value(s.Clip.Y0)-p.top)), 0), n)
	end = min(max(int(math.Ceil(s.Y.Value(s.Clip.Y1)-p.top)), first), n)
	if p.up {
		return n - end, n - first
	}
	return first, end
}

// x returns the pixel of a place in a panel.
func (s *sheet) x(p *panel, place float64) float64 { return s.X.ToPixel(place * p.width) }

// place returns the place in a panel at a pixel.
func (s *sheet) place(p *panel, x float64) float64 { return s.X.Value(x) / max(p.width, 1e-12) }

// pieces calls f for each visible piece of a panel, row by row.
func (s *sheet) pieces(p *panel, f func(row int, p partition.Piece)) {
	if p.width <= 0 {
		return
	}
	from, to := s.place(p, max(s.Clip.X0, s.In.X0-1)), s.place(p, min(s.Clip.X1, s.In.X1+1))
	least := 1 / (s.X.Scale * p.width)
	first, end := s.visible(p)
	for row := max(first, len(p.above)+p.from); row < end; row++ {
		p.Layout.Pieces(row-len(p.above), from, to, least, func(q partition.Piece) { f(row, q) })
	}
}

// box returns the rectangle of a piece of a row, at least a pixel wide.
func (s *sheet) box(p *panel, row int, from, to float64) scene.Rect {
	y0, y1 := s.band(p, row)
	r := scene.Rect{X0: s.x(p, from), Y0: y0, X1: s.x(p, to), Y1: y1}
	if r.X1-r.X0 < 1 {
		r.X1 = r.X0 + 1
	}
	return r
}

// A hit is a context at a pixel.
type hit struct {
	panel *panel
	node  int32
	part  int32 // -1 for a caller of the root
}

// at returns the context at a pixel.
func (s *sheet) at(x, y float64) (h hit, ok bool) {
	if !s.In.Contains(x, y) || !s.Area.Contains(x, y) {
		return hit{}, false
	}
	for k := len(s.g.panels) - 1; k >= 0; k-- {
		p := s.g.panels[k]
		row := int(math.Floor(s.Y.Value(y) - p.top))
		if row < 0 || row >= p.rows() {
			continue
		}
		if p.up {
			row = p.rows() - 1 - row
		}
		place := s.place(p, x)
		if row < len(p.above) {
			if place >= 0 && place < 1 {
				return hit{p, p.above[row], -1}, true
			}
			continue
		}
		if a := p.Layout.PartAt(row-len(p.above), place); a >= 0 {
			return hit{p, p.Layout.Node[a], a}, true
		}
	}
	return hit{}, false
}
