package dts

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Control pauses a run and lets it go on, freely or by steps. A step is a fork or a join, of whatever thread. The zero Control has the run
// stand still before its first step. It belongs to one run, by Options.Control; its methods may be called by any goroutine.
//
// A simulated run stands still between two steps. A live one does when each PE has come to its next fork, join or Compute, or to the end of its
// thread: a thread that computes for long, or waits for a lock, holds that up. Time does not pass while the run stands still.
type Control struct {
	gate atomic.Bool // open: who comes by need not ask

	mu     sync.Mutex // of what follows
	turn   sync.Cond  // of those that wait at the gate
	still  chan struct{}
	sys    *system // nil before the run
	moving int     // PEs that may do something
	free   bool
	left   int64 // steps that may be made, where it is not free
	over   bool
	steps  int64 // without those that PEs made and have not told
	since  time.Time
	paused time.Duration
	mark   int64 // since and paused by the clock of the trace, whose rate is not quite that of the other
	missed time.Duration

	*replay // of a simulated run, once its program has been recorded
	now     time.Duration
}

// begin is called when a run begins, on so many PEs.
func (c *Control) begin(s *system, pes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sys, c.moving, c.turn.L = s, pes, &c.mu
	c.settle()
}

// end is called when the run has ended.
func (c *Control) end() {
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count()
}

// release has nobody wait any more: the run is to end.
func (c *Control) release() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resume()
	c.over = true
	c.settle()
	c.turn.Broadcast()
}

func (c *Control) halted() bool { return !c.over && !c.free && c.left == 0 }

// settle is called when something has changed: it opens or shuts the gate, and tells who waits for it that the run stands still.
func (c *Control) settle() {
	c.gate.Store(c.over || c.free)
	if !c.over && (c.sys == nil || c.moving > 0 || !c.halted()) {
		return
	}
	if !c.over && c.since.IsZero() {
		c.since = time.Now()
		if c.sys.book != nil {
			c.mark = c.sys.book.clock.now()
		}
		c.count()
	}
	if c.still != nil {
		close(c.still)
		c.still = nil
	}
}

// count adds up the steps. Nothing moves.
func (c *Control) count() {
	for i := range c.sys.workers {
		w := &c.sys.workers[i]
		c.steps += w.steps
		w.steps = 0
	}
}

// resume ends the time at which the run stood still.
func (c *Control) resume() {
	if !c.since.IsZero() {
		c.paused += time.Since(c.since)
		c.since = time.Time{}
		if c.sys.book != nil {
			c.missed += time.Duration(c.sys.book.clock.now() - c.mark)
		}
	}
}

// stood is how long the run has stood still.
func (c *Control) stood() time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.IsZero() {
		return c.paused
	}
	return c.paused + time.Since(c.since)
}

// Go lets the run go on: for n more steps, or freely where n is negative.
func (c *Control) Go(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free, c.left = n < 0, max(0, n)
	if !c.halted() {
		c.resume()
		if c.turn.L != nil {
			c.turn.Broadcast()
		}
	}
	c.settle()
}

// Halt asks the run to stand still, or to end its steps at once where it has any left.
func (c *Control) Halt() { c.Go(0) }

// Still returns a channel that is closed when the run stands still next, or has ended; at once where that is so.
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

// IsStill says whether the run stands still: it has begun and not ended, and nothing moves or is recorded until Go.
func (c *Control) IsStill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.since.IsZero()
}

// Free says whether the run goes on freely.
func (c *Control) Free() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.free
}

// Progress is how many steps have been made, and how long the run has lasted, in virtual time where it is simulated. Of a live run that goes on
// freely the steps are those until it last stood still.
func (c *Control) Progress() (steps int64, lasted time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.sys == nil:
	case c.sys.Mode == Sim:
		lasted = c.now
	default:
		end := time.Now()
		if !c.since.IsZero() {
			end = c.since
		}
		lasted = end.Sub(c.sys.began) - c.paused
	}
	return c.steps, lasted
}

// step is called by a PE before each fork and join.
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

// pass is called by a PE where it can stand still between two steps, within a thread or not.
func (c *Control) pass(w *Worker, within bool) {
	if c != nil && !c.gate.Load() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wait(w, within)
	}
}

// wait has a PE stand still as long as the run does.
func (c *Control) wait(w *Worker, within bool) {
	if !c.halted() {
		return
	}
	runs := w.meter.runs
	w.unpin()
	if within {
		w.at = callPC()
	}
	c.moving--
	c.settle()
	c.awaken(w)
	w.at = 0
	if runs {
		w.pin()
	}
}

// asleep is called by a PE before it sleeps, and awake when it has woken.
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
	w.clock.shift(c.missed - w.shifted)
	w.shifted = c.missed
}

// allowance is how many steps a simulated run may make next, at most so many; it waits while there are none.
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

// spent notes the steps of a simulated run, and what time it is.
func (c *Control) spent(r *replay, steps int64, now time.Duration) {
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
