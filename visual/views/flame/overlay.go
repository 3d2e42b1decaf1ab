package flame

import (
	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts/shares"
)

// Overlay veils everything outside the selection, compares the selected processes, and outlines the hovered boxes and the callers of a single one.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	out.ClipTo(s.In.Grow(1))
	defer out.Pop()
	some, whole := false, false // boxes are selected; the root of a panel, which stands for everything shown
	for _, p := range g.panels {
		if m := p.Marks(f.Trace, f.State.Shared.Selection); m.Named && len(m.Parts) > 0 {
			some, whole = true, whole || m.Parts[0] == 0
		}
	}
	some = some && !whole
	for _, p := range g.panels {
		if m := p.Marks(f.Trace, f.State.Shared.Selection); some {
			s.veil(out, p, m)
		} else if m.Some(p.Chart) && !p.head { // the panel of a process is compared with nothing
			s.differ(out, p, m)
		}
	}
	if h := f.State.Personal.Hover; !h.Empty() && !h.Equal(f.State.Shared.Selection) {
		for _, p := range g.panels {
			s.hovered(out, p, p.Marks(f.Trace, h))
		}
	}
}

// veil covers a panel and draws the selected boxes again above the veil, with an outline.
func (s *sheet) veil(out *scene.List, p *panel, m *shares.Marks) {
	r := scene.Rect{X0: s.x(p, 0), Y0: s.Y.ToPixel(p.top), X1: s.x(p, 1), Y1: s.Y.ToPixel(p.top + float64(p.rows()))}
	r.X0, r.Y0, r.X1, r.Y1 = max(r.X0, s.In.X0), max(r.Y0, s.In.Y0), min(r.X1, s.In.X1), min(r.Y1, s.In.Y1)
	if r.X1 <= r.X0 || r.Y1 <= r.Y0 {
		return
	}
	out.Fill(r, s.Style.Ground.Alpha(170))
	s.pieces(p, func(row int, q partition.Piece) {
		if !shares.Holds(m.Parts, q) {
			return
		}
		if q.End-q.First > 1 { // narrow boxes, drawn together
			out.Fill(s.box(p, row, q.From, q.To), s.Style.Accent)
			return
		}
		s.draw(out, p, row, q, false)
		s.outline(out, s.box(p, row, q.From, q.To), s.Style.Accent, 1)
	})
}

// outline strokes the border of a box, inside it.
func (s *sheet) outline(out *scene.List, b scene.Rect, c scene.Color, weight float64) {
	w := max(weight*s.em/10, 1.2)
	b.X0, b.X1 = max(b.X0, s.In.X0-2*w), min(b.X1, s.In.X1+2*w)
	if b.X1 <= b.X0 {
		return
	}
	if b.H() >= 4 {
		b.Y1--
	}
	if b.W() < 3*w || b.H() < 3*w {
		out.Fill(b, c)
		return
	}
	out.Frame(float32(b.X0+w/2), float32(b.Y0+w/2), float32(b.X1-w/2), float32(b.Y1-w/2), float32(w), c)
}

// hovered outlines boxes, and the callers of a single one.
func (s *sheet) hovered(out *scene.List, p *panel, m *shares.Marks) {
	const most = 2000
	if len(m.Parts) == 1 {
		l, a := p.Layout, m.Parts[0]
		for level := l.Level(a) - 1; level >= 0; level-- {
			if up := l.PartAt(level, l.From[a]); up >= 0 {
				s.outline(out, s.boxOf(hit{p, l.Node[up], up}), s.Style.Accent.Alpha(110), 0.8)
			}
		}
	}
	for _, a := range m.Parts[:min(len(m.Parts), most)] {
		s.outline(out, s.boxOf(hit{p, p.Layout.Node[a], a}), s.Style.Accent, 1.3)
	}
}

// differ draws a strip into each box, in the colour of the ratio of the mean of the selected processes to that of the shown ones.
func (s *sheet) differ(out *scene.List, p *panel, m *shares.Marks) {
	s.pieces(p, func(row int, q partition.Piece) {
		node := p.Layout.Node[q.First]
		b := s.box(p, row, q.From, q.To)
		if node == 0 || q.End-q.First > 1 || b.H() < 6 {
			return
		}
		b.Y0 = b.Y1 - max(0.16*b.H(), 2.5)
		s.fill(out, b, p.Beside(m.Ratio(p.Chart, node)))
	})
}

// Locate returns the selected boxes.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := newSheet(f, g)
	const most = 10_000
	var places []scene.Rect
	for _, p := range g.panels {
		for _, a := range p.Marks(f.Trace, sel).Parts {
			if len(places) < most {
				places = append(places, s.boxOf(hit{p, p.Layout.Node[a], a}))
			}
		}
	}
	return places
}

// Hit selects the context whose box is at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	h, ok := newSheet(f, g).at(x, y)
	if !ok {
		return view.Selection{}, false
	}
	sel := h.panel.Select(f.Trace, h.node)
	return sel, !sel.Empty()
}

// Tip describes a context: its call path, its values and their distribution over the processes. In the order of time it also tells the part.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	h, ok := newSheet(f, g).at(x, y)
	if !ok {
		return view.Tip{}, false
	}
	var lines []string
	if p := h.panel; p.head {
		lines = append(lines, p.name)
	}
	lines = append(lines, h.panel.Chart.Tip(f, h.node)...)
	if p, l := h.panel, h.panel.Layout; h.part >= 0 && (l.Next(h.part) >= 0 || l.Part(h.node) != h.part) {
		amount := (l.To[h.part] - l.From[h.part]) * float64(p.In[p.Root])
		lines = append(lines, p.Amount(callingcontext.Rounded(amount))+" here, "+figures.Percent(callingcontext.Rounded(amount), max(p.In[h.node], 1))+" of the context")
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}
