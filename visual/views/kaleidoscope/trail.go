package kaleidoscope

import (
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A trail is the way back from a subtree, drawn at the top of the view: each entry leads to what was shown there.
type trail struct {
	entries []entry
}

type entry struct {
	label string
	box   view.Rect
	index int // of the place, -1 for what is shown now
}

// trail lays the way back out from the left; where it is too long the middle is left out. It is empty while the whole tree is shown.
func (g *Geometry) trail(f *view.Frame) trail {
	if g.part == 0 {
		return trail{}
	}
	name := func(root uint64) string {
		if root == 0 {
			return "whole tree"
		}
		return g.name(root) + " · " + strconv.FormatUint(root, 10)
	}
	var t trail
	for i, p := range f.Trail {
		t.entries = append(t.entries, entry{label: name(p.Root), index: i})
	}
	if len(f.Trail) == 0 {
		t.entries = append(t.entries, entry{label: name(0), index: 0})
	}
	t.entries = append(t.entries, entry{label: name(g.part), index: -1})
	for !t.place(f) && len(t.entries) > 2 {
		t.entries = append(t.entries[:1], t.entries[2:]...)
	}
	return t
}

const trailGap = 1.6 // ems between two entries, for the mark that parts them

// place gives the entries their boxes and says whether they have room.
func (t *trail) place(f *view.Frame) bool {
	em := float64(f.Style.Font)
	x, y := f.Area.X0+0.8*em, f.Area.Y0+0.5*em
	for i := range t.entries {
		e := &t.entries[i]
		room := float32(max(f.Area.X1-x-0.8*em, 0))
		if len(t.entries) <= 2 {
			e.label = view.ElideMiddle(f.Text, e.label, room, f.Style.Font, scene.Regular)
		}
		w := float64(f.Text.Width(e.label, f.Style.Font, scene.Regular))
		if w > float64(room) {
			return false
		}
		e.box = view.Rect{X0: x, Y0: y, X1: x + w, Y1: y + 1.5*em}
		x += w + trailGap*em
	}
	return true
}

// at is the index of the place whose entry is at a pixel, -1 for none.
func (t *trail) at(f *view.Frame, x, y float64) int {
	for _, e := range t.entries {
		if e.index >= 0 && e.label != "" && e.box.Grow(0.3*float64(f.Style.Font)).Has(x, y) {
			return e.index
		}
	}
	return -1
}

func (t trail) draw(f *view.Frame, out *scene.List) {
	if len(t.entries) == 0 {
		return
	}
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
