package live

import (
	"runtime"
	"time"

	"whorl/sim"
)

// Idle is a safe point of a worker whose queue is empty. It asks for work as the policy says, sleeps until there is
// some, and puts it into the queue. It returns false when the crew has ended, which it does when no worker has work.
func (w *Worker) Idle(q Queue) bool {
	c := w.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	w.load.Store(0)
	w.self.Tries = 0
	if w.small++; w.checks >= manyChecks {
		w.small = 0
	}
	w.checks = 0
	for {
		w.pressed.Store(false)
		w.yield()
		w.receive(q)
		w.give(q)
		if c.ended.Load() {
			w.pressed.Store(true)
			return false
		}
		if q.Len() > 0 {
			w.load.Store(int32(q.Len()))
			c.offer()
			return true
		}
		w.sleep()
	}
}

// sleep returns when there may be work.
func (w *Worker) sleep() {
	c := w.crew
	w.roused, w.sleeping = false, true
	c.asleep.Add(1)
	c.leave()
	w.want()
	if int(c.asleep.Load()) == len(c.workers) && c.quiet() && !c.summoned() && c.awaited == 0 {
		c.end()
	}
	if !w.due() {
		w.look()
	}
	for !w.due() {
		w.wake.Wait()
	}
	if w.later {
		c.rouse(w)
	}
	c.asleep.Add(-1)
	c.running++
	w.sleeping = false
}

// due reports whether there is something to wake for.
func (w *Worker) due() bool { return len(w.inbox) > 0 || w.roused || w.crew.ended.Load() }

// patience is the time that a worker looks for work before it sleeps: about the time that waking it takes.
const patience = 20 * time.Microsecond

// look spins without the lock for a while, in case work arrives soon. At most one worker less than there are processors
// does so, and each yields to other goroutines.
func (w *Worker) look() {
	c := w.crew
	if c.looking+1 >= runtime.GOMAXPROCS(0) {
		return
	}
	c.looking++
	w.called.Store(false)
	c.mu.Unlock()
	for until := time.Now().Add(patience); !w.called.Load() && time.Now().Before(until); {
		for range 50 {
			if w.called.Load() {
				break
			}
		}
		runtime.Gosched()
	}
	c.mu.Lock()
	c.looking--
}

const (
	manyChecks = 16 // safe points that a small work does not take
	loop       = 3  // small works in a row that are a loop
)

// want asks for work as the policy says, but for a surplus only in a loop of small works. In a recursion the oldest works
// are the largest: a victim that gave away several would keep only small ones, and soon want the others back.
func (w *Worker) want() {
	c := w.crew
	for {
		a := c.policy.Idle(c, &w.self)
		if a.Share == sim.Surplus && w.small < loop {
			a.Share = sim.One
		}
		switch {
		case a.From == sim.Central && c.taken < len(c.central):
			w.inbox = append(w.inbox, c.central[c.taken])
			if c.taken++; 2*c.taken >= len(c.central) {
				c.central, c.taken = append(c.central[:0], c.central[c.taken:]...), 0
			}
			return
		case a.From == sim.Nobody:
			return
		case a.From < 0 || int(w.self.Tries) > len(c.workers):
			w.later, w.self.Tries = true, 0
			c.hungry.Add(1)
			return
		}
		w.self.Tries++
		if v := &c.workers[a.From]; !v.sleeping {
			v.asked = append(v.asked, ask{int(w.self.PE), a.Share})
			v.pressed.Store(true)
			return
		}
	}
}

// summoned sends a summoned work, if there is one.
func (c *Crew) summoned() bool {
	if c.summon == nil {
		return false
	}
	to, w, ok := c.summon()
	if ok {
		c.deliver(&c.workers[to], w)
	}
	return ok
}

// quiet reports whether no work is under way within the crew, when all workers sleep.
func (c *Crew) quiet() bool {
	for i := range c.workers {
		if len(c.workers[i].inbox) > 0 {
			return false
		}
	}
	return c.taken == len(c.central)
}
