package workspan

import "whorl/tracer"

// A trial is the state of a search for the burden to try.
type trial uint8

const (
	trialOpen   trial = iota // no thread has changed its PE
	trialBegun               // the burden is tried
	trialClosed              // there is none, or it came too late
)

const mostEarly = 256 // events that are measured again once a burden is known

// search looks for the burden to try after an event, and measures the events until then again with it.
func (g *Goals) search(e *tracer.Event) {
	if g.early = append(g.early, *e); g.Shared || len(g.early) == mostEarly {
		g.trial, g.early = trialClosed, nil
		return
	}
	if len(g.late) > 0 {
		early := g.early
		*g = Goals{Dict: g.Dict, trial: trialBegun, burden: g.late[0]}
		for i := range early {
			g.event(&early[i])
		}
	}
}

// load makes the burdened path to a goal one that takes the burden beyond a path, if that is longer.
func (g *Goals) load(own *goal, path int64) {
	own.burdened = max(own.burdened, add(path, g.burden))
	g.burdened = max(g.burdened, own.burdened)
}
