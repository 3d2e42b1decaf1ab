package app

import (
	"time"

	"whorl/visual/app/clock"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/view"
)

// playEvery is the time between two pictures of a play.
const playEvery = 33 * time.Millisecond

// A player moves the time that the pictures show.
type player struct {
	clock   *clock.Clock
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	on      bool          // the time moves by itself
	last    time.Duration // when it moved last
}

// toggle pauses, or plays on; from the start if the time shown is outside of the time that plays.
func (p *player) toggle() {
	if p.on = !p.on; p.on {
		p.last = p.window.Now
		from, to := p.clock.Played()
		if u := p.clock.State.Shared.Until; u == nil || *u < from || *u >= to {
			p.showUntil(from, false)
		}
	}
	p.out.Redraw()
}

// showUntil shows the events up to a time; at the end of all traces it shows everything.
func (p *player) showUntil(time int64, more bool) {
	if _, to := p.clock.Span(); time >= to {
		p.actions.Apply(view.Action{Do: view.SetUntil, More: more})
		return
	}
	p.actions.Apply(view.Action{Do: view.SetUntil, Until: &time, More: more})
}
