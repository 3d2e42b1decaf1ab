// Package trail draws the path back from a shown subtree and turns clicks on it into actions. Views of trees show it at their top.
package trail

import (
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Trail is the path back from a subtree, laid out in a frame. Each entry leads back to the tree shown before.
type Trail struct {
	f       *view.Frame
	entries []entry
}

type entry struct {
	label string
	box   scene.Rect
	index int // of the place in view.Pane.Trail, -1 for the current tree
}

// New lays out the path back from a root, from the left. It leaves out the middle of a path that is too long. Root 0
// is the whole tree and has an empty trail. name returns the label of the subtree of another root.
func New(f *view.Frame, root uint64, name func(root uint64) string) Trail {
	t := Trail{f: f}
	if root == 0 {
		return t
	}
	add := func(root uint64, index int) {
		label := "whole tree"
		if root != 0 {
			label = name(root)
		}
		t.entries = append(t.entries, entry{label: label, index: index})
	}
	for i, p := range f.Trail {
		add(p.Root, i)
	}
	if len(f.Trail) == 0 {
		add(0, 0)
	}
	add(root, -1)
	for !t.place() && len(t.entries) > 2 {
		t.entries = append(t.entries[:1], t.entries[2:]...)
	}
	return t
}

const gap = 1.6 // ems between two entries, room for the separator

// place sets the boxes of the entries and reports whether they fit.
func (t *Trail) place() bool {
	f := t.f
	em := float64(f.Style.Font)
	x, y := f.Area.X0+0.8*em, f.Area.Y0+0.5*em
	for i := range t.entries {
		e := &t.entries[i]
		room := float32(max(f.Area.X1-x-0.8*em, 0))
		if len(t.entries) <= 2 {
			e.label = scene.ElideMiddle(f.Text, e.label, room, f.Style.Font, scene.Regular)
		}
		w := float64(f.Text.Width(e.label, f.Style.Font, scene.Regular))
		if w > float64(room) {
			return false
		}
		e.box = scene.Rect{X0: x, Y0: y, X1: x + w, Y1: y + 1.5*em}
		x += w + gap*em
	}
	return true
}

// EntryAt returns the index of the place with an entry at a pixel, or -1.
func (t Trail) EntryAt(x, y float64) int {
	for _, e := range t.entries {
		if e.index >= 0 && e.label != "" && e.box.Grow(0.3*float64(t.f.Style.Font)).Contains(x, y) {
			return e.index
		}
	}
	return -1
}

// Boxes returns the rectangles of the entries.
func (t Trail) Boxes() []scene.Rect {
	boxes := make([]scene.Rect, len(t.entries))
	for i, e := range t.entries {
		boxes[i] = e.box
	}
	return boxes
}

// Input returns the actions for input at an entry: a click returns to its place. It returns false for input elsewhere.
func (t Trail) Input(in view.Input) ([]view.Action, bool) {
	if in.Kind != view.Click && in.Kind != view.DoubleClick || t.EntryAt(in.X, in.Y) < 0 {
		return nil, false
	}
	if in.Kind == view.DoubleClick {
		return nil, true
	}
	return []view.Action{{Do: view.LeaveTo, Pane: in.Pane, Index: t.EntryAt(in.X, in.Y)}}, true
}

// Draw draws the trail.
func (t Trail) Draw(out *scene.List) {
	if len(t.entries) == 0 {
		return
	}
	f := t.f
	em := f.Style.Font
	first, last := t.entries[0].box, t.entries[len(t.entries)-1].box
	x0, y0, x1, y1 := float32(first.X0)-0.5*em, float32(first.Y0)-0.1*em, float32(last.X1)+0.5*em, float32(first.Y1)+0.1*em
	out.Rect(x0, y0, x1, y1, f.Style.Ground.Alpha(225))
	out.Frame(x0+0.5, y0+0.5, x1-0.5, y1-0.5, 1, f.Style.Line)
	for i, e := range t.entries {
		if e.label == "" {
			continue
		}
		x, mid := float32(e.box.X0), float32(e.box.Y0+e.box.Y1)/2
		style := scene.TextStyle{Size: em, Color: f.Style.Ink, VAlign: scene.Center}
		if e.index >= 0 {
			style.Color = f.Style.Muted
			out.Line(x, mid+0.62*em, float32(e.box.X1), mid+0.62*em, max(1, 0.06*em), f.Style.Line)
		}
		if i > 0 {
			out.Polyline([]float32{x - 0.95*em, mid - 0.25*em, x - 0.7*em, mid, x - 0.95*em, mid + 0.25*em}, scene.Stroke{Width: max(1, 0.1*em), Color: f.Style.Muted})
		}
		out.Text(x, mid, e.label, style)
	}
}
