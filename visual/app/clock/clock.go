// Package clock keeps the time of a window. All traces in the window have one clock. Where runs of different lengths are compared, it shows
// either the same instant of each or the same part of each. With the same part, the clock is that of the longest run, and the times of the
// others are scaled to it.
package clock

import (
	"math"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/view"
)

// PlayTime is how long a whole trace plays at first.
const PlayTime = 8 * time.Second

// A Clock reads the time from the state of a window and its open traces. Times are in ns.
type Clock struct {
	State *view.State
	Docs  *documents.Set
}

// Traces lists the traces that panes show, in the order of their opening.
func (c Clock) Traces() []string {
	return slices.DeleteFunc(slices.Clone(c.State.Shared.Traces), func(name string) bool {
		return !slices.ContainsFunc(c.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == name })
	})
}

// Span returns the span of all traces in the window.
func (c Clock) Span() (from, to int64) {
	first := true
	for _, name := range c.Traces() {
		if d := c.Docs.Get(name); d != nil {
			f, t := d.Span()
			if first {
				from, to, first = f, t, false
			}
			from, to = min(from, f), max(to, t)
		}
	}
	return from, to
}

// Played returns the time that plays: the window of time, or everything.
func (c Clock) Played() (from, to int64) {
	from, to = c.Span()
	if w := c.State.Shared.Window; w != nil && w.First < to && w.Last > from {
		from, to = max(from, w.First), min(to, w.Last)
	}
	return from, to
}

// Advance moves the time, which is now, to where a play is that began at begun and has lasted for passed; it never goes back. It returns the times
// before and after, and whether the play is over. The first part begins before the first event, so that this plays too.
func (c Clock) Advance(now, begun int64, passed time.Duration) (after, until int64, over bool) {
	from, to := c.Played()
	after = now
	if now == from {
		after--
	}
	until = min(max(begun+int64(float64(to-from)*float64(passed)/float64(c.Length())), now), to)
	return after, until, until >= to
}

// Length returns how long everything plays at the current speed.
func (c Clock) Length() time.Duration {
	return time.Duration(math.Ldexp(float64(PlayTime), -c.State.Shared.Speed))
}

// Comparing reports whether there are several traces in the window.
func (c Clock) Comparing() bool { return len(c.Traces()) > 1 }

// InParts reports whether the traces show the same part of each.
func (c Clock) InParts() bool { return c.State.Shared.Parts && c.Comparing() }

// OnTrace returns the time of a trace at a time of the clock.
func (c Clock) OnTrace(time int64, d *documents.Document) int64 {
	if d == nil || !c.InParts() {
		return time
	}
	from, to := c.Span()
	first, last := d.Span()
	return scaled(time, from, to, first, last)
}

// OnClock returns the time of the clock at a time of a trace.
func (c Clock) OnClock(time int64, d *documents.Document) int64 {
	if d == nil || !c.InParts() {
		return time
	}
	from, to := c.Span()
	first, last := d.Span()
	return scaled(time, first, last, from, to)
}

// scaled moves a time from one span to the same part of another.
func scaled(time, from, to, first, last int64) int64 {
	if from == first && to == last || to <= from {
		return time
	}
	return first + int64(float64(time-from)/float64(to-from)*float64(last-first)+0.5)
}

// Until returns the time up to which a trace is shown, nil for all.
func (c Clock) Until(trace string) *int64 {
	u := c.State.Shared.Until
	if u == nil || !c.InParts() {
		return u
	}
	time := c.OnTrace(*u, c.Docs.Get(trace))
	return &time
}

// Window returns the window of time of a trace, nil for all.
func (c Clock) Window(trace string) *view.Span {
	w := c.State.Shared.Window
	if w == nil || !c.InParts() {
		return w
	}
	d := c.Docs.Get(trace)
	return &view.Span{First: c.OnTrace(w.First, d), Last: c.OnTrace(w.Last, d)}
}
