package measures

import (
	"fmt"

	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/derive/totals"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// An outline is what one pass over a trace larger than memory finds.
type outline struct {
	act        *activity.Activity
	procedures *procedures
}

// condensed returns the view for a trace larger than memory. It adds up the steps of the PEs while it reads them, and leaves out the numbers that need
// memory for each task: tasks, span and what follows from the span.
func condensed(memory int64) *view.Kind {
	k := Kind()
	both := flow.Derive("outline", fmt.Sprintf("states of each PE and sums over each procedure, in %d bytes", memory),
		flow.In(view.Trace, view.RunStage), nil,
		func(c *flow.Call[*outline]) (*outline, error) {
			run := view.RunStage.In(c)
			p := newProcedures(len(run.Codes))
			act, err := activity.Outline(view.Trace.In(c), memory, func(pe int32, s activity.Step) { p.add(p.lane(int(pe)), s) }, c.Tick)
			if err != nil {
				return nil, err
			}
			for pe := range act.Lanes {
				p.lane(pe)
			}
			p.finish(run)
			return &outline{act, p}, nil
		})
	k.Picture = k.Picture.With(
		flow.Instead(timeplot.ActivityStage, flow.Derive("activity", "states of each PE over time", flow.In(both), nil,
			func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) { return both.In(c).act, nil }))).With(
		flow.Instead(proceduresStage, flow.Derive("procedures", "sums over each procedure", flow.In(both), nil,
			func(c *flow.Call[*procedures]) (*procedures, error) { return both.In(c).procedures, nil }))).With(
		flow.Instead(totalsStage, sumsStage)).With(
		flow.Instead(threadsStage, noThreadsStage)).With(
		flow.Instead(view.SpawnTree, noTreeStage))
	return k
}

var (
	sumsStage = flow.Derive("totals", "sums over the whole trace and over each PE, without tasks and span",
		flow.In(view.Trace), nil,
		func(c *flow.Call[*totals.Totals]) (*totals.Totals, error) {
			return totals.Sums(view.Trace.In(c), c.Tick)
		})

	noThreadsStage = flow.Derive("threadmeasure", "no measure of threads", nil, nil,
		func(*flow.Call[*threads]) (*threads, error) { return &threads{}, nil })

	noTreeStage = flow.Derive("spawntree", "a tree without nodes", nil, nil,
		func(*flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
			return spawntree.Counted(new(spawntree.Tally)), nil
		})
)
