package detail

import (
	"slices"

	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Shower
} = (*Geometry)(nil)

// A Geometry is the picture of lines.
type Geometry struct {
	*lineplot.Plot
	text       *lineplot.Text
	mode       string          // value of lineplot.Processors
	order      *lineplot.Order // order of the columns; nil without a heat map
	colours    lineplot.Heat
	normalised bool
	line       int32 // first line shown; 0 shows the lines around the hottest
}

// heatmap reports whether the picture has columns of processors.
func (g *Geometry) heatmap() bool { return g.order != nil }

// columnParams lists the parameters of pictures with a heat map.
var columnParams = slices.Concat(flow.Params{line.Name, lineplot.Normalised.Name, lineplot.Processors.Name}, lineplot.HeatParams, lineplot.OrderParams)

var detailStage = flow.Derive("detail", "lines by processors: text, ticks and order of the columns",
	flow.In(lineplot.PlotStage, lineplot.TextStage), columnParams,
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params)
		return g, g.arrange(c.Params)
	})

var extremesStage = flow.Derive("extremes", "least and most ticks of a processor, by line",
	flow.In(lineplot.PlotStage, lineplot.TextStage),
	append(flow.Params{line.Name}, lineplot.HeatParams...),
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		return newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params), nil
	})

var assemblerStage = flow.Derive("assembler", "instructions by processors",
	flow.In(lineplot.PlotStage, lineplot.TextStage), columnParams,
	func(c *flow.Call[*Listing]) (*Listing, error) {
		l := &Listing{Geometry: newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params)}
		l.Instructions(nil) // fill the cache before the first frame
		return l, l.arrange(c.Params)
	})

func newGeometry(plot *lineplot.Plot, text *lineplot.Text, p flow.Values) *Geometry {
	g := &Geometry{Plot: plot, text: text, line: int32(p.Int(line.Name)), normalised: true}
	g.colours = lineplot.NewHeat(p)
	g.All() // fill the cache before the first frame
	return g
}

// arrange sets the scale, the mode and the order of the columns from the parameters.
func (g *Geometry) arrange(p flow.Values) (err error) {
	g.normalised, g.mode = p.Bool(lineplot.Normalised.Name), p.Text(lineplot.Processors.Name)
	g.order, err = g.Order(p)
	return err
}
