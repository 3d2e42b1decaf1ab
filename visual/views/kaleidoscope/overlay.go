package kaleidoscope

import (
	"slices"
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Overlay marks what is selected, rings the hovered node and says what it is.
func (v picture) Overlay(f *view.Frame, geometry any, out *scene.List) {
	if f.State == nil {
		return
	}
	g := geometry.(*Geometry)
	em := f.Style.Font
	for _, r := range v.Locate(f, g, f.State.Shared.Selection) {
		x, y := center(r)
		out.Ring(x, y, 0.3*em, 0.12*em, f.Style.Accent)
	}
	hover := f.State.Personal.Hover
	if hover.Trace != f.Trace || len(hover.Tasks) != 1 {
		return
	}
	node := slices.Index(g.tree.Task, hover.Tasks[0].First)
	places := v.Locate(f, g, view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: hover.Tasks[0].First}}})
	if node < 0 || len(places) == 0 {
		return
	}
	x, y := center(places[0])
	out.Ring(x, y, 0.45*em, 0.15*em, f.Style.Accent)
	view.Label(f, out, x, y, g.describe(node))
}

// describe tells of one node, a line for each thing.
func (g *Geometry) describe(node int) []string {
	t := g.tree
	lines := []string{
		g.run.Name(t.Code[node]),
		"task " + strconv.FormatUint(t.Task[node], 10) + " on PE " + strconv.Itoa(int(t.PE[node])),
		"at " + view.Duration(t.Time[node]-g.run.From) + ", took " + view.Duration(t.Cost[node]),
	}
	if below := int64(t.Size[node]) - 1; below > 0 {
		lines = append(lines, view.Count(below)+" "+g.run.Noun(below)+" below it")
	}
	return lines
}

func center(r view.Rect) (x, y float32) {
	return float32((r.X0 + r.X1) / 2), float32((r.Y0 + r.Y1) / 2)
}
