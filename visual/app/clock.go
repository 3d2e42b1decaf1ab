package app

import (
	"whorl/visual/ui"
	"whorl/visual/view"
)

// One clock for all traces in the window. Where runs of different lengths are compared, it shows the same instant of each, or the same part: then
// the longest run is the clock, and the others are stretched to it.

// inParts says whether traces show the same part of each.
func (a *App) inParts() bool { return a.State.Shared.Parts && !notCompared(a) }

// notCompared says whether there is one run alone, or none.
func notCompared(a *App) bool { return len(a.inWindow()) < 2 }

// onTrace is what an instant of the clock is in a trace.
func (a *App) onTrace(at int64, d *document) int64 {
	from, to := a.times()
	if d == nil || !a.inParts() {
		return at
	}
	first, last := d.span()
	return scaled(at, from, to, first, last)
}

// onClock is what an instant of a trace is on the clock.
func (a *App) onClock(at int64, d *document) int64 {
	from, to := a.times()
	if d == nil || !a.inParts() {
		return at
	}
	first, last := d.span()
	return scaled(at, first, last, from, to)
}

// scaled moves an instant from one stretch of time to where it is in another.
func scaled(at, from, to, first, last int64) int64 {
	if from == first && to == last || to <= from {
		return at
	}
	return first + int64(float64(at-from)/float64(to-from)*float64(last-first)+0.5)
}

// untilOf is the instant up to which a trace is shown; nil for all.
func (a *App) untilOf(trace string) *int64 {
	u := a.State.Shared.Until
	if u == nil || !a.inParts() {
		return u
	}
	at := a.onTrace(*u, a.docs[trace])
	return &at
}

// windowOf is the window of time of a trace; nil for all.
func (a *App) windowOf(trace string) *view.Span {
	w := a.State.Shared.Window
	if w == nil || !a.inParts() {
		return w
	}
	d := a.docs[trace]
	return &view.Span{First: a.onTrace(w.First, d), Last: a.onTrace(w.Last, d)}
}

// twinTime is a time of one run in another one.
func (a *App) twinTime(t *view.Span, from, to *document) *view.Span {
	if t == nil || !a.inParts() {
		return t
	}
	return &view.Span{First: a.onTrace(a.onClock(t.First, from), to), Last: a.onTrace(a.onClock(t.Last, from), to)}
}

func (a *App) toggleParts() { a.flag(view.SetParts, !a.State.Shared.Parts) }

func (a *App) toggleApart() { a.flag(view.SetApart, !a.State.Shared.Apart) }

func (a *App) flag(do view.Do, on bool) {
	index := 0
	if on {
		index = 1
	}
	a.act(view.Action{Do: do, Index: index})
}

// comparedControls say how runs side by side go along.
func (a *App) comparedControls(c *ui.Context, in *ui.Rect) {
	if notCompared(a) || in.W() < c.Px(420) {
		return
	}
	in.CutLeft(c.Px(ui.Gap))
	chosen := 0
	if a.State.Shared.Parts {
		chosen = 1
	}
	r := in.CutLeft(c.Px(104))
	c.Tip(r, a.commandNamed("parts").tip())
	if c.Dropdown(r, "parts", []string{"same time", "same part"}, &chosen) {
		a.flag(view.SetParts, chosen == 1)
	}
	in.CutLeft(c.Px(4))
	cmd := a.commandNamed("apart")
	if c.Press(in.CutLeft(c.Px(ui.Ctl)), "apart", ui.Press{Icon: cmd.glyph, Look: ui.Quiet, On: !a.State.Shared.Apart, Tip: cmd.tip()}) {
		a.perform(cmd)
	}
}
