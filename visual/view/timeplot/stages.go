package timeplot

import (
	"context"

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
	// ActivityStage derives what each PE did when: *activity.Activity.
	ActivityStage = flow.Stage{
		Name: "activity", Doc: "what each PE did when", In: []string{view.Trace},
		Run: func(_ context.Context, in []any, prev any, _ flow.Params, tick flow.Tick) (any, error) {
			src, err := view.Source(in[0])
			if err != nil {
				return nil, err
			}
			before, _ := prev.(*activity.Activity)
			return activity.Build(src, before, tick)
		},
	}
	// PyramidStage adds PEs up to groups: *activity.Pyramid.
	PyramidStage = flow.Stage{
		Name: "pyramid", Doc: "states of groups of PEs, small and large", In: []string{"activity"},
		Run: func(_ context.Context, in []any, prev any, _ flow.Params, tick flow.Tick) (any, error) {
			before, _ := prev.(*activity.Pyramid)
			return activity.NewPyramid(in[0].(*activity.Activity), before, tick)
		},
	}
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
