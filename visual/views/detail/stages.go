package detail

import (
	"slices"

	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Shower
} = (*Geometry)(nil)

// Geometry is a picture of lines.
type Geometry struct {
	*lineplot.Plot
	text       *lineplot.Text
	mode       string          // of the columns, as the parameter has it
	order      *lineplot.Order // of the columns; nil where there is no heat map
	scheme     palette.Scheme
	normalised bool
	line       int32 // at the top, 0 for one near the hottest
}

// heatmap reports whether the picture has columns of processors.
func (g *Geometry) heatmap() bool { return g.order != nil }

// columnParams are the parameters of pictures with a heat map.
var columnParams = slices.Concat([]string{view.Palette.Name, line.Name, lineplot.Normalised.Name, lineplot.Processors.Name}, lineplot.OrderParams)

var detailStage = flow.Derive("detail", "lines by processors: their text, their ticks and the order of the columns",
	flow.In(lineplot.PlotStage, lineplot.TextStage), columnParams,
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params)
		return g, g.arrange(c.Params)
	})

var extremesStage = flow.Derive("extremes", "lines with the least and the most that any processor has there",
	flow.In(lineplot.PlotStage, lineplot.TextStage),
	flow.Params{view.Palette.Name, line.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		return newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params), nil
	})

var assemblerStage = flow.Derive("assembler", "instructions by processors",
	flow.In(lineplot.PlotStage, lineplot.TextStage), columnParams,
	func(c *flow.Call[*Listing]) (*Listing, error) {
		l := &Listing{Geometry: newGeometry(lineplot.PlotStage.In(c), lineplot.TextStage.In(c), c.Params)}
		l.instructions(nil) // here, and not when it is drawn
		return l, l.arrange(c.Params)
	})

func newGeometry(plot *lineplot.Plot, text *lineplot.Text, p flow.Values) *Geometry {
	g := &Geometry{Plot: plot, text: text, line: int32(p.Int(line.Name)), normalised: true}
	g.scheme, _, _ = palette.Named(p.Text(view.Palette.Name))
	g.All() // here, and not when it is drawn
	return g
}

// arrange sets what the parameters of columns ask for.
func (g *Geometry) arrange(p flow.Values) (err error) {
	g.normalised, g.mode = p.Bool(lineplot.Normalised.Name), p.Text(lineplot.Processors.Name)
	g.order, err = g.Order(p)
	return err
}
