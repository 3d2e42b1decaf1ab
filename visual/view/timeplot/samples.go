package timeplot

import (
	"strings"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// sampledStage chooses a function of the stack of each sample: the code of its step. Other steps keep theirs. ByTask and ByQueue read it.
var sampledStage = flow.Derive("sampled", "states of each PE over time, with the chosen functions of samples",
	flow.In(statesStage, view.Trace, view.RunStage), flow.Params{Depth.Name, contexts.Focus.Name},
	func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
		act := statesStage.In(c)
		depth, focus := c.Params.Int(Depth.Name), strings.TrimSpace(c.Params.Text(contexts.Focus.Name))
		if depth == 0 && focus == "" || !sampled(act) {
			return act, nil
		}
		run, all := view.RunStage.In(c), view.Trace.In(c).Dict().Contexts()
		shown := chosen(run, all, depth, matching(run, focus))
		return act.Recoded(func(task uint64, code uint32) uint32 {
			if task < uint64(len(shown)) {
				return shown[task]
			}
			return code
		}), nil
	})

// sampled reports whether the steps of an activity are those of samples.
func sampled(a *activity.Activity) bool {
	for i := range a.Lanes {
		if steps := &a.Lanes[i].Steps; steps.Len() > 0 {
			return steps.Step(0).Kind == tracer.Sample
		}
	}
	return false
}

// matching returns whether a function matches a focus, nil if there is none or it is no regular expression.
func matching(run *view.Run, focus string) func(code uint32) bool {
	re, err := query.Exact(focus)
	if focus == "" || err != nil {
		return nil
	}
	return callingcontext.Matching(re, run.Name, run.File)
}

// chosen returns the code that is shown for each context: of the innermost function that matches, 0 if none does; or else the depth-th code of the path
// from the program on, the innermost one if the path is shorter or depth is 0.
func chosen(run *view.Run, all []tracer.Context, depth int64, matches func(code uint32) bool) []uint32 {
	shown, level := make([]uint32, len(all)), make([]int64, len(all))
	for id := 1; id < len(all); id++ {
		x := &all[id]
		up := x.Parent
		if int(up) >= id { // of a damaged trace
			up = 0
		}
		shown[id], level[id] = x.Code, level[up]+1
		switch {
		case matches != nil && !matches(run.Owner(x.Code)), matches == nil && depth > 0 && level[id] > depth:
			shown[id] = shown[up]
		}
	}
	return shown
}
