package timeplot

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// Needs are the kinds of events of which a trace must have some so that the states of its PEs can be told.
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Busy), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start)}

// Stages of views over PEs and time.
var (
	// ActivityStage derives what each PE did when.
	ActivityStage = flow.Derive("activity", "what each PE did when",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
			return activity.Build(view.Trace.In(c), c.Prev, c.Tick)
		})
	// PyramidStage adds PEs up to groups.
	PyramidStage = flow.Derive("pyramid", "states of groups of PEs, small and large",
		flow.In(ActivityStage), nil,
		func(c *flow.Call[*activity.Pyramid]) (*activity.Pyramid, error) {
			return activity.NewPyramid(ActivityStage.In(c), c.Prev, c.Tick)
		})
)

// Basis says, for a legend, what the states of the PEs were told by; "" where the trace tells them itself.
func Basis(a *activity.Activity) string {
	switch a.Basis {
	case activity.Costs:
		return "The trace tells no states: a PE counts as busy while it reduces or tries, else as idle."
	case activity.Threads:
		return "The trace tells no states: a PE counts as busy while a thread runs on it, else as idle."
	case activity.Instants:
		return "The trace tells neither states nor costs: a PE counts as busy for " + figures.Duration(a.Tick) + " whenever it reduced."
	}
	return ""
}
