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
		frames := make([]scene.Rect, len(places))
		for i, r := range places {
			frames[i] = outline(r, g.window.Scale)
		}
		for _, r := range apart(frames) {
			c.marks.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), float32(2*g.window.Scale), m.Color)
		}
	}
	return &c.marks
}

// around returns the smallest rectangle with all places in it.
func around(places []scene.Rect) scene.Rect {
	r := places[0]
	for _, s := range places[1:] {
		r = r.Join(s)
	}
	return r
}

// outline returns the frame around a place, at least as large as a pointer hits. k is the number of pixels of a point.
func outline(r scene.Rect, k float64) scene.Rect {
	dx, dy := max(3*k, (9*k-r.W())/2), max(3*k, (9*k-r.H())/2)
	return scene.Rect{X0: r.X0 - dx, Y0: r.Y0 - dy, X1: r.X1 + dx, Y1: r.Y1 + dy}
}

// apart puts one frame around frames that meet, until none do: many small frames would hide what they are around. It changes frames.
func apart(frames []scene.Rect) []scene.Rect {
	for i := 0; i < len(frames); {
		meets := -1 // frames before i are apart from each other
		for j, f := range frames {
			if j != i && f.Meets(frames[i]) {
				meets = j
			}
		}
		if meets < 0 {
			i++
			continue
		}
		low, high := min(i, meets), max(i, meets)
		frames[low] = frames[low].Join(frames[high])
		frames = slices.Delete(frames, high, high+1)
		i = low
	}
	return frames
}
