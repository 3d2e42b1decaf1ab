package kaleidoscope

import (
	"math"
	"slices"
	"strconv"

	"whorl/visual/layout/radial"
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
}

// Tip tells of the node nearest to a pixel, and of the spoke that it is drawn in.
func (v picture) Tip(f *view.Frame, geometry any, x, y float64) (view.Tip, bool) {
	g := geometry.(*Geometry)
	k, ok := g.nearest(f, x, y)
	if !ok {
		return view.Tip{}, false
	}
	lines := g.describe(int(g.levels.From[k]))
	v0 := sight(f)
	for it := range g.layout.Items(v0) {
		if it.Shape == radial.Spoke && it.First <= k && k < it.End && it.Count() > 1 {
			lines = append(lines, g.describeSpoke(it))
			break
		}
	}
	px, py := g.layout.Position(k, v0.Distance)
	return view.Tip{X: v0.X + px, Y: v0.Y + py, Lines: lines}, true
}

// describe tells of one node, a line for each thing.
func (g *Geometry) describe(node int) []string {
	t := g.tree
	pe := "an unknown PE"
	if t.PE[node] >= 0 {
		pe = "PE " + view.Count(int64(t.PE[node]))
	}
	lines := append(g.run.Described(t.Code[node]),
		"task "+strconv.FormatUint(t.Task[node], 10)+" on "+pe,
		"at "+view.Duration(t.Time[node]-g.run.From)+", took "+view.Duration(t.Cost[node]),
	)
	if below := int64(t.Size[node]) - 1; below > 0 {
		lines = append(lines, view.Count(below)+" "+g.run.Noun(below)+" below it")
	}
	return lines
}

// describeSpoke says how many nodes a spoke stands for, and which.
func (g *Geometry) describeSpoke(it radial.Item) string {
	n := int64(it.Count())
	first, last := uint64(math.MaxUint64), uint64(0)
	for _, i := range g.levels.From[it.First:it.End] {
		first, last = min(first, g.tree.Task[i]), max(last, g.tree.Task[i])
	}
	s := "in a spoke of " + view.Count(n) + " " + g.run.Noun(n) + ", tasks " + strconv.FormatUint(first, 10) + "–" + strconv.FormatUint(last, 10)
	if from, to := g.tree.Level[g.levels.From[it.First]], it.Outer-it.Circle; to > 0 {
		s += ", levels " + view.Count(int64(from)) + "–" + view.Count(int64(g.deepest(it)))
	}
	return s
}

// deepest is the largest level of the whole tree among the nodes of an item.
func (g *Geometry) deepest(it radial.Item) int32 {
	level := int32(0)
	for _, i := range g.levels.From[it.First:it.End] {
		level = max(level, g.tree.Level[i])
	}
	return level
}

func center(r view.Rect) (x, y float32) {
	return float32((r.X0 + r.X1) / 2), float32((r.Y0 + r.Y1) / 2)
}
