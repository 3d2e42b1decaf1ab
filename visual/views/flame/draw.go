package flame

import (
	"math"

	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts/shares"
)

// Base draws the boxes with their names. During a search, all but the matches are pale.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	if g.Layout.Depth() == 0 && len(g.panels) == 1 {
		g.Nothing(f, out)
		return
	}
	for _, p := range g.panels {
		s.heading(out, p)
		s.callers(out, p)
		s.pieces(p, func(row int, q partition.Piece) {
			s.draw(out, p, row, q, p.Sought != "" && !shares.Holds(p.Lit, q))
		})
	}
}

// heading writes the name and the value of the process of a panel.
func (s *sheet) heading(out *scene.List, p *panel) {
	y := s.Y.ToPixel(p.top - heading/2)
	size := min(s.em, 0.85*heading*s.Y.Scale)
	if !p.head || size < 0.6*s.em || y < s.Clip.Y0-2*s.em || y > s.Clip.Y1+2*s.em {
		return
	}
	room := s.In.W() - s.em
	font := float32(size)
	style := scene.TextStyle{Size: font, Color: s.Style.Ink, VAlign: scene.Center, Face: scene.Bold}
	value := p.Amount(p.In[p.Root])
	wide := float64(s.Text.Width(value, font, scene.Regular)) + s.em
	name := scene.ElideMiddle(s.Text, p.name, float32(room-wide), font, scene.Bold)
	s.WriteName(out, s.In.X0, y, p.name, room-wide, style)
	style.Face, style.Color = scene.Regular, s.Style.Muted
	s.Write(out, s.In.X0+float64(s.Text.Width(name, font, scene.Bold))+s.em, y, value, wide, style)
}

// callers draws the callers of the root.
func (s *sheet) callers(out *scene.List, p *panel) {
	if p.Layout.Depth() == 0 {
		return
	}
	first, end := s.visible(p)
	for row := first; row < min(end, len(p.above)); row++ {
		c := s.Style.Ground.Mix(s.Style.Line, 0.6)
		box := s.box(p, row, 0, 1)
		s.fill(out, box, c)
		s.label(out, p, box, p.above[row], s.Style.Muted)
	}
}

// draw draws a piece of a row.
func (s *sheet) draw(out *scene.List, p *panel, row int, q partition.Piece, pale bool) {
	node := p.Heaviest(q)
	c := p.Colours.Node[node]
	if node == 0 {
		c = s.Style.Ground.Mix(s.Style.Line, 0.6)
	}
	if pale {
		c = shares.Pale(c, s.Style)
	}
	box := s.box(p, row, q.From, q.To)
	s.fill(out, box, c)
	if q.End-q.First == 1 {
		ink := shares.Ink(c)
		if pale {
			ink = s.Style.Muted
		}
		s.label(out, p, box, node, ink)
	}
}

// fill fills a box, with gaps to its neighbours if it is large enough.
func (s *sheet) fill(out *scene.List, b scene.Rect, c scene.Color) {
	if b.H() >= 4 {
		b.Y1--
	}
	if b.W() >= 4 {
		b.X1--
	}
	b.X0, b.X1 = max(b.X0, s.In.X0-2), min(b.X1, s.In.X1+2)
	out.Fill(b, c)
}

// label writes the name of a context into the visible part of its box.
func (s *sheet) label(out *scene.List, p *panel, b scene.Rect, node int32, ink scene.Color) {
	pad := 0.3 * s.em
	x0, x1 := max(b.X0, s.In.X0)+pad, min(b.X1, s.In.X1)-1-pad
	size := min(s.em, 0.92*(s.Y.Scale-1)) // equal in all rows
	if size < 0.55*s.em || x1-x0 < 1.5*size {
		return
	}
	// A smaller text in a narrower box is one of the usual size in a wider box.
	text := p.Label(s.Frame, node, (x1-x0)*s.em/size)
	if text == "" {
		return
	}
	mid := math.Round((b.Y0+b.Y1-1)/2*2) / 2
	out.Text(float32(x0), float32(mid), text, scene.TextStyle{Size: float32(size), Color: ink, VAlign: scene.Center})
}

// boxOf returns the box of a part, of a caller of the root if part is -1.
func (s *sheet) boxOf(h hit) scene.Rect {
	if h.part >= 0 {
		l := h.panel.Layout
		return s.box(h.panel, len(h.panel.above)+l.Level(h.part), l.From[h.part], l.To[h.part])
	}
	for row, v := range h.panel.above {
		if v == h.node {
			return s.box(h.panel, row, 0, 1)
		}
	}
	return scene.Rect{}
}
