package kaleidoscope

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// fewMarks is the largest number of selected places that have rings. With more, everything else is veiled.
const fewMarks = 40

// Overlay veils nodes outside the time window, marks selected and hovered nodes, and draws the annotations and the trail back from a subtree.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	selection := f.State.Shared.Selection
	places := g.Locate(f, selection)
	window := f.State.Shared.Window
	switch {
	case len(places) > fewMarks:
		g.veil(f, out, within(selection, window))
		places = nil
	case window != nil:
		g.veil(f, out, view.Selection{Trace: f.Trace, Time: window})
	}
	for _, r := range places {
		x, y := center(r)
		ring(f, out, x, y, 0.32*f.Style.Font)
	}
	g.notes(f, out)
	g.hovered(f, out)
	g.trail(f).Draw(out)
}

// hovered marks the nodes hovered in this or another view: the node of a single task, or all places of another selection.
func (g *Geometry) hovered(f *view.Frame, out *scene.List) {
	hover := f.State.Personal.Hover
	if hover.Empty() || hover.Unknown() || hover.Trace != f.Trace {
		return
	}
	b := newBrush(f, g)
	radius := 0.5 * f.Style.Font
	if len(hover.Tasks) == 1 && hover.Tasks[0].Last <= hover.Tasks[0].First {
		if x, y, ok := b.place(hover.Tasks[0].First); ok && f.Clip.Grow(float64(radius)).Contains(x, y) {
			ring(f, out, float32(x), float32(y), radius)
		}
		return
	}
	places := b.locate(hover)
	if len(places) > fewMarks { // too many for rings
		var xy []float32
		var under, over []scene.Color
		for _, r := range places {
			x, y := center(r)
			xy = append(xy, x, y)
			under, over = append(under, f.Style.Ground), append(over, f.Style.Accent)
		}
		out.Marks(scene.Disc, 0.5*radius, xy, under)
		out.Marks(scene.Disc, 0.3*radius, xy, over)
		return
	}
	for _, r := range places {
		x, y := center(r)
		ring(f, out, x, y, radius)
	}
}

// within limits a selection to a time window, if there is one.
func within(s view.Selection, window *view.Span) view.Selection {
	switch {
	case window == nil:
	case s.Time == nil:
		s.Time = window
	default:
		s.Time = &view.Span{First: max(s.Time.First, window.First), Last: min(s.Time.Last, window.Last)}
	}
	return s
}

// veil draws a translucent background over the picture, and the selected nodes over that.
func (g *Geometry) veil(f *view.Frame, out *scene.List, s view.Selection) {
	b := newBrush(f, g)
	b.collect()
	m := newMatcher(b, s)
	b.lit = make([]bool, len(b.items))
	for i := range b.items {
		b.lit[i] = b.items[i].Shape != radial.Outside && m.any(b.items[i].First, b.items[i].End)
	}
	out.Fill(f.Clip, f.Style.Ground.Alpha(175))
	out.ClipTo(f.Clip)
	b.draw(out)
	out.Pop()
}

// ring draws a ring that is visible on any colour.
func ring(f *view.Frame, out *scene.List, x, y, radius float32) {
	em := f.Style.Font
	out.Ring(x, y, radius, 0.28*em, f.Style.Ground.Alpha(200))
	out.Ring(x, y, radius, 0.13*em, f.Style.Accent)
}

func center(r scene.Rect) (x, y float32) {
	return float32((r.X0 + r.X1) / 2), float32((r.Y0 + r.Y1) / 2)
}

// Tip describes the node nearest to a pixel and the spoke that contains it.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	if g.trail(f).EntryAt(x, y) >= 0 {
		return view.Tip{}, false
	}
	k, ok := g.nearest(f, x, y)
	if !ok {
		return view.Tip{}, false
	}
	lines := g.describe(k)
	s := sight(f)
	for it := range g.layout.Items(s) {
		if k >= it.End { // items come in preorder
			continue
		}
		if it.Shape == radial.Spoke && it.First <= k && it.Count() > 1 {
			lines = append(lines, g.describeSpoke(it))
		}
		break
	}
	if note, ok := g.noteOf(f, g.tree.Task.At(int(g.levels.Original(k)))); ok {
		lines = append(lines, note)
	}
	px, py := g.layout.Position(k, s.Distance)
	return view.Tip{X: s.X + px, Y: s.Y + py, Lines: lines}, true
}

// describe describes a drawn node in several lines.
func (g *Geometry) describe(k int32) []string {
	t, node := g.tree, g.levels.Original(k)
	pe := "an unknown PE"
	if at := int(t.PE.At(int(node))); at >= 0 {
		pe = g.run.PEName(at, at)
		if g.tree.Condensed == nil {
			pe += ", number " + figures.Count(int64(g.ordinal(node))) + " there"
		}
	}
	lines := append(g.run.Described(t.Code.At(int(node))),
		"task "+strconv.FormatUint(t.Task.At(int(node)), 10)+" on "+pe,
		"at "+figures.Duration(t.Time.At(int(node))-g.run.From)+g.took(t.Cost.At(int(node))),
		"level "+figures.Count(int64(t.Level.At(int(node))))+", weight "+figures.Count(g.layout.Weight(k))+", sector "+g.sector(k),
	)
	if below := int64(t.Size[node]) - 1; below > 0 {
		lines = append(lines, figures.Count(below)+" "+g.run.Noun(below)+" below it")
	}
	return lines
}

// took says how long a node took. A goal may also have had tries that ended in suspension, which are no part of its reduction.
func (g *Geometry) took(cost int64) string {
	switch {
	case !g.colours.timed:
		return ""
	case g.run.Counts[tracer.Suspend] > 0:
		return ", the reduction took " + figures.Duration(cost)
	}
	return ", took " + figures.Duration(cost)
}

// describeSpoke gives the number of nodes in a spoke and the ranges of their tasks and levels.
func (g *Geometry) describeSpoke(it radial.Item) string {
	n := int64(it.Count())
	first, last := uint64(math.MaxUint64), uint64(0)
	from, to := int32(math.MaxInt32), int32(0)
	for k := it.First; k < it.End; k++ {
		i := g.levels.Original(k)
		first, last = min(first, g.tree.Task.At(int(i))), max(last, g.tree.Task.At(int(i)))
		from, to = min(from, g.tree.Level.At(int(i))), max(to, g.tree.Level.At(int(i)))
	}
	s := "in a spoke of " + figures.Count(n) + " " + g.run.Noun(n) + ", tasks " + strconv.FormatUint(first, 10) + "–" + strconv.FormatUint(last, 10)
	if from < to {
		s += ", levels " + figures.Count(int64(from)) + "–" + figures.Count(int64(to))
	}
	return s
}
