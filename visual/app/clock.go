package app

import (
	"math"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/view"
)

// All traces in the window have one clock. Where runs of different lengths are compared, it shows either the same instant of each or the
// same part of each; then the clock is that of the longest run, and the times of the others are scaled to it.

// PlayTime is how long a whole trace plays at first.
const PlayTime = 8 * time.Second

// playEvery is the time between two pictures of a play.
const playEvery = 33 * time.Millisecond

// A play is an animation of the pictures over time.
type play struct {
	on   bool
	last time.Duration // when it was drawn last
}

// inWindow lists the traces that panes show, in the order in which they were opened.
func (m *model) inWindow() []string {
	return slices.DeleteFunc(slices.Clone(m.State.Shared.Traces), func(name string) bool {
		return !slices.ContainsFunc(m.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == name })
	})
}

// times returns the span of all traces in the window, in ns.
func (m *model) times() (from, to int64) {
	first := true
	for _, name := range m.inWindow() {
		if d := m.docs.Get(name); d != nil {
			f, t := d.Span()
			if first {
				from, to, first = f, t, false
			}
			from, to = min(from, f), max(to, t)
		}
	}
	return from, to
}

// played returns the time that plays: the window of time, or everything.
func (m *model) played() (from, to int64) {
	from, to = m.times()
	if w := m.State.Shared.Window; w != nil && w.First < to && w.Last > from {
		from, to = max(from, w.First), min(to, w.Last)
	}
	return from, to
}

// playTime returns how long everything plays at the current speed.
func (m *model) playTime() time.Duration {
	return time.Duration(math.Ldexp(float64(PlayTime), -m.State.Shared.Speed))
}

// togglePlay pauses, or plays on; from the start if the time shown is outside of the time that plays.
func (m *model) togglePlay() {
	if m.play.on = !m.play.on; m.play.on {
		m.play.last = m.now
		from, to := m.played()
		if u := m.State.Shared.Until; u == nil || *u < from || *u >= to {
			m.until(from, false)
		}
	}
	m.changed = true
}

// until shows the events up to a time; at the end of all traces it shows everything.
func (m *model) until(time int64, more bool) {
	if _, to := m.times(); time >= to {
		m.act(view.Action{Do: view.SetUntil, More: more})
		return
	}
	m.act(view.Action{Do: view.SetUntil, Until: &time, More: more})
}

// speedUp multiplies the speed by a power of 2.
func (m *model) speedUp(by int) {
	m.act(view.Action{Do: view.SetSpeed, Index: m.State.Shared.Speed + by})
}

// comparing reports whether there are several traces in the window.
func (m *model) comparing() bool { return len(m.inWindow()) > 1 }

// inParts reports whether the traces show the same part of each.
func (m *model) inParts() bool { return m.State.Shared.Parts && m.comparing() }

// onTrace returns the time of a trace at a time of the clock.
func (m *model) onTrace(time int64, d *documents.Document) int64 {
	if d == nil || !m.inParts() {
		return time
	}
	from, to := m.times()
	first, last := d.Span()
	return scaled(time, from, to, first, last)
}

// onClock returns the time of the clock at a time of a trace.
func (m *model) onClock(time int64, d *documents.Document) int64 {
	if d == nil || !m.inParts() {
		return time
	}
	from, to := m.times()
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

// untilOf returns the time up to which a trace is shown, nil for all.
func (m *model) untilOf(trace string) *int64 {
	u := m.State.Shared.Until
	if u == nil || !m.inParts() {
		return u
	}
	time := m.onTrace(*u, m.docs.Get(trace))
	return &time
}

// windowOf returns the window of time of a trace, nil for all.
func (m *model) windowOf(trace string) *view.Span {
	w := m.State.Shared.Window
	if w == nil || !m.inParts() {
		return w
	}
	d := m.docs.Get(trace)
	return &view.Span{First: m.onTrace(w.First, d), Last: m.onTrace(w.Last, d)}
}

// flag sets a switch of the state.
func (m *model) flag(do view.Do, on bool) {
	index := 0
	if on {
		index = 1
	}
	m.act(view.Action{Do: do, Index: index})
}
