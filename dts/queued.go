package dts

import (
	"context"
	"sync"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// The queued engine serves all policies: threads lie in the queues of PEs or in the central queue, under one lock. A
// thread that has to wait hands its PE over to another goroutine and takes it back when the joined thread has ended.
// No thread runs on the stack of a waiting one, so threads can be joined in any order.
type queued struct {
	*system
	traits sim.Traits
	view   sim.View
	root   *thread

	joins
	pes      []queue
	middle   []entry            // the central queue
	asleep   int                // number of sleeping PEs
	alive    int                // number of threads that have not ended
	progress uint64             // number of threads that became ready to run
	calls    map[*Call]struct{} // calls that other hosts have
	open     bool               // the run of a Host, which may receive threads at any time
	stopping bool
	over     bool
}

// A queue is the queue of a PE. The engine's lock guards it.
type queue struct {
	entries []entry
	wake    sync.Cond
	asleep  bool
	later   bool // it sleeps until a PE offers work
}

// An entry is a thread that has not started, or a waiter that can go on.
type entry struct {
	t      *thread
	waiter *waiter
	late   bool // the run ends before it started
}

func newQueued(s *system) *queued {
	e := &queued{system: s, traits: s.policy.Traits(), pes: make([]queue, s.PEs), joins: newJoins(), calls: map[*Call]struct{}{}}
	e.view = queuedView{s.net, e}
	s.makeWorkers()
	for i := range s.workers {
		s.workers[i].hooks = hookQueued
		e.pes[i].wake.L = &e.mu
	}
	return e
}

func (e *queued) run(root *thread) error {
	if e.root = root; root != nil { // nil for a Host
		e.alive = 1
		if e.Remote != nil {
			root.far = &far{path: rootID}
		}
		e.pes[0].entries = []entry{{t: root}}
	}
	for i := range e.workers {
		e.holders.Go(func() { e.hold(&e.workers[i]) })
	}
	stop := context.AfterFunc(e.ctx, e.stop)
	e.holders.Wait()
	stop()
	e.count()
	return e.err
}

// stop ends all threads.
func (e *queued) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cut()
}

func (e *queued) cut() {
	e.stopping = true
	for _, x := range e.middle {
		e.drop(x.t)
	}
	e.middle = nil
	for c := range e.calls {
		if !c.over.Swap(true) {
			delete(e.calls, c)
			e.drop(c.t)
		}
	}
	for w := range e.waiters {
		e.rouse(w)
	}
	for i := range e.pes {
		e.pes[i].wake.Signal()
	}
}

// hold runs a PE on its own goroutine until it hands the PE over or the run ends.
func (e *queued) hold(w *Worker) {
	for {
		e.Control.pass(w, false)
		x, ok := e.next(w)
		switch {
		case !ok:
			e.Control.release() // else the Control would wait for this PE
			return
		case x.waiter != nil:
			close(x.waiter.ready)
			return
		}
		if x.late {
			x.t.cut()
			e.finish(x.t)
			continue
		}
		e.execute(w, x.t)
	}
}

// finish records that a thread has ended and wakes its waiter.
func (e *queued) finish(t *thread) {
	if t.far != nil && t.far.over != nil {
		t.far.over()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.drop(t)
}

func (e *queued) finished() {
	e.over = true
	for i := range e.pes {
		e.pes[i].wake.Signal()
	}
}

// rouse moves a waiter to the queue of its PE, once.
func (e *queued) rouse(w *waiter) {
	if _, ok := e.waiters[w]; ok {
		delete(e.waiters, w)
		e.put(int(w.w.pe), entry{waiter: w})
	}
}

// put adds an entry to the queue of a PE.
func (e *queued) put(pe int, x entry) {
	e.progress++
	q := &e.pes[pe]
	q.entries = append(q.entries, x)
	if q.asleep {
		q.wake.Signal()
	} else {
		e.offer()
	}
}

// offer wakes a PE that sleeps until there is work.
func (e *queued) offer() {
	for i := range e.pes {
		if q := &e.pes[i]; q.later {
			q.later = false
			q.wake.Signal()
			return
		}
	}
}

// sleep returns when there may be work.
func (e *queued) sleep(w *Worker, q *queue) {
	e.asleep++
	q.asleep = true
	w.log.Rest()
	if e.asleep == len(e.pes) && len(e.calls) == 0 && !e.open && e.quiet() {
		e.deadlock()
	}
	if len(q.entries) == 0 && !e.over {
		e.Control.asleep()
		q.wake.Wait()
		if e.Control != nil {
			e.mu.Unlock()
			e.Control.awake(w)
			e.mu.Lock()
		}
	}
	q.asleep, q.later = false, false
	e.asleep--
	w.self.Tries = 0
}

// quiet reports whether all queues are empty.
func (e *queued) quiet() bool {
	for i := range e.pes {
		if len(e.pes[i].entries) > 0 {
			return false
		}
	}
	return len(e.middle) == 0
}

// deadlock ends a run whose threads wait for each other.
func (e *queued) deadlock() {
	if e.stopping || e.over {
		return
	}
	e.err = e.deadlocked(e.waiters)
	e.cancel(e.err)
	e.cut()
}

func (e *queued) fork(w *Worker, t *thread, hint int) {
	e.admit(w)
	w.identify(t)
	if !e.enlist(t) {
		w.forked(t, tracer.None) // it is counted, so the trace has it
		panic(errCancelled)
	}
	away := t.far != nil && t.far.name != ""
	if away {
		w.forked(t, tracer.None)
		if e.takeAway(t) {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopping {
		if !away {
			w.forked(t, tracer.None)
		}
		e.drop(t)
		panic(errCancelled)
	}
	to := hint % e.PEs
	if hint < 0 || !e.traits.Stays {
		to = e.policy.Place(e.view, &w.self, hint)
	}
	if !away {
		at := tracer.None // the central queue
		if to != sim.Central {
			at = e.workers[to].log.PE
		}
		w.forked(t, at)
	}
	if to == sim.Central {
		e.middle = append(e.middle, entry{t: t})
		e.offer()
		return
	}
	e.put(to, entry{t: t})
}

// enlist counts a new thread. It returns false while the run is stopping.
func (e *queued) enlist(t *thread) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopping {
		return false
	}
	e.alive++
	return true
}

func (e *queued) join(w *Worker, t *thread, pc uintptr) joining {
	if e.Control != nil {
		e.Control.step(w)
	}
	e.mu.Lock()
	if e.stopping {
		e.mu.Unlock()
		panic(errCancelled)
	}
	if t.ended() {
		e.mu.Unlock()
		w.log.Joined(t.id, t.endPE(), pc)
		return ended
	}
	if e.traits.LIFO && !t.taken && e.claim(w, t) {
		e.alive-- // never to 0, because the joiner is alive
		e.mu.Unlock()
		return unstarted
	}
	me := &waiter{w: w, cur: w.cur, task: w.log.Task, on: t, pc: pc, ready: make(chan struct{})}
	t.waiter.Store(me)
	e.waiters[me] = struct{}{}
	e.blocked.Add(1)
	e.mu.Unlock()
	cur, task := w.cur, w.log.Task
	w.log.JoinBegin(t.id, t.endPE(), pc)
	e.holders.Go(func() { e.hold(w) })
	<-me.ready
	w.cur, w.log.Task = cur, task
	w.log.JoinEnd(t.id, t.endPE(), pc)
	e.halt()
	return ended
}

// halt unwinds the thread if the run has to end.
func (e *queued) halt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopping {
		panic(errCancelled)
	}
}

// claim removes a thread from the queue of its PE.
func (e *queued) claim(w *Worker, t *thread) bool {
	q := &e.pes[w.pe]
	for i := len(q.entries) - 1; i >= 0; i-- {
		if q.entries[i].t == t {
			copy(q.entries[i:], q.entries[i+1:])
			q.entries[len(q.entries)-1] = entry{}
			q.entries = q.entries[:len(q.entries)-1]
			t.taken = true
			return true
		}
	}
	return false
}

func (e *queued) compute(_ *Worker, d time.Duration) {
	if e.ctx.Err() != nil {
		e.halt()
	}
	e.spin(d)
}

// spin keeps the PE busy for d if Options.Spin is set.
func (s *system) spin(d time.Duration) {
	if s.Spin {
		for begin := time.Now(); time.Since(begin) < d && s.ctx.Err() == nil; {
		}
	}
}

func (e *queued) where(w *Worker) int { return int(w.pe) }

func (e *queued) offered(after int) int {
	for k := 1; k <= len(e.pes); k++ {
		i := (after + k) % len(e.pes)
		for _, x := range e.pes[i].entries {
			if x.t != nil {
				return i
			}
		}
	}
	return -1
}

// A queuedView is the policy's view of the run. The caller holds the lock.
type queuedView struct {
	sim.Network
	e *queued
}

func (v queuedView) Load(pe int) int {
	if pe == sim.Central {
		return len(v.e.middle)
	}
	return len(v.e.pes[pe].entries)
}

func (v queuedView) Offered(after int) int { return v.e.offered(after) }
