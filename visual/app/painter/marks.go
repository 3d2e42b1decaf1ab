package painter

import (
	"slices"

	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Mark is a selection of somebody else. What it selects has an outline in the colour of this person.
type Mark struct {
	Selection view.Selection
	Color     scene.Color
}

// SetMarks sets the marks of all pictures.
func (g *Painter) SetMarks(marks []Mark) {
	if !slices.EqualFunc(marks, g.marks, func(a, b Mark) bool { return a.Color == b.Color && a.Selection.Equal(b.Selection) }) {
		g.marks = marks
		g.marked++
	}
}

// Marks returns the marks of all pictures.
func (g *Painter) Marks() []Mark { return g.marks }

// A marksKey holds everything that the outlines in a pane depend on.
type marksKey struct {
	frame  view.FrameKey
	marked uint64
}

// maxOutlines is the number of outlines of a mark in a pane; if there are more places, one outline is around all of them.
const maxOutlines = 200

// marksOf returns the outlines of the marks in a pane. They are looked for again only if the picture, its camera or a mark has changed.
func (g *Painter) marksOf(p *panes.Pane, c *canvas, picture view.Picture, f *view.Frame, frame view.FrameKey) *scene.List {
	key := marksKey{frame, g.marked}
	if key == c.marksKey {
		return &c.marks
	}
	c.marksKey = key
	c.marks.Reset(float32(g.window.W*g.window.Scale), float32(g.window.H*g.window.Scale))
	linked, ok := picture.(view.Linked)
	if !ok {
		return &c.marks
	}
	for _, m := range g.marks {
		places := linked.Locate(f, g.links.Twin(m.Selection, g.model.Document(p)))
		if len(places) > maxOutlines {
			places = []scene.Rect{around(places)}
		}
		for _, r := range places {
			g.outline(&c.marks, r, m.Color)
		}
	}
	return &c.marks
}

// around returns the smallest rectangle with all places in it.
func around(places []scene.Rect) scene.Rect {
	r := places[0]
	for _, s := range places[1:] {
		r = scene.Rect{X0: min(r.X0, s.X0), Y0: min(r.Y0, s.Y0), X1: max(r.X1, s.X1), Y1: max(r.Y1, s.Y1)}
	}
	return r
}

// outline draws a frame around a place, at least as large as a pointer hits.
func (g *Painter) outline(out *scene.List, r scene.Rect, col scene.Color) {
	k := g.window.Scale
	dx, dy := max(3*k, (9*k-r.W())/2), max(3*k, (9*k-r.H())/2)
	out.Frame(float32(r.X0-dx), float32(r.Y0-dy), float32(r.X1+dx), float32(r.Y1+dy), float32(2*k), col)
}
