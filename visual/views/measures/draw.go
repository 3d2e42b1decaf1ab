package measures

import (
	"math"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Base draws the visible rows.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	for i := range s.parts {
		s.draw(out, &s.parts[i])
	}
	s.thumb(out)
}

// draw draws the visible rows of a table.
func (s *sheet) draw(out *scene.List, p *part) {
	head, ok := s.head(p)
	if !ok {
		return
	}
	font := s.Style.Font
	baseline := math.Round(1.1 * s.em) // below the top of a line
	text := func(x, y float64, t string, width float64, c scene.Color, face scene.Face, anchor scene.Anchor) {
		s.WriteName(out, x, y+baseline, t, width, scene.TextStyle{Size: font, Color: c, Face: face, Anchor: anchor})
	}
	cells := func(y float64, face scene.Face, c scene.Color, cell func(column) string) {
		x := p.x0 + p.name
		for k, w := range p.columns {
			if x += w; x > p.x1+1 { // drop the columns that do not fit
				return
			}
			text(x, y, cell(p.table.columns[k]), w, c, face, scene.End)
		}
	}
	text(p.x0, head, p.title, p.name, s.Style.Ink, scene.Bold, scene.Start)
	first, end, more := s.rows(p)
	if first == end && more > 0 { // no row fits below the headings
		title := float64(s.Text.Width(p.title, font, scene.Bold)) + s.em
		text(p.x0+title, head, "and "+figures.Count(int64(p.n))+" more", p.x1-p.x0-title, s.Style.Muted, scene.Regular, scene.Start)
		return
	}
	cells(head, scene.Regular, s.Style.Muted, func(c column) string { return c.title })
	rule := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(p.x0), float32(head+s.line)-rule, float32(p.x1), float32(head+s.line), s.Style.Line)

	for i := first; i < end; i++ {
		y := s.row(p, i)
		face, ink := scene.Regular, s.Style.Ink
		if i < 0 {
			face = scene.Bold
		}
		name := ink
		if !p.sums {
			name = s.Style.Muted
		}
		text(p.x0, y, p.table.name(i), p.name-0.4*s.em, name, face, scene.Start)
		cells(y, face, ink, func(c column) string { return c.cell(i) })
		s.drawBar(out, p, i, y)
	}
	if more > 0 && s.row(p, end)+s.line <= s.Area.Y1+1 {
		text(p.x0, s.row(p, end), "and "+figures.Count(int64(more))+" more", p.x1-p.x0, s.Style.Muted, scene.Regular, scene.Start)
	}
}

// drawBar draws the states of a PE, or the share of a procedure, as a bar at the end of its row.
func (s *sheet) drawBar(out *scene.List, p *part, i int, y float64) {
	if p.bar == 0 || i < 0 && !p.states {
		return
	}
	share := p.table.bar(i)
	whole := float64(share.Busy + share.Over + share.Idle)
	if whole <= 0 {
		return
	}
	c := timeplot.StateColours(s.Style.Dark)
	x0 := math.Round(p.x1 - 0.4*s.em - barEms*s.em)
	w := math.Round(barEms * s.em)
	y0, y1 := float32(math.Round(y+0.45*s.em)), float32(math.Round(y+s.line-0.45*s.em))
	position := func(ns int64) float32 { return float32(x0 + math.Round(float64(ns)/whole*w)) }
	out.Rect(float32(x0), y0, float32(x0+w), y1, c.Idle)
	if x := position(share.Busy); x > float32(x0) {
		out.Rect(float32(x0), y0, x, y1, c.Busy)
	}
	if a, b := position(share.Busy), position(share.Busy+share.Over); b > a {
		out.Rect(a, y0, b, y1, c.Over)
	}
}

// thumb draws the thumb of a scroll bar at the right side of the area.
func (s *sheet) thumb(out *scene.List) {
	if s.total <= s.visible || s.Camera.ScaleY == 0 {
		return
	}
	h := s.Area.H()
	y0 := s.Area.Y0 + s.scroll/s.total*h
	y1 := y0 + max(s.visible/s.total*h, s.em)
	w := math.Round(0.3 * s.em)
	out.Rect(float32(s.Area.X1-w), float32(y0), float32(s.Area.X1), float32(min(y1, s.Area.Y1)), s.Style.Line)
}
