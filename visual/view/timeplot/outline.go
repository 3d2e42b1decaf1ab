package timeplot

import (
	"fmt"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// Outlined returns the condensation of a view over time. It reads the states of the PEs without their steps, and counts the nodes of the
// spawn tree instead of holding them.
func Outlined(kind func() *view.Kind) *view.Condensation {
	return &view.Condensation{Kind: func(memory int64) *view.Kind { return outlined(kind(), memory) }, Memory: Memory}
}

// outlined makes a view over time read an outline of memory bytes.
func outlined(k *view.Kind, memory int64) *view.Kind {
	outline := flow.Derive("activity", fmt.Sprintf("states of each PE over time, in %d bytes", memory),
		flow.In(view.Trace), nil,
		func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
			return activity.Outline(view.Trace.In(c), memory, c.Tick)
		})
	k.Picture = k.Picture.With(flow.Instead(statesStage, outline)).With(flow.Instead(view.SpawnTree, countStage))
	k.Params = slices.Clone(k.Params)
	for i := range k.Params {
		if k.Params[i].Name == ColorBy.Name {
			k.Params[i].Choices = []string{ByAuto, ByState, ByPE} // procedures are those of steps
		}
	}
	return k
}

// countStage counts the nodes of the spawn tree by PE and by code. Only the colours of PEs need them.
var countStage = flow.Derive("spawntree", "numbers of reductions or threads by PE and procedure",
	flow.In(view.Trace),
	flow.Params{ColorBy.Name},
	func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
		if c.Params.Text(ColorBy.Name) != ByPE {
			return spawntree.Counted(new(spawntree.Tally)), nil
		}
		return spawntree.Count(view.Trace.In(c), c.Tick)
	})

// Memory that an event takes in the stages of a view over time, and that an outline takes.
const (
	eventBytes   = 160
	outlineBytes = 16 << 20
)

// Memory returns the memory for a whole trace and for its outline. A trace without states has no outline.
func Memory(d view.Demand) (whole, outlined int64) {
	for _, k := range []tracer.Kind{tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Fork, tracer.Start, tracer.JoinEnd, tracer.Busy, tracer.Idle, tracer.Overhead} {
		whole += d.Counts[k] * eventBytes
	}
	if d.Counts[tracer.Reduce]+d.Counts[tracer.Start] == 0 {
		whole += d.Counts[tracer.Sample] * eventBytes
	}
	if !activity.Outlines(&d.Counts) {
		return whole, whole
	}
	return whole, outlineBytes
}
