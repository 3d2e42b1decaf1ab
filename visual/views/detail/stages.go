package detail

import (
	"context"
	"sync"

	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Geometry is what the views draw.
type Geometry struct {
	*lineplot.Plot
	text       *lineplot.Text
	mode       string // of the columns, as the parameter has it
	order      *lineplot.Order
	scheme     palette.Scheme
	normalised bool
	line       int32 // at the top, 0 for one near the hottest

	mu  sync.Mutex // of what the assembler keeps
	all *counted
	now *counted
}

var detailStage = flow.Stage{
	Name: "detail", Doc: "lines by processors: their text, their ticks and the order of the columns", In: []string{"lineplot", "text"},
	Params: append([]string{view.Palette.Name, line.Name, lineplot.Normalised.Name, lineplot.Processors.Name}, lineplot.OrderParams...),
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		g := newGeometry(in, p)
		g.normalised, g.mode = p.Bool(lineplot.Normalised.Name), p.Text(lineplot.Processors.Name)
		var err error
		g.order, err = g.Order(p)
		return g, err
	},
}

var extremesStage = flow.Stage{
	Name: "extremes", Doc: "lines with the least and the most that any processor has there", In: []string{"lineplot", "text"},
	Params: []string{view.Palette.Name, line.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		return newGeometry(in, p), nil
	},
}

var assemblerStage = flow.Stage{
	Name: "assembler", Doc: "instructions by processors", In: []string{"lineplot", "text"}, Params: detailStage.Params,
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		g := newGeometry(in, p)
		g.normalised, g.mode = p.Bool(lineplot.Normalised.Name), p.Text(lineplot.Processors.Name)
		g.instructions(nil) // here, and not when it is drawn
		var err error
		g.order, err = g.Order(p)
		return g, err
	},
}

func newGeometry(in []any, p flow.Params) *Geometry {
	g := &Geometry{Plot: in[0].(*lineplot.Plot), text: in[1].(*lineplot.Text), line: int32(p.Int(line.Name)), normalised: true}
	g.scheme, _, _ = palette.Named(p.Text(view.Palette.Name))
	g.All() // here, and not when it is drawn
	return g
}
