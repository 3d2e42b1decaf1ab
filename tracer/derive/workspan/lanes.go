package workspan

import (
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// A lane is the state of a PE.
type lane struct {
	last   uint64 // the goal of its last reduction, if nothing else happened since; 0 for none
	until  int64  // when that ends
	free   int64  // time of its last node
	seen   bool
	still  bool  // it stands still
	moving int64 // when it last went on after it stood still
}

// busy records that a PE had something to do until an instant.
func (l *lane) busy(until int64) {
	if !l.seen || until > l.free {
		l.free, l.seen = until, true
	}
}

// state records what a live PE does from now on.
func (g *Goals) state(e *tracer.Event) {
	on := bounds.Entry(&g.lanes, e.PE)
	if on == nil || !g.Shared {
		return
	}
	still := g.standsStill(e)
	if on.still && !still {
		on.moving = e.Time
	}
	on.still = still
}

// standsStill reports whether a PE in a state neither works nor looks for work: the operating system has given its core to others, or garbage is
// collected.
func (g *Goals) standsStill(e *tracer.Event) bool {
	if e.Kind == tracer.Busy || g.Dict == nil {
		return false
	}
	switch g.Dict.Code(e.Code).Name {
	case tracer.ReasonOffCPU, tracer.ReasonGC:
		return true
	}
	return false
}

// migrate records the start of a thread on a PE other than that of its parent, which has reduced before ready. The cost of scheduling counts from the
// instant at which the thread is ready, its new PE is free, and both PEs have gone on after they stood still. A live PE joins the trace with its
// first thread, so nothing tells how long it was free before.
func (g *Goals) migrate(now, ready int64, to, from *lane) {
	since := ready
	switch {
	case to.seen:
		since = max(since, to.free)
	case g.Shared:
		return
	}
	if from != nil {
		since = max(since, from.moving)
	}
	g.late = append(g.late, max(0, now-max(since, to.moving)))
}
