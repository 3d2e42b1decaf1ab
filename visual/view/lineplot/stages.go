// Package lineplot holds the parts shared by the views of lines by processors: the line profile of a run, the lines of the program as one
// column, the assignment of PEs to columns of a heat map, the heat scale, and the lines of a selection.
package lineplot

import (
	"image/color"

	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Needs lists the kinds of events with a line. A view of lines needs a trace with at least one of them.
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Sample), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)}

// Metric is the parameter that selects the metric.
var Metric = view.Param{Name: "metric", Label: "Metric", Doc: "its name in the trace, such as ticks, reductions or time; empty means the first one", Default: ""}

// Inclusive is the parameter that adds the code called by a line to the line.
var Inclusive = view.Param{Name: "inclusive", Label: "With callees", Doc: "count the code called by a line for the line, too, if the trace has stacks", Default: false}

// Normalised is the parameter that selects the heat scale.
var Normalised = view.Param{Name: "normalised", Label: "Normalised heat", Doc: "only the hottest spot has the hottest colour; otherwise every amount of 256 or more has it", Default: true}

// fullHeat is the amount with the hottest colour if heat is not normalised: the number of values of a byte, as in the colour map of PerfVisS.
const fullHeat = 256

// Stages of views of lines.
var (
	// ProfileStage counts ticks by line and PE.
	ProfileStage = flow.Derive("lines", "ticks of each PE by line of the program",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*lineprofile.Profile]) (*lineprofile.Profile, error) {
			return lineprofile.Grow(view.Trace.In(c), c.Prev, c.Tick)
		})
	// PlotStage sums a metric by line and by procedure.
	PlotStage = flow.Derive("lineplot", "ticks by line and by procedure",
		flow.In(view.RunStage, view.SpawnTree, ProfileStage),
		flow.Params{Metric.Name, Inclusive.Name},
		func(c *flow.Call[*Plot]) (*Plot, error) {
			prof := ProfileStage.In(c)
			metric := 0
			if name := c.Params.Text(Metric.Name); name != "" {
				var err error
				if metric, err = prof.Metric(name); err != nil {
					return nil, err
				}
			}
			return NewPlot(view.RunStage.In(c), view.SpawnTree.In(c), prof, metric, c.Params.Bool(Inclusive.Name)), nil
		})
)

// Heat returns the colours of a scheme from the smallest to the largest amount.
func Heat(s palette.Scheme) *[256]scene.Color {
	var h [256]scene.Color
	for i := range h {
		h[i] = scene.NRGBA(s.Heat(float64(i) / 255))
	}
	return &h
}

// A Scale maps amounts to heat colours.
type Scale struct {
	heat *[256]scene.Color
	full int64 // the least amount with the hottest colour
}

// NewScale returns the scale of a picture whose largest amount is most.
func NewScale(s palette.Scheme, most int64, normalised bool) Scale {
	if !normalised {
		most = fullHeat
	}
	return Scale{Heat(s), max(most, 1)}
}

// Full returns the least amount with the hottest colour.
func (s Scale) Full() int64 { return s.full }

// None is the colour of an amount of 0.
var None = scene.NRGBA(color.NRGBA{A: 255})

// Color returns the colour of an amount.
func (s Scale) Color(n int64) scene.Color {
	if n <= 0 {
		return None
	}
	return s.Between(float64(n))
}

// Between returns the colour of a fractional amount above 0.
func (s Scale) Between(n float64) scene.Color {
	return s.heat[min(max(int(n/float64(s.full)*255), 0), 255)]
}
