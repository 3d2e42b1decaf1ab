package overview

import (
	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Legend explains the heat scale, the rectangles and the layout of the lines.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.Plot.Legend(f, "Overview: "+g.Noun()+" at each line")
	c := g.cells(f.Counted(), g.across.In(f.Window))
	l.Blocks = append(l.Blocks, lineplot.Ramp(g.Plot, c.scale), view.Block{Title: "Rectangles", Swatches: []view.Swatch{
		{Colors: []scene.Color{lineplot.Yellow}, Label: "selected or busiest"},
		{Colors: []scene.Color{lineplot.Gold}, Label: f.DetailName()},
	}})
	y := g.layout
	reduction := "maximum"
	if g.sum {
		reduction = "sum"
	}
	facts := []view.Fact{
		{Label: "Lines", Value: figures.Count(int64(y.Lines))},
		{Label: "Left out", Value: figures.Count(int64(y.Lines - y.Kept))},
		{Label: "Lines in a bin", Value: figures.Count(int64(y.Bin))},
		{Label: "Bins", Value: figures.Count(int64(y.Bins))},
		{Label: "Strips", Value: figures.Count(int64(y.Strips()))},
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Layout", Facts: facts}, view.Block{Title: "Run", Facts: g.Run.Facts()})
	notes := []string{"A bin shows the " + reduction + " of its lines."}
	if y.Lines > y.Kept {
		notes = append(notes, "Runs of more than "+figures.Count(int64(y.Skip))+" lines without "+g.Noun()+" are left out.")
	}
	notes = append(notes, c.across.Notes()...)
	notes = append(notes, g.Notes()...)
	l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	return l
}
