package clock

import "time"

// Pauses sum up the time that a run was paused. The zero Pauses are ready to use.
type Pauses struct {
	since  time.Time // start of the current pause; zero if there is none
	total  time.Duration
	mark   int64 // since by the Clock of the trace
	missed time.Duration
}

// Begin begins a pause unless one goes on. It reports whether it did. The Clock of the trace, or nil, measures it too.
func (p *Pauses) Begin(c *Clock) bool {
	if !p.since.IsZero() {
		return false
	}
	p.since = time.Now()
	if c != nil {
		p.mark = c.Now()
	}
	return true
}

// End ends the pause that goes on, if any, with the Clock that was passed to Begin.
func (p *Pauses) End(c *Clock) {
	if p.since.IsZero() {
		return
	}
	p.total += time.Since(p.since)
	p.since = time.Time{}
	if c != nil {
		p.missed += time.Duration(c.Now() - p.mark)
	}
}

// On reports whether a pause goes on.
func (p *Pauses) On() bool { return !p.since.IsZero() }

// Total returns the duration of all pauses, including the one that goes on.
func (p *Pauses) Total() time.Duration {
	if p.since.IsZero() {
		return p.total
	}
	return p.total + time.Since(p.since)
}

// Missed returns the duration of all pauses that have ended, by the Clock of the trace. The rate of that Clock differs
// slightly from the rate of the monotonic clock. Shifted by Missed, a Clock shows the time without the pauses.
func (p *Pauses) Missed() time.Duration { return p.missed }
