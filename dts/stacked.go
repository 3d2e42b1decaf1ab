package dts

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// The stacked engine serves the policies under which new threads stay where they are. Each PE has them in a deque, newest first, and runs
// those that nobody has stolen on the stack of whoever joins them. A thread that joins a stolen one soon hands its PE over to another goroutine and
// sleeps, which first helps the thief, by stealing back what that has forked (D. Wagner, B. Calder, "Leapfrogging: A Portable Technique for
// Implementing Efficient Futures", 1993). Not on the stack of who waits, as they do it: handles are joined by other threads here.
type stacked struct {
	*system
	robs    bool  // PEs without work ask others
	seekers int32 // so many of them at a time
	root    *thread

	sleepers  atomic.Int32 // PEs that sleep
	searching atomic.Int32 // PEs that look for work
	stopping  atomic.Bool

	mu      sync.Mutex
	over    bool
	err     error
	waiters map[*waiter]struct{}
}

// A waiter is a thread that waits for another one to end, while its PE does something else.
type waiter struct {
	w     *Worker
	cur   *thread // that the PE began
	task  uint64  // the id of the one that waits, which may be another on the same stack; 0 where that is not known
	on    *thread
	pc    uintptr // of the join
	ready chan struct{}
}

// hasEnded stands for the waiter of a thread that has ended.
var hasEnded waiter

// ended says whether the thread has ended.
func (t *thread) ended() bool { return t.waiter.Load() == &hasEnded }

// A bed is where a PE sleeps. Its fields but called are guarded by the engine's lock.
type bed struct {
	asleep bool
	wake   chan struct{} // holds a token when it is to wake
	inbox  []entry       // what others have for it
	called atomic.Bool   // inbox is not empty
	loot   []*thread
}

func newStacked(s *system) *stacked {
	e := &stacked{system: s, waiters: map[*waiter]struct{}{}, seekers: int32(max(1, runtime.GOMAXPROCS(0)/2))}
	s.stacked = e
	s.workers = make([]Worker, s.PEs)
	for i := range s.workers {
		w := &s.workers[i]
		w.sys, w.pe = s, int32(i)
		w.self.PE, w.self.Rand = int32(i), sim.NewRand(s.Seed, uint64(i))
		w.wake = make(chan struct{}, 1)
		w.deque.init(w.leave)
		w.own(s.book)
		if s.book != nil {
			w.hooks |= hookRecords
		}
		if s.Limits.Threads > 0 || s.Control != nil {
			w.hooks |= hookCounts
		}
	}
	self := sim.Self{Rand: sim.NewRand(s.Seed, 0)}
	e.robs = s.PEs > 1 && s.policy.Idle(e, &self).From != sim.Nobody
	return e
}

func (e *stacked) run(root *thread) error {
	e.root = root
	e.workers[0].inbox = []entry{{t: root}}
	e.workers[0].called.Store(true)
	for i := range e.workers {
		e.holders.Go(func() { e.hold(&e.workers[i]) })
	}
	stop := context.AfterFunc(e.ctx, e.stop)
	e.holders.Wait()
	stop()
	if e.err == nil && !e.stopping.Load() && root.failed == nil {
		e.count()
	}
	return e.err
}

// stop has all threads end.
func (e *stacked) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cut()
}

func (e *stacked) cut() {
	e.stopping.Store(true)
	for w := range e.waiters {
		e.deliver(w.w, entry{waiter: w})
	}
	clear(e.waiters)
	for i := range e.workers {
		e.workers[i].request.Store(1)
		e.rouse(&e.workers[i])
	}
}

// hold is a goroutine that carries out what a PE has to do, until it has handed the PE over or the run is over.
func (e *stacked) hold(w *Worker) {
	for {
		e.Control.pass(w, false)
		if w.called.Load() {
			x := e.receive(w)
			if x.waiter != nil {
				close(x.waiter.ready)
				return
			}
			e.begin(w, x.t)
			continue
		}
		t := w.newest()
		if t == nil && e.robs {
			t = e.seek(w)
		}
		if t != nil {
			e.begin(w, t)
		} else if !w.called.Load() && !e.sleep(w) {
			e.Control.release() // or it would wait for this PE to stand still
			return
		}
	}
}

// begin carries out a thread, or ends it where the run is to end.
func (e *stacked) begin(w *Worker, t *thread) {
	if e.stopping.Load() && t != e.root {
		e.finish(t)
		return
	}
	t.thief.Store(w)
	if t != e.root { // whose function is known under another name
		t.code = t.body.function()
	}
	e.execute(w, t)
}

// receive takes something out of the inbox.
func (e *stacked) receive(w *Worker) entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := w.inbox[0]
	w.inbox = w.inbox[1:]
	w.called.Store(len(w.inbox) > 0)
	return x
}

// deliver puts something into the inbox of a PE.
func (e *stacked) deliver(w *Worker, x entry) {
	w.inbox = append(w.inbox, x)
	w.called.Store(true)
	e.rouse(w)
}

// rouse wakes a PE that sleeps.
func (e *stacked) rouse(w *Worker) bool {
	if !w.asleep {
		return false
	}
	w.asleep = false
	e.sleepers.Add(-1)
	w.wake <- struct{}{}
	return true
}

// finish notes that a thread has ended. Whoever joins it may have its memory at once.
func (e *stacked) finish(t *thread) {
	if w := t.waiter.Swap(&hasEnded); w != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		if _, ok := e.waiters[w]; ok {
			delete(e.waiters, w)
			e.deliver(w.w, entry{waiter: w})
		}
	}
}

// added is called when a thread has been added to a deque and somebody wants something of its owner.
//
//go:noinline
func (e *stacked) added(w *Worker) { e.attend(w, true) }

func (e *stacked) attend(w *Worker, added bool) {
	w.share(added)
	if e.stopping.Load() {
		w.request.Store(1)
		panic(errCancelled)
	}
	if e.sleepers.Load() > 0 && e.searching.Load() == 0 && e.robs {
		e.wakeOne()
	}
}

// sleep returns when there may be something to do, false when the run is over.
func (e *stacked) sleep(w *Worker) bool {
	w.rest()
	e.mu.Lock()
	if e.over {
		e.mu.Unlock()
		return false
	}
	if w.called.Load() {
		e.mu.Unlock()
		return true
	}
	w.asleep = true
	asleep := e.sleepers.Add(1)
	// Whoever forks from now on either sees that somebody sleeps or is seen to have something.
	if e.robs && !e.stopping.Load() && e.ask(w) {
		w.asleep = false
		e.sleepers.Add(-1)
		e.mu.Unlock()
		return true
	}
	if int(asleep) == len(e.workers) {
		e.quiet()
	}
	e.mu.Unlock()
	e.Control.asleep()
	<-w.wake
	e.Control.awake(w)
	return true
}

// ask asks all others for work, and says whether there is some already.
func (e *stacked) ask(w *Worker) bool {
	there := false
	for i := range e.workers {
		if v := &e.workers[i]; v != w && !v.nothing.Load() {
			bounds := v.bounds.Load()
			if uint32(bounds>>32) < uint32(bounds) {
				there = true
			} else if v.request.Load() == 0 {
				v.request.Store(1)
			}
		}
	}
	return there
}

// quiet ends the run, when all PEs sleep: all is done, or what is left waits for each other.
func (e *stacked) quiet() {
	if len(e.waiters) > 0 {
		e.err = e.deadlocked(e.waiters)
		e.cancel(e.err)
		e.cut()
		return
	}
	e.over = true
	for i := range e.workers {
		e.rouse(&e.workers[i])
	}
}

// fork puts a thread where the program wants it, or into the deque.
func (e *stacked) fork(w *Worker, t *thread, hint int) {
	if w.hooks&hookCounts != 0 {
		e.admit(w)
	}
	to := w
	if hint >= 0 {
		to = &e.workers[hint%len(e.workers)]
	}
	if w.hooks&hookRecords != 0 {
		w.identify(t)
		t.name = w.name(t.code)
		w.note(tracer.Fork, t.id, t.parent, to.number, t.name, int64(t.bytes))
	}
	if hint < 0 {
		w.keep(t)
		if w.request.Load() != 0 {
			e.attend(w, true)
		}
		return
	}
	if e.stopping.Load() {
		panic(errCancelled)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.deliver(to, entry{t: t})
}

func (e *stacked) join(w *Worker, t *thread, pc uintptr) (inline bool) {
	if w.hooks&hookCounts != 0 && e.Control != nil {
		e.Control.step(w)
	}
	if w.request.Load() != 0 {
		e.attend(w, false)
	}
	if t.owner == w && w.reclaim(t) {
		return true
	}
	if pc == 0 {
		pc = callPC()
	}
	if t.ended() {
		if e.stopping.Load() { // perhaps in the middle
			panic(errCancelled)
		}
		w.joined(t, pc)
	} else {
		e.await(w, t, pc)
	}
	if t.owner == w {
		w.forget(t)
		w.settle()
	}
	return false
}

// await returns when the thread has ended.
func (e *stacked) await(w *Worker, t *thread, pc uintptr) {
	cur, task := w.cur, w.task
	w.joinBegin(t, pc)
	e.blocked.Add(1)
	for try := 0; !t.ended(); try++ {
		if e.stopping.Load() {
			panic(errCancelled)
		}
		thief := t.thief.Load()
		if try > waitTries || thief == w || w.called.Load() {
			e.handOver(w, t, nil, pc)
			break
		}
		if thief != nil && e.robs {
			if s := e.rob(w, thief, false); s != nil {
				e.handOver(w, t, s, pc)
				break
			}
		}
		pause(try)
	}
	w.cur, w.task = cur, task
	w.joinEnd(t, pc)
	if e.stopping.Load() {
		panic(errCancelled)
	}
}

// handOver leaves the PE to another goroutine until the thread has ended. That one carries out first what was stolen, where there is something:
// on the stack of who waits it would be in the way, and might itself wait for who lies below.
func (e *stacked) handOver(w *Worker, t, first *thread, pc uintptr) {
	me := &waiter{w: w, cur: w.cur, task: w.task, on: t, pc: pc, ready: make(chan struct{})}
	e.mu.Lock()
	e.waiters[me] = struct{}{}
	if !t.waiter.CompareAndSwap(nil, me) {
		delete(e.waiters, me)
		e.mu.Unlock()
		if first != nil {
			w.put(first)
		}
		return // it has ended meanwhile
	}
	if e.stopping.Load() {
		delete(e.waiters, me)
		e.mu.Unlock()
		panic(errCancelled)
	}
	e.mu.Unlock()
	e.holders.Go(func() {
		if first != nil {
			e.begin(w, first)
		}
		e.hold(w)
	})
	<-me.ready
}

func (e *stacked) compute(w *Worker, d time.Duration) {
	if e.stopping.Load() {
		panic(errCancelled)
	}
	e.spin(d)
}

func (e *stacked) where(w *Worker) int { return int(w.pe) }
