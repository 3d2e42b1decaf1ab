package dts

import (
	"sync"
	"sync/atomic"
	"time"

	"whorl/dts/clock"
	"whorl/replay"
)

// A Control pauses and resumes a run, freely or step by step. A step is a fork or a join of any thread. The zero
// Control pauses the run before its first step. A Control belongs to one run, as Options.Control; any goroutine may
// call its methods.
//
// A simulated run pauses between two steps. A live run is paused when each PE has reached its next fork, join or
// Compute, or the end of its thread; a thread that computes for long or waits for a lock delays that. No time passes
// in the trace while the run is paused.
type Control struct {
	gate atomic.Bool // open: PEs need not take the lock

	mu     sync.Mutex    // guards the following fields
	turn   sync.Cond     // PEs waiting at the gate
	still  chan struct{} // closed when the run is paused next
	sys    *system       // nil before the run
	moving int           // number of PEs that are not asleep or waiting
	free   bool
	left   int64 // steps allowed if not free
	over   bool
	steps  int64 // without those still counted in Worker.steps
	pauses clock.Pauses

	replay *replay.Replay // of a simulated run whose program has been recorded
	now    time.Duration  // of a simulated run
}

// begin attaches the Control to a run on the given number of PEs.
func (c *Control) begin(s *system, pes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sys, c.moving, c.turn.L = s, pes, &c.mu
	c.settle()
}

// end detaches the Control from a run that has ended.
func (c *Control) end() {
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count()
}

// release lets all PEs go on because the run has to end.
func (c *Control) release() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses.End(c.sys.clock())
	c.over = true
	c.settle()
	c.turn.Broadcast()
}

func (c *Control) halted() bool { return !c.over && !c.free && c.left == 0 }

// settle opens or shuts the gate after a change. It notifies Still if the run is now paused.
func (c *Control) settle() {
	c.gate.Store(c.over || c.free)
	if !c.over && (c.sys == nil || c.moving > 0 || !c.halted()) {
		return
	}
	if !c.over && c.pauses.Begin(c.sys.clock()) {
		c.count()
	}
	if c.still != nil {
		close(c.still)
		c.still = nil
	}
}

// count adds up the steps of the PEs. All PEs stand still.
func (c *Control) count() {
	for i := range c.sys.workers {
		w := &c.sys.workers[i]
		c.steps += w.steps
		w.steps = 0
	}
}

// pausedFor returns how long the run has been paused in total.
func (c *Control) pausedFor() time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pauses.Total()
}

// Go resumes the run for n more steps, or without a bound if n is negative.
func (c *Control) Go(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free, c.left = n < 0, max(0, n)
	if !c.halted() {
		c.pauses.End(c.sys.clock())
		if c.turn.L != nil {
			c.turn.Broadcast()
		}
	}
	c.settle()
}

// Halt pauses the run. It cancels the steps that are left.
func (c *Control) Halt() { c.Go(0) }

// Still returns a channel that is closed when the run is paused next or has ended. It is closed already if that is so
// now.
func (c *Control) Still() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.still == nil {
		c.still = make(chan struct{})
	}
	still := c.still
	c.settle()
	return still
}

// IsStill reports whether the run is paused: it has begun and not ended, and nothing moves or is recorded until Go.
func (c *Control) IsStill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pauses.On()
}

// Free reports whether the run goes on without a bound.
func (c *Control) Free() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.free
}

// Progress returns the number of steps and the duration of the run, in virtual time if it is simulated. While a live
// run goes on freely, the steps are those up to its last pause.
func (c *Control) Progress() (steps int64, lasted time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.sys == nil:
	case c.sys.Mode == Sim:
		lasted = c.now
	default:
		lasted = time.Since(c.sys.began) - c.pauses.Total()
	}
	return c.steps, lasted
}

// step waits for permission for a fork or a join, and counts it.
func (c *Control) step(w *Worker) {
	if c.gate.Load() {
		w.steps++
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wait(w, true)
	c.steps++
	if c.left > 0 {
		c.left--
		c.settle()
	}
}

// pass lets a PE pause between two steps, within a thread or outside.
func (c *Control) pass(w *Worker, within bool) {
	if c != nil && !c.gate.Load() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wait(w, within)
	}
}

// wait blocks a PE while the run is paused.
func (c *Control) wait(w *Worker, within bool) {
	if !c.halted() {
		return
	}
	runs := w.log.Meter.Running()
	w.log.Meter.Unlock()
	if within {
		w.haltedAt = callPC()
	}
	c.moving--
	c.settle()
	c.awaken(w)
	w.haltedAt = 0
	if runs {
		w.log.Pin()
	}
}

// asleep is called before a PE sleeps, and awake after it woke.
func (c *Control) asleep() {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.moving--
		c.settle()
	}
}

func (c *Control) awake(w *Worker) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.awaken(w)
	}
}

func (c *Control) awaken(w *Worker) {
	for c.halted() {
		c.turn.Wait()
	}
	c.moving++
	w.log.Clock.Shift(c.pauses.Missed() - w.shifted)
	w.shifted = c.pauses.Missed()
}

// allowance returns how many steps a simulated run may make next, at most most. It waits while there are none.
func (c *Control) allowance(most uint64) uint64 {
	if c == nil {
		return most
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wait(&c.sys.workers[0], false)
	if c.left > 0 {
		return min(most, uint64(c.left))
	}
	return most
}

// spent adds the steps of a simulated run and sets its time.
func (c *Control) spent(r *replay.Replay, steps int64, now time.Duration) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replay = r
	c.steps += steps
	c.left = max(0, c.left-steps)
	c.now = now
	c.settle()
}
