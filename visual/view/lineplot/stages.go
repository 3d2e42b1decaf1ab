// Package lineplot holds the parts shared by the views of lines by processors: the line profile of a run, the lines of the program as one
// column, the assignment of PEs to columns of a heat map, the heat scale, and the lines of a selection.
package lineplot

import (
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// Needs lists the kinds of events with a line. A view of lines needs a trace with at least one of them.
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Sample), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)}

// Metric is the parameter that selects the metric.
var Metric = view.Param{Name: "metric", Label: "Metric", Doc: "its name in the trace, such as ticks, reductions or time; empty means the first one", Default: ""}

// Inclusive is the parameter that adds the code called by a line to the line.
var Inclusive = view.Param{Name: "inclusive", Label: "With callees", Doc: "count the code called by a line for the line, too, if the trace has stacks", Default: false}

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
		flow.In(view.RunStage, view.SpawnTree, ProfileStage, view.OtherName, otherProfile),
		flow.Params{Metric.Name, Inclusive.Name, view.Against},
		func(c *flow.Call[*Plot]) (*Plot, error) {
			prof := ProfileStage.In(c)
			metric := 0
			if name := c.Params.Text(Metric.Name); name != "" {
				var err error
				if metric, err = prof.Metric(name); err != nil {
					return nil, err
				}
			}
			p := NewPlot(view.RunStage.In(c), view.SpawnTree.In(c), prof, metric, c.Params.Bool(Inclusive.Name))
			p.compare(c)
			return p, nil
		})
)
