package sunburst

import (
	"math"

	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts/shares"
	"whorl/visual/view/trail"
)

// Overlay veils everything outside the selection, compares the selected processes, and outlines the hovered arcs and the callers of a single one.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	out.ClipTo(f.Area)
	defer out.Pop()
	if g.Shown > 0 {
		if m := g.Marks(f.Trace, f.State.Shared.Selection); m.Named && len(m.Parts) > 0 && m.Parts[0] != 0 { // the middle stands for everything shown
			s.veil(out, m)
		} else if m.Some(g.Chart) {
			s.differ(out, m)
		}
		if h := f.State.Personal.Hover; !h.Empty() {
			s.hovered(out, g.Marks(f.Trace, h))
		}
	}
	s.trail().Draw(out)
}

// veil covers the rings and draws the selected arcs again above the veil, with an outline.
func (s *sheet) veil(out *scene.List, m *shares.Marks) {
	g := s.g
	out.Circle(float32(s.x), float32(s.y), float32((radius(g.Shown-1)+rim)*s.scale)+1, s.Style.Ground.Alpha(170))
	s.pieces(func(ring int, inner, outer float64, p partition.Piece) {
		if !shares.Holds(m.Parts, p) {
			return
		}
		if p.End-p.First > 1 { // narrow arcs, drawn together
			s.thorn(out, inner, outer, p)
			return
		}
		c := g.Colours.Node[g.Layout.Node[p.First]]
		if ring == 0 {
			c = s.Style.Ground.Mix(s.Style.Line, 0.6)
		}
		s.sector(out, inner, outer, p.From, p.To, c)
		s.label(out, ring, p, c, false)
		s.outline(out, inner, outer, p, s.Style.Accent, 1)
	})
}

// thorn draws a piece of narrow selected arcs, at least a pixel wide.
func (s *sheet) thorn(out *scene.List, inner, outer float64, p partition.Piece) {
	mid := (p.From + p.To) / 2
	half := 1 / (2 * math.Pi * max(outer, 1))
	s.sector(out, inner, outer, mid-half, mid+half, s.Style.Accent)
}

// outline strokes the border of a piece, inside it.
func (s *sheet) outline(out *scene.List, inner, outer float64, p partition.Piece, c scene.Color, weight float64) {
	w := max(weight*s.em/10, 1.2)
	outer -= s.gap
	if (p.To-p.From)*2*math.Pi*outer < 4*w || outer-inner < 3*w {
		s.sector(out, inner, outer+s.gap, p.From, p.To, c)
		return
	}
	arc := func(r0, r1 float64) { s.sector(out, r0, r1+s.gap, p.From, p.To, c) }
	arc(outer-w, outer)
	if inner > 0 {
		arc(inner, inner+w)
	}
	if p.To-p.From >= 1 {
		return
	}
	edge := func(angle, side float64) {
		angle += side * (s.gap/2 + w/2) / max((inner+outer)/2, 1) / (2 * math.Pi)
		sin, cos := math.Sincos(2 * math.Pi * angle)
		out.Line(float32(s.x+float64(sin*inner)), float32(s.y-float64(cos*inner)), float32(s.x+float64(sin*outer)), float32(s.y-float64(cos*outer)), float32(w), c)
	}
	edge(p.From, 1)
	edge(p.To, -1)
}

// hovered outlines arcs, and the callers of a single one.
func (s *sheet) hovered(out *scene.List, m *shares.Marks) {
	g := s.g
	const most = 2000
	if m.Selection.Equal(s.State.Shared.Selection) {
		return
	}
	if len(m.Parts) == 1 {
		for v := g.Parent[g.Layout.Node[m.Parts[0]]]; v > g.Root; v = g.Parent[v] {
			s.around(out, g.Layout.Part(v), s.Style.Accent.Alpha(110), 0.8)
		}
	}
	for _, a := range m.Parts[:min(len(m.Parts), most)] {
		s.around(out, a, s.Style.Accent, 1.3)
	}
}

// around outlines an arc.
func (s *sheet) around(out *scene.List, a int32, c scene.Color, weight float64) {
	l := s.g.Layout
	inner, outer := s.band(l.Level(a))
	s.outline(out, inner, outer, partition.Piece{First: a, End: a + 1, From: l.From[a], To: l.To[a]}, c, weight)
}

// strip returns the width of the strip in an arc.
func (s *sheet) strip(broad float64) float64 { return max(0.16*broad, 2.5) }

// differ draws a strip into each arc, in the colour of the ratio of the mean of the selected processes to that of the shown ones.
func (s *sheet) differ(out *scene.List, m *shares.Marks) {
	g := s.g
	s.pieces(func(ring int, inner, outer float64, p partition.Piece) {
		if ring == 0 || p.End-p.First > 1 {
			return
		}
		node := g.Layout.Node[p.First]
		t := m.Ratio(g.Chart, node)
		if broad := outer - inner; broad >= 6 {
			s.sector(out, outer-s.strip(broad)-s.gap, outer, p.From, p.To, g.Beside(t))
		}
	})
}

// trail returns the trail that leads back from the context in the middle.
func (s *sheet) trail() trail.Trail { return s.g.Trail(s.Frame, s.g.Root) }

// Locate returns the boxes of the selected arcs.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := newSheet(f, g)
	const most = 10_000
	var places []scene.Rect
	for _, a := range g.Marks(f.Trace, sel).Parts {
		if len(places) < most {
			places = append(places, s.box(a))
		}
	}
	return places
}

// Hit selects the context whose arc is at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := newSheet(f, g)
	a := s.arc(x, y)
	if a < 0 || s.trail().EntryAt(x, y) >= 0 {
		return view.Selection{}, false
	}
	return g.Select(f.Trace, g.Layout.Node[a]), true
}

// Tip describes a context: its call path, its values and their distribution over the processes.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := newSheet(f, g)
	a := s.arc(x, y)
	if a < 0 || s.trail().EntryAt(x, y) >= 0 {
		return view.Tip{}, false
	}
	node := g.Layout.Node[a]
	return view.Tip{X: x, Y: y, Lines: g.Chart.Tip(f, node)}, true
}
