package timeplot

import (
	"context"
	"fmt"

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
			src, err := Source(in[0])
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
		Run: func(_ context.Context, in []any, _ any, _ flow.Params, tick flow.Tick) (any, error) {
			return activity.NewPyramid(in[0].(*activity.Activity), tick)
		},
	}
)

// Source is the trace that a stage was given.
func Source(in any) (tracer.Source, error) {
	src, ok := in.(tracer.Source)
	if !ok {
		return nil, fmt.Errorf("the source %s is a %T, want a tracer.Source", view.Trace, in)
	}
	return src, nil
}

// Basis says, for a legend, what the states of the PEs were told by; "" where the trace tells them itself.
func Basis(a *activity.Activity) string {
	switch a.Basis {
	case activity.Costs:
		return "The trace tells no states: a PE counts as busy while it reduces or tries, else as idle."
	case activity.Threads:
		return "The trace tells no states: a PE counts as busy while a thread runs on it, else as idle."
	case activity.Instants:
		return "The trace tells neither states nor costs: a PE counts as busy for " + view.Duration(a.Tick) + " whenever it reduced."
	}
	return ""
}

// ticking is a source whose scan ticks with every batch, so that a long derivation can pause and be stopped.
type ticking struct {
	tracer.Source
	tick flow.Tick
}

// Ticking is a source that tells tick how far it has been read.
func Ticking(src tracer.Source, tick flow.Tick) tracer.Source { return &ticking{src, tick} }

func (t *ticking) Scan(want tracer.KindSet, f func([]tracer.Event) error) error {
	var done, total int64
	for k, n := range t.Counts() {
		if want.Has(tracer.Kind(k)) {
			total += n
		}
	}
	return t.Source.Scan(want, func(es []tracer.Event) error {
		if err := f(es); err != nil {
			return err
		}
		done += int64(len(es))
		return t.tick(done, total)
	})
}
