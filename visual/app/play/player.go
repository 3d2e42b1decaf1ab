// Package play moves the time that the pictures show, and makes the sounds of what they show.
package play

import (
	"time"

	"whorl/visual/app/clock"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/view"
)

// PlayEvery is the time between two pictures of a play.
const PlayEvery = 33 * time.Millisecond

// A Player moves the time that the pictures show.
type Player struct {
	clock   *clock.Clock
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	On      bool          // the time moves by itself
	last    time.Duration // when it moved last
}

// NewPlayer returns a player of a clock that pauses.
func NewPlayer(k *clock.Clock, a *panes.Actions, w *panes.Window, out *outbox.Outbox) *Player {
	return &Player{clock: k, actions: a, window: w, out: out}
}

// Toggle pauses, or plays on; from the start if the time shown is outside of the time that plays.
func (p *Player) Toggle() {
	if p.On = !p.On; p.On {
		p.last = p.window.Now
		from, to := p.clock.Played()
		if u := p.clock.State.Shared.Until; u == nil || *u < from || *u >= to {
			p.ShowUntil(from, false)
		}
	}
	p.out.Redraw()
}

// PauseAt pauses and shows the events up to a time. One undo reverts it together with the action before if more.
func (p *Player) PauseAt(time int64, more bool) {
	p.On = false
	p.ShowUntil(time, more)
}

// ShowUntil shows the events up to a time; at the end of all traces it shows everything.
func (p *Player) ShowUntil(time int64, more bool) {
	if _, to := p.clock.Span(); time >= to {
		p.actions.Apply(view.Action{Do: view.SetUntil, More: more})
		return
	}
	p.actions.Apply(view.Action{Do: view.SetUntil, Until: &time, More: more})
}
