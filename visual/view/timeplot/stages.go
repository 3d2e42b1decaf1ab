package timeplot

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// Needs lists the kinds of events from which the states of PEs follow. A trace must have at least one of them. Samples must have times (Kind.Timed).
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Busy), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start), tracer.Kinds(tracer.Sample)}

// Stages of views over PEs and time.
var (
	// statesStage derives the states of each PE over time, once for all views.
	statesStage = flow.Derive("activity", "states of each PE over time",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
			return activity.Build(view.Trace.In(c), c.Prev, c.Tick)
		})
	// ActivityStage has the states of each row over time: of each PE, or with ByTask of each task.
	ActivityStage = flow.Derive("rowstates", "states of each PE over time",
		flow.In(statesStage), nil,
		func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) { return statesStage.In(c), nil })
	// AccountStage divides the time of each PE among classes.
	AccountStage = flow.Derive("account", "the division of the time of each PE among classes",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*account.Account]) (*account.Account, error) {
			return account.Grow(view.Trace.In(c), c.Prev, c.Tick)
		})
	// PyramidStage derives the states of groups of PEs.
	PyramidStage = flow.Derive("pyramid", "states of groups of PEs",
		flow.In(ActivityStage), nil,
		func(c *flow.Call[*activity.Pyramid]) (*activity.Pyramid, error) {
			return activity.NewPyramid(ActivityStage.In(c), c.Prev, c.Tick)
		})
)

// Basis returns a sentence for the legend about events from which the states of PEs were inferred, or about what an outline leaves out, and "" if the
// states are those of the trace.
func Basis(a *activity.Activity) string {
	if a.Grain > 0 {
		return "To save memory, steps are left out, and so is the order of states within " + figures.Duration(a.Grain) + "."
	}
	if a.Outlined {
		return "To save memory, steps are left out."
	}
	if a.Separate {
		return "Each process has a clock of its own: times of different PEs cannot be compared, and how long a PE was idle is unknown."
	}
	switch a.Basis {
	case account.Costs:
		return "The trace records no states: a PE counts as busy while it reduces or tries, otherwise as idle."
	case account.Threads:
		return "The trace records no states: a PE counts as busy while a thread runs on it, otherwise as idle."
	case account.Samples:
		switch {
		case a.Lasting:
			return "The trace has samples alone: a PE counts as busy for as long as each sample says, otherwise as idle."
		case a.Tick == 0:
			return "The trace has samples alone, and no PE has two of them: how long each lasted is unknown."
		}
		return "The trace has samples alone, about every " + figures.Duration(a.Tick) + ": a PE counts as busy from each to the next, and as idle if that is late."
	case account.Instants:
		return "The trace records neither states nor costs: a PE counts as busy for " + figures.Duration(a.Tick) + " at each reduction."
	}
	return ""
}
