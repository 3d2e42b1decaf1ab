package app

import (
	"time"

	"whorl/visual/view"
)

// Where a parameter of a pane changes, its picture moves into the next one, if the view knows how (view.Mover), so that the eye can follow. What
// is hit is the next picture from the beginning. A trace that grows does not move: it would never rest.

const (
	motionTime  = 240 * time.Millisecond
	motionEvery = 16 * time.Millisecond
)

// A motion is from one picture of a pane to the next.
type motion struct {
	revision uint64       // of the next one
	from, to view.Picture // from is nil at rest
	now      view.Picture // what is drawn
	since    time.Duration
}

// drawn returns the picture of a pane that is drawn now.
func (a *App) drawn(p *pane) view.Picture {
	to, ok := p.result.Value.(view.Mover)
	if !ok {
		return p.result.Value
	}
	m := &p.motion
	if m.revision != p.result.Revision {
		from := m.now
		if p.grows || p.shows != p.trace {
			from = nil
		}
		*m = motion{revision: p.result.Revision, from: from, to: p.result.Value, since: a.now}
	}
	m.now = nil
	if t := float64(a.now-m.since) / float64(motionTime); m.from != nil && t < 1 {
		m.now = to.Between(m.from, t*t*(3-2*t))
	}
	if m.now == nil { // it has arrived, or there is no way
		m.now, m.from = m.to, nil
	}
	return m.now
}

// moving tells frames of a motion apart; 0 at rest.
func (p *pane) moving(now time.Duration) time.Duration {
	if p.motion.from == nil {
		return 0
	}
	return max(now, 1)
}
