package threadgraph

import (
	"math"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// fewMarks is the largest number of selected places that are framed. With more, everything else is veiled.
const fewMarks = 40

// Overlay veils threads outside the time window and marks the selected, found and hovered ones.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	b := newBrush(f, g)
	out.ClipTo(b.In)
	defer out.Pop()
	b.marked(out)
	selection := f.State.Shared.Selection
	places := g.Locate(f, selection)
	window := f.State.Shared.Window
	switch {
	case len(places) > fewMarks:
		s := selection
		if window != nil {
			if s.Time = window; selection.Time != nil {
				s.Time = &view.Span{First: max(selection.Time.First, window.First), Last: min(selection.Time.Last, window.Last)}
			}
		}
		g.veil(f, out, s)
		places = nil
	case window != nil:
		g.veil(f, out, view.Selection{Trace: f.Trace, Time: window})
	}
	b.frames(out, places, 1)
	if h := f.State.Personal.Hover; !h.Equal(selection) {
		b.frames(out, g.Locate(f, h), 0.5)
	}
}

// veil draws a translucent background over the picture, and the selected threads over that.
func (g *Geometry) veil(f *view.Frame, out *scene.List, s view.Selection) {
	b := newBrush(f, g)
	out.Fill(b.In, f.Style.Ground.Alpha(175))
	if b.lit = g.litOf(f.Trace, s); b.lit == nil {
		return
	}
	b.collect()
	b.draw(out)
}

// frames draws a frame around each place or, for many places, a translucent rectangle over each.
func (b *brush) frames(out *scene.List, places []scene.Rect, strength float64) {
	accent := b.Style.Accent
	width := float32(max(math.Round(strength*b.em/6), 1))
	for _, p := range places {
		x0, y0, x1, y1 := float32(p.X0), float32(p.Y0), float32(p.X1), float32(p.Y1)
		if len(places) > fewMarks {
			out.Rect(x0, y0, x1, y1, accent.Alpha(90))
			continue
		}
		gap := width + 1
		out.Frame(x0-gap, y0-gap, x1+gap, y1+gap, width+2, b.Style.Ground.Alpha(200))
		out.Frame(x0-gap, y0-gap, x1+gap, y1+gap, width, accent)
	}
}

// mostMarked limits the marks of found threads.
const mostMarked = 2000

// marked marks the found threads: with rings, or with dots if there are many.
func (b *brush) marked(out *scene.List) {
	g := b.g
	var xy []float32
	for _, n := range g.found {
		t := g.shownBy(n)
		if g.First[t] == g.First[t+1] || !b.begun(t) {
			continue
		}
		x, y := b.threadX(t)+0.5, b.nodeY(g.First[t])
		if b.In.Grow(b.em).Contains(x, y) {
			if xy = append(xy, float32(x), float32(y)); len(xy) > 2*mostMarked {
				break
			}
		}
	}
	if len(xy) == 0 {
		return
	}
	c := freeColour(b.Style.Dark)
	if b.sign == 0 && len(xy) > 2*fewMarks { // rings would hide each other
		out.Marks(scene.Disc, float32(max(0.36*b.em, 3)), xy, slices.Repeat([]scene.Color{c}, len(xy)/2))
		return
	}
	size := float32(max(1.3*b.sign, 0.9*b.em))
	for i := 0; i < len(xy); i += 2 {
		out.Ring(xy[i], xy[i+1], size/2, float32(0.26*b.em), b.Style.Ground.Alpha(200))
		out.Ring(xy[i], xy[i+1], size/2, float32(0.14*b.em), c)
	}
}
