package app

import (
	"time"

	"whorl/visual/view"
)

// playEvery is the time between two pictures of a play.
const playEvery = 33 * time.Millisecond

// A play is an animation of the pictures over time.
type play struct {
	on   bool
	last time.Duration // when it was drawn last
}

// togglePlay pauses, or plays on; from the start if the time shown is outside of the time that plays.
func (m *model) togglePlay() {
	if m.play.on = !m.play.on; m.play.on {
		m.play.last = m.now
		from, to := m.clock.Played()
		if u := m.State.Shared.Until; u == nil || *u < from || *u >= to {
			m.until(from, false)
		}
	}
	m.changed = true
}

// until shows the events up to a time; at the end of all traces it shows everything.
func (m *model) until(time int64, more bool) {
	if _, to := m.clock.Span(); time >= to {
		m.act(view.Action{Do: view.SetUntil, More: more})
		return
	}
	m.act(view.Action{Do: view.SetUntil, Until: &time, More: more})
}

// speedUp multiplies the speed by a power of 2.
func (m *model) speedUp(by int) {
	m.act(view.Action{Do: view.SetSpeed, Index: m.State.Shared.Speed + by})
}

// flag sets a switch of the state.
func (m *model) flag(do view.Do, on bool) {
	index := 0
	if on {
		index = 1
	}
	m.act(view.Action{Do: do, Index: index})
}
