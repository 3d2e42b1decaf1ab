package measures

import (
	"fmt"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/onward"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/derive/totals"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// An outline holds the measures that one pass over a trace larger than memory finds.
type outline struct {
	act        *activity.Activity
	procedures *procedures
	totals     *totals.Totals
	account    *account.Account
}

// condensed returns the view for a trace larger than memory, which it reads once. It adds up the steps of the PEs while it reads them, and leaves out the
// numbers that need memory for each task: tasks and their work, span and the numbers derived from the span.
func condensed(memory int64) *view.Kind {
	k := Kind()
	all := flow.Derive("outline", fmt.Sprintf("all numbers of the trace, in %d bytes", memory),
		flow.In(view.Trace, view.RunStage), nil,
		func(c *flow.Call[*outline]) (*outline, error) {
			return outlineOf(view.Trace.In(c), view.RunStage.In(c), memory, c.Tick)
		})
	k.Picture = k.Picture.With(instead(timeplot.ActivityStage, "activity", all, func(o *outline) *activity.Activity { return o.act }))
	k.Picture = k.Picture.With(instead(timesStage, "times", all, func(o *outline) *account.Account { return o.account }))
	k.Picture = k.Picture.With(instead(proceduresStage, "procedures", all, func(o *outline) *procedures { return o.procedures }))
	k.Picture = k.Picture.With(instead(totalsStage, "totals", all, func(o *outline) *totals.Totals { return o.totals }))
	k.Picture = k.Picture.With(flow.Instead(threadsStage, noThreadsStage)).With(flow.Instead(view.SpawnTree, noTreeStage))
	return k
}

// instead replaces a stage by a part of the outline.
func instead[T any](s *flow.Stage[T], name string, all *flow.Stage[*outline], part func(*outline) T) flow.Swap {
	return flow.Instead(s, flow.Derive(name, "a part of the outline", flow.In(all), nil,
		func(c *flow.Call[T]) (T, error) { return part(all.In(c)), nil }))
}

// threadBytes is the memory for a thread in the thread graph that the tasks and the span come from.
const threadBytes = 320

// memoryOf returns the memory for all numbers of a trace and for its outline.
func memoryOf(d view.Demand) (whole, outlined int64) {
	whole, outlined = timeplot.Memory(d)
	if whole > outlined {
		whole += d.Counts[tracer.Fork] * threadBytes
	}
	return whole, outlined
}

// outlineOf reads a trace once.
func outlineOf(src tracer.Source, run *view.Run, memory int64, tick flow.Tick) (*outline, error) {
	p := new(procedures)
	states, sums := activity.NewOutliner(src, memory, func(pe int32, s *account.Step) { p.mark(int(pe), s.Code, len(run.Codes)) }), totals.NewBriefSums(src)
	err := onward.Scan(src, tracer.AllKinds, tick, func(e *tracer.Event) {
		sums.Add(e)
		if account.Kinds.Contains(e.Kind) {
			states.Add(e)
		}
	})
	if err != nil {
		return nil, err
	}
	act, times := states.Finish(src)
	p.finish(run, times, len(act.Lanes))
	return &outline{act, p, sums.Finish(), times}, nil
}

var (
	noThreadsStage = flow.Derive("threadmeasure", "no measure of threads", nil, nil,
		func(*flow.Call[*threads]) (*threads, error) { return &threads{}, nil })

	noTreeStage = flow.Derive("spawntree", "a tree without nodes", nil, nil,
		func(*flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
			return spawntree.Counted(new(spawntree.Tally)), nil
		})
)
