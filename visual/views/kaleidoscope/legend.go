package kaleidoscope

import (
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

var subtitles = map[string]string{
	byPE: "Kaleidoscope by PE", byProcedure: "Kaleidoscope by ", byTime: "Kaleidoscope by time", byPETime: "Kaleidoscope by PE and time",
}

// Legend explains the colours, and gives the figures of the tree and the run and the notes on condensing.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.run.Legend(subtitles[g.colours.by])
	if c := g.tree.Condensed; c != nil && c.Part {
		l.Warning = "The beginning of the run, until " + figures.Duration(c.Until-g.run.From) + ": the rest is being read"
	}
	if g.colours.by == byProcedure {
		l.Subtitle += g.run.Unit()
	}
	if g.part != 0 {
		l.Subtitle += ", task " + strconv.FormatUint(g.part, 10) + " and its subtree"
	}
	noun := g.run.Noun(2)
	facts := []view.Fact{
		{Label: view.Capital(noun), Value: figures.Count(g.shape.Nodes)},
		{Label: "Height", Value: figures.Count(int64(g.shape.Height))},
	}
	if g.shape.Roots > 1 {
		facts = append(facts, view.Fact{Label: "Roots", Value: figures.Count(g.shape.Roots)})
	}
	l.Blocks = []view.Block{g.colours.legend, {Title: "Run", Facts: append(facts, g.run.Facts()...)}}
	if f.Until != nil {
		n := g.shown(*f.Until)
		note := figures.Count(n) + " of " + figures.Count(g.shape.Nodes) + " " + g.run.Noun(2) + " until " + figures.Duration(*f.Until-g.run.From) + "."
		l.Blocks = append(l.Blocks, view.Block{Title: "Shown", Notes: []string{note}})
	} else if notes := g.condensed(f); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Condensed", Notes: notes})
	}
	if notes := g.unlabelled(f); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Labels", Notes: notes})
	}
	return l
}

// shapeOf returns the shape of a tree before it was condensed.
func shapeOf(t *spawntree.Tree) spawntree.Shape {
	if t.Condensed != nil {
		return t.Condensed.Shape
	}
	s := spawntree.Shape{Nodes: int64(t.Len()), Height: t.Height}
	for i := 0; i < t.Len(); i += int(t.Size[i]) {
		s.Roots++
	}
	return s
}

// stands counts the nodes that the drawn nodes from first to end-1 represent.
func (g *Geometry) stands(first, end int32) (n int64) {
	if g.layout.Stands == nil {
		return int64(end - first)
	}
	for _, k := range g.layout.Stands[first:end] {
		n += k
	}
	return n
}

// condensed returns notes on the nodes that the picture leaves out or draws together.
func (g *Geometry) condensed(f *view.Frame) (notes []string) {
	if g.layout.Stands != nil {
		n := figures.Count(int64(g.layout.Len()))
		notes = append(notes, "The tree was condensed to "+n+" nodes while it was read. Parts narrower than a pixel show the colours of a sample.")
	}
	if c := g.levels.fit; c.Needed() {
		span := func(from, to int32) string {
			return "levels " + figures.Count(int64(from)) + "–" + figures.Count(int64(to))
		}
		ratio := func(r int32) string { return figures.Count(int64(r)) + ":1" }
		var s string
		switch {
		case c.Threshold >= c.Height:
			s = "All levels are shown " + ratio(c.C0)
		case c.Threshold <= 0:
			s = "All levels are shown " + ratio(c.C0+1)
		case c.C0 == 1:
			s = "Levels" + span(c.Threshold+1, c.Height)[6:] + " are shown " + ratio(2)
		default:
			s = "Levels" + span(0, c.Threshold)[6:] + " are shown " + ratio(c.C0) + ", " + span(c.Threshold+1, c.Height) + " " + ratio(c.C0+1)
		}
		hidden := g.shape.Nodes - g.stands(0, int32(g.layout.Len()))
		notes = append(notes, s+"; "+figures.Count(hidden)+" "+g.run.Noun(hidden)+" are left out.")
	}
	var spokes, in int64
	for it := range g.layout.Items(sight(f)) {
		if it.Shape == radial.Spoke && it.Count() > 1 {
			spokes++
			in += g.stands(it.First, it.End)
		}
	}
	if spokes > 0 {
		s := " spokes."
		if spokes == 1 {
			s = " spoke."
		}
		notes = append(notes, figures.Count(in)+" "+g.run.Noun(in)+" too thin to distinguish are drawn as "+figures.Count(spokes)+s)
	}
	return notes
}
