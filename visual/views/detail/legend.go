package detail

import (
	"path"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Legend explains the heat scale and the bars and names the visible lines.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	subtitle := "Lines by processors, with the extremes of each line"
	if !g.heatmap() {
		subtitle = "Least and most " + g.Noun() + " of a processor, by line"
	}
	legend := g.Plot.Legend(f, subtitle)
	l := g.layout(f)
	if g.heatmap() {
		heat := lineplot.Ramp(g.Plot, l.scale())
		heat.Notes = append(heat.Notes, l.across.Notes()...)
		legend.Blocks = append(legend.Blocks, heat)
	} else if l.map0 < f.Area.X1 {
		strip := lineplot.Ramp(g.Plot, l.scale())
		if !g.Compared() {
			strip.Title = "Strip at the right: most " + g.Noun()
		}
		legend.Blocks = append(legend.Blocks, strip)
	}
	if len(l.bars.right) > 0 || l.bars.x1 > l.bars.x0 {
		least, more := colours(f.Style)
		extremes := view.Block{Title: "Extremes", Swatches: []view.Swatch{
			{Colors: []scene.Color{least}, Label: "PE with the least"}, {Colors: []scene.Color{more}, Label: "PE with the most"},
		}}
		if g.Compared() {
			extremes.Swatches = []view.Swatch{{Colors: []scene.Color{view.Diverging{Dark: f.Style.Dark}.Color(-1)}, Label: "PEs with less"}, {Colors: []scene.Color{view.Diverging{Dark: f.Style.Dark}.Color(1)}, Label: "PEs with more"}}
		}
		if len(l.bars.kinds) < len(titles) {
			extremes.Notes = []string{"A wider picture shows mean and variance, too."}
		}
		legend.Blocks = append(legend.Blocks, extremes)
	}
	legend.Blocks = append(legend.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
	if g.Column.Rows() == 0 {
		return legend
	}
	line := g.Column.Line(l.first)
	shown := lineplot.LinesWord(g.Plot, line.File) + " " + figures.Count(int64(line.Line)) + "–" + figures.Count(int64(line.Line)+int64(max(l.end-l.first, 1))-1) + " of " +
		figures.Count(int64(g.Profile.Files[line.File].Lines)) + " of " + path.Base(g.Profile.Files[line.File].Name) + " are shown."
	legend.Blocks = append(legend.Blocks, view.Block{Title: "Lines", Notes: append([]string{shown}, g.Notes()...)})
	return legend
}
