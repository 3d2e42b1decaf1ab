package panes

import (
	"time"

	"whorl/visual/view"
)

// When a parameter of a pane changes, its picture moves into the next one if the picture can (view.Mover), so that the eye can follow.
// Clicks hit the next picture from the beginning. A trace that grows does not move: it would never rest.

const (
	motionTime  = 240 * time.Millisecond
	motionEvery = 16 * time.Millisecond
)

// A motion leads from one picture of a pane to the next.
type motion struct {
	revision uint64       // of the next picture
	from, to view.Picture // from is nil at rest
	now      view.Picture // the picture that is drawn
	since    time.Duration
}

// Drawn returns the picture that a pane draws now.
func (p *Pane) Drawn(now time.Duration) view.Picture {
	to, ok := p.result.Value.(view.Mover)
	if !ok {
		return p.result.Value
	}
	m := &p.motion
	if m.revision != p.result.Revision {
		from := m.now
		if p.grows || p.shows != p.Trace {
			from = nil
		}
		*m = motion{revision: p.result.Revision, from: from, to: p.result.Value, since: now}
	}
	m.now = nil
	if t := float64(now-m.since) / float64(motionTime); m.from != nil && t < 1 {
		m.now = to.Between(m.from, t*t*(3-2*t))
	}
	if m.now == nil { // it has arrived, or there is no way
		m.now, m.from = m.to, nil
	}
	return m.now
}

// Moving returns a number that differs between the frames of a motion; 0 at rest.
func (p *Pane) Moving(now time.Duration) time.Duration {
	if p.motion.from == nil {
		return 0
	}
	return max(now, 1)
}
