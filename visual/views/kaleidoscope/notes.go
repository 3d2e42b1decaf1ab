package kaleidoscope

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Annotations are boxes beside their nodes, with a line from each box to its node. A box covers no other box, no annotated node and no line,
// and its line crosses no other. Among such places, around the node or else anywhere in the frame, a box takes the one that hides least of the
// picture and is nearest. Without such a place the node has only its mark, and the tip shows the text.

const (
	noteEms   = 17 // width of the longest line of a note
	noteLines = 4  // most lines of a note
)

// Unplaced lists the annotations without a box.
func (g *Geometry) Unplaced(f *view.Frame) []view.Annotation {
	placed := map[uint64]bool{}
	for _, n := range g.placed(f) {
		placed[n.task] = n.set
	}
	var out []view.Annotation
	for _, a := range f.State.Shared.Annotations {
		if a.Trace == f.Trace && !placed[a.Task] {
			out = append(out, a)
		}
	}
	return out
}

// A note is an annotation in a frame.
type note struct {
	task  uint64
	x, y  float64 // pixel of the node
	lines []string
	box   scene.Rect // valid if set
	set   bool       // the note has a place
}

// noteOf returns the annotation of a task in quotes, and whether it has one.
func (g *Geometry) noteOf(f *view.Frame, task uint64) (string, bool) {
	if f.State == nil {
		return "", false
	}
	for _, n := range f.State.Shared.Annotations {
		if n.Trace == f.Trace && n.Task == task {
			return "“" + n.Text + "”", true
		}
	}
	return "", false
}

// notes draws the annotations of the nodes in the frame.
func (g *Geometry) notes(f *view.Frame, out *scene.List) {
	notes := g.placed(f)
	em := f.Style.Font
	for i := range notes {
		if n := &notes[i]; n.set {
			x, y := n.end()
			line := []float32{float32(n.x), float32(n.y), float32(x), float32(y)}
			out.Polyline(line, scene.Stroke{Width: 0.26 * em, Color: f.Style.Ground.Alpha(200)})
			out.Polyline(line, scene.Stroke{Width: max(1, 0.09*em), Color: f.Style.Ink})
		}
	}
	for i := range notes {
		n := &notes[i]
		x, y := float32(n.x), float32(n.y)
		out.Mark(scene.Diamond, 0.95*em, x, y, f.Style.Ground)
		out.Mark(scene.Diamond, 0.65*em, x, y, f.Style.Ink)
		if !n.set {
			continue
		}
		x0, y0, x1, y1 := float32(n.box.X0), float32(n.box.Y0), float32(n.box.X1), float32(n.box.Y1)
		out.Rect(x0, y0, x1, y1, f.Style.Ground.Alpha(235))
		out.Frame(x0+0.5, y0+0.5, x1-0.5, y1-0.5, 1, f.Style.Muted)
		for k, s := range n.lines {
			out.Text(x0+0.5*em, y0+0.25*em+(float32(k)+0.76)*1.3*em, s, scene.TextStyle{Size: em, Color: f.Style.Ink})
		}
	}
}

// placed finds places for the annotations of the nodes in the frame, in the order of their tasks.
func (g *Geometry) placed(f *view.Frame) []note {
	var notes []note
	b := newBrush(f, g)
	em := float64(f.Style.Font)
	for _, a := range f.State.Shared.Annotations {
		if a.Trace != f.Trace {
			continue
		}
		n := note{task: a.Task}
		var ok bool
		if n.x, n.y, ok = b.place(a.Task); !ok {
			continue
		}
		if !f.Area.Contains(n.x, n.y) {
			continue
		}
		n.lines = wrapped(f, a.Text)
		notes = append(notes, n)
	}
	trail := g.trail(f)
	var taken []scene.Rect
	for _, box := range trail.Boxes() {
		taken = append(taken, box.Grow(0.7*em))
	}
	for i := range notes {
		taken = append(taken, scene.Rect{X0: notes[i].x, Y0: notes[i].y, X1: notes[i].x, Y1: notes[i].y}.Grow(0.5*em))
	}
	if len(notes) == 0 {
		return nil
	}
	b.collect()
	ground := newGround(b, f)
	cx, cy := f.ToPixel(0, 0)
	for i := range notes {
		notes[i].place(f, notes[:i], taken, ground, math.Atan2(notes[i].y-cy, notes[i].x-cx))
	}
	return notes
}

// wrapped breaks the text of a note into at most noteLines lines.
func wrapped(f *view.Frame, text string) []string {
	em := f.Style.Font
	room := min(noteEms*em, float32(f.Area.W())-2*em)
	lines := view.Wrap(f.Text, text, room, em, scene.Regular)
	if len(lines) > noteLines {
		lines = lines[:noteLines]
		last := &lines[noteLines-1]
		*last = scene.Elide(f.Text, *last+" …", room, em, scene.Regular)
	}
	return lines
}

// place tries places on growing circles around the node, starting in the direction away from the root, and then anywhere in the frame.
func (n *note) place(f *view.Frame, before []note, taken []scene.Rect, ground *ground, outwards float64) {
	em := float64(f.Style.Font)
	w, h := 0.0, (1.3*float64(len(n.lines))+0.5)*em
	for _, s := range n.lines {
		w = max(w, float64(f.Text.Width(s, f.Style.Font, scene.Regular)))
	}
	w += em
	if w <= em {
		return
	}
	inside := f.Area.Grow(-0.3 * em)
	best, least := scene.Rect{}, math.Inf(1)
	try := func(x0, y0 float64) {
		n.box = scene.Rect{X0: math.Round(x0), Y0: math.Round(y0)}
		n.box.X1, n.box.Y1 = n.box.X0+math.Ceil(w), n.box.Y0+math.Ceil(h)
		if !inside.Contains(n.box.X0, n.box.Y0) || !inside.Contains(n.box.X1, n.box.Y1) {
			return
		}
		x, y := n.end()
		cost := ground.hidden(n.box.Grow(0.3*em)) + math.Hypot(x-n.x, y-n.y)/(2*em) // a hidden cell costs as much as two ems of line
		if cost < least && n.free(before, taken, em) {
			best, least = n.box, cost
		}
	}
	for box := range spots(n.x, n.y, w, h, outwards, 16, 2*em, 3.5*em, 5.5*em, 8*em, 11*em, 15*em, 20*em, 26*em) {
		try(box.X0, box.Y0)
	}
	if least > 1 {
		for y := inside.Y0; y < inside.Y1; y += 1.5 * em {
			for x := inside.X0; x < inside.X1; x += 2 * em {
				try(x, y)
			}
		}
	}
	n.box, n.set = best, !math.IsInf(least, 1)
}

// free reports whether the box and the line of a note touch nothing else.
func (n *note) free(before []note, taken []scene.Rect, em float64) bool {
	x, y := n.end()
	around := n.box.Grow(0.3 * em)
	for _, r := range taken {
		if r.Meets(around) {
			return false
		}
		own := r.Contains(n.x, n.y)
		if !own && cuts(r, n.x, n.y, x, y) {
			return false
		}
	}
	for i := range before {
		o := &before[i]
		if !o.set {
			continue
		}
		ox, oy := o.end()
		if o.box.Meets(around) || cuts(o.box, n.x, n.y, x, y) || cuts(around, o.x, o.y, ox, oy) || cross(n.x, n.y, x, y, o.x, o.y, ox, oy) {
			return false
		}
	}
	return true
}

// end returns the point where the line meets the box: the point of the box nearest to the node.
func (n *note) end() (x, y float64) {
	return min(max(n.x, n.box.X0), n.box.X1), min(max(n.y, n.box.Y0), n.box.Y1)
}

// cuts reports whether a line segment has a point in a rectangle.
func cuts(r scene.Rect, x0, y0, x1, y1 float64) bool {
	from, to := 0.0, 1.0
	clip := func(start, d, low, high float64) {
		if d == 0 {
			if start < low || start > high {
				to = -1
			}
			return
		}
		a, b := (low-start)/d, (high-start)/d
		from, to = max(from, min(a, b)), min(to, max(a, b))
	}
	clip(x0, x1-x0, r.X0, r.X1)
	clip(y0, y1-y0, r.Y0, r.Y1)
	return from <= to
}

// cross reports whether two line segments intersect.
func cross(ax, ay, bx, by, cx, cy, dx, dy float64) bool {
	side := func(px, py, qx, qy, rx, ry float64) float64 {
		return float64((qx-px)*(ry-py)) - float64((qy-py)*(rx-px))
	}
	return side(ax, ay, bx, by, cx, cy)*side(ax, ay, bx, by, dx, dy) <= 0 && side(cx, cy, dx, dy, ax, ay)*side(cx, cy, dx, dy, bx, by) <= 0
}
