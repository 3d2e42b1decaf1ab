// Package lineplot is what the views of lines by processors share: the profile of the run, all lines of the program as one column, PEs as
// the columns of a picture, the colours of heat, and which lines a selection holds.
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

// Needs are the kinds of events of which a trace must have some so that its lines can be told apart.
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Sample), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)}

// Metric is the parameter that says what is counted.
var Metric = view.Param{Name: "metric", Doc: "what is counted, by its name in the trace: ticks, reductions, time; the first one where there is none", Default: ""}

// Inclusive is the parameter that says what belongs to a line.
var Inclusive = view.Param{Name: "inclusive", Doc: "what a line calls counts, too, where the trace has stacks", Default: false}

// Normalised is the parameter of the scale of heat.
var Normalised = view.Param{Name: "normalised", Doc: "the hottest spot is bright red, and nothing else; else whatever has 256 or more", Default: true}

// fullHeat is what is bright red where heat is not normalised: as many values as a byte has, as in the paper's colour map.
const fullHeat = 256

// Stages of views of lines.
var (
	// ProfileStage counts where the ticks went.
	ProfileStage = flow.Derive("lines", "where in the text of the program each PE spent its ticks",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*lineprofile.Profile]) (*lineprofile.Profile, error) {
			return lineprofile.Grow(view.Trace.In(c), c.Prev, c.Tick)
		})
	// PlotStage adds them up by line and by procedure.
	PlotStage = flow.Derive("lineplot", "ticks by line and by procedure",
		flow.In(view.RunStage, view.SpawnTree, ProfileStage),
		flow.Params{Metric.Name, Inclusive.Name},
		func(c *flow.Call[*Plot]) (*Plot, error) {
			prof := ProfileStage.In(c)
			return NewPlot(view.RunStage.In(c), view.SpawnTree.In(c), prof, prof.Metric(c.Params.Text(Metric.Name)), c.Params.Bool(Inclusive.Name)), nil
		})
)

// Heat is the colours of a scheme, from the least to the largest amount.
func Heat(s palette.Scheme) *[256]scene.Color {
	var h [256]scene.Color
	for i := range h {
		h[i] = scene.Color(s.Heat(float64(i) / 255))
	}
	return &h
}

// Scale says how hot an amount is.
type Scale struct {
	heat *[256]scene.Color
	full int64 // what is the hottest
}

// NewScale is the scale of a picture whose largest amount is most.
func NewScale(s palette.Scheme, most int64, normalised bool) Scale {
	if !normalised {
		most = fullHeat
	}
	return Scale{Heat(s), max(most, 1)}
}

// Full is the amount from which on everything is equally hot.
func (s Scale) Full() int64 { return s.full }

// None is the colour of nothing.
var None = scene.Color(color.NRGBA{A: 255})

// Color is that of an amount.
func (s Scale) Color(n int64) scene.Color {
	if n <= 0 {
		return None
	}
	return s.Between(float64(n))
}

// Between is the colour of an amount between others, above 0.
func (s Scale) Between(n float64) scene.Color {
	return s.heat[min(max(int(n/float64(s.full)*255), 0), 255)]
}
