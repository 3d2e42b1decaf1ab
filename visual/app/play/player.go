// Package play moves the time that the pictures show, and makes their sounds.
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
	clock    *clock.Clock
	actions  *panes.Actions
	window   *panes.Window
	out      *outbox.Outbox
	On       bool          // the time moves by itself
	Together bool          // it plays in other windows too, which do not wait for a window that sleeps
	last     time.Duration // when it moved last
	from     int64         // the time of the traces, in ns, from which it plays
	since    time.Duration // the time of the window at which it began to play from there
	speed    int           // of the clock since then
	shown    int64         // the time that was shown last
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
		} else {
			from = *u
		}
		p.PlayFrom(from, p.window.Now)
	}
	p.out.Redraw()
}

// PlayFrom plays as if it had begun at a time of the traces, in ns, at a time of the window, which may be past or to come.
func (p *Player) PlayFrom(until int64, since time.Duration) {
	p.On, p.last = true, p.window.Now
	p.from, p.since, p.speed, p.shown = until, since, p.clock.State.Shared.Speed, until
}

// From returns the time of the traces, in ns, from which it plays, and the time of the window at which that began; false while it pauses.
func (p *Player) From() (until int64, since time.Duration, on bool) { return p.from, p.since, p.On }

// advance moves the time to where it belongs now, counted from where it began to play, so that windows that play together stay together however
// long their steps take. A new speed, and a time that something else has set, begin anew.
func (p *Player) advance() (after, until int64, over bool) {
	now, _ := p.clock.Played()
	if u := p.clock.State.Shared.Until; u != nil {
		now = *u
	}
	if late := p.window.Now - p.last - time.Second; late > 0 && !p.Together { // the window slept
		p.since += late
	}
	if p.speed != p.clock.State.Shared.Speed || now != p.shown {
		p.from, p.since, p.speed = now, p.last, p.clock.State.Shared.Speed
	}
	p.last = p.window.Now
	after, until, over = p.clock.Advance(now, p.from, p.window.Now-p.since)
	p.shown = until
	return after, until, over
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
