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

// The stacked engine serves policies that keep new threads on the forking PE. Each PE has a deque, newest thread
// first, and runs threads that were not stolen on the stack of the thread that joins them. A thread that joins a
// stolen thread soon hands its PE over to another goroutine and sleeps. First it tries to steal the thread back, or what
// the thief has forked (D. Wagner, B. Calder, "Leapfrogging: A Portable Technique for Implementing Efficient Futures", 1993).
// Unlike in the paper, other stolen threads never run on the stack of a waiting thread, because any thread may join a
// handle.
type stacked struct {
	*system
	canSteal bool  // idle PEs steal
	seekers  int32 // maximum number of PEs that seek work at a time
	root     *thread
	view     sim.View

	sleepers  atomic.Int32 // PEs that sleep
	searching atomic.Int32 // PEs that seek work
	stopping  atomic.Bool

	joins
	over bool
}

// joins holds the threads that wait in joins on a live engine. The lock guards the other fields of the engine too.
type joins struct {
	mu      sync.Mutex
	waiters map[*waiter]struct{}
	err     error
}

func newJoins() joins { return joins{waiters: map[*waiter]struct{}{}} }

// A waiter is a thread that waits in a join while its PE does other work.
type waiter struct {
	w     *Worker
	cur   *thread // the thread that the PE began
	task  uint64  // id of the waiting thread, which may run on the stack of cur; 0 if unknown
	on    *thread
	pc    uintptr // program counter of the join
	ready chan struct{}
}

// hasEnded is stored as the waiter of a thread that has ended.
var hasEnded waiter

// ended reports whether the thread has ended.
func (t *thread) ended() bool { return t.waiter.Load() == &hasEnded }

// A parking holds what a PE needs to sleep. The engine's lock guards all fields but called.
type parking struct {
	asleep bool
	wake   chan struct{} // has a token when the PE has to wake
	inbox  []entry       // work from other PEs
	called atomic.Bool   // inbox is not empty
	loot   []*thread
}

func newStacked(s *system) *stacked {
	e := &stacked{system: s, joins: newJoins(), seekers: int32(runtime.GOMAXPROCS(0))}
	s.stacked = e
	e.view = stackedView{s.net, e}
	s.makeWorkers()
	for i := range s.workers {
		w := &s.workers[i]
		w.wake = make(chan struct{}, 1)
		w.deque.Init(w.leave, w.move)
		if s.book != nil {
			w.hooks |= hookRecords
		}
		if s.Limits.Threads > 0 || s.Control != nil {
			w.hooks |= hookCounts
		}
	}
	self := sim.Self{Rand: sim.NewRand(s.Seed, 0)}
	e.canSteal = s.PEs > 1 && s.policy.Idle(e.view, &self).From != sim.Nobody
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

// stop ends all threads.
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
		e.workers[i].deque.Request()
		e.rouse(&e.workers[i])
	}
}

// hold runs a PE on its own goroutine until it hands the PE over or the run ends.
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
		t := w.deque.Newest()
		if t == nil && e.canSteal {
			t = e.seek(w)
		}
		if t != nil {
			e.begin(w, t)
		} else if !w.called.Load() && !e.sleep(w) {
			e.Control.release() // else the Control would wait for this PE
			return
		}
	}
}

// begin runs a thread, or ends it unstarted if the run has to end.
func (e *stacked) begin(w *Worker, t *thread) {
	if e.stopping.Load() && t != e.root {
		e.finish(t)
		return
	}
	t.thief.Store(w)
	if t != e.root { // Func.Run knows the main thread's function by another name
		t.code = t.body.function()
	}
	e.execute(w, t)
}

// receive removes the first entry from the inbox.
func (e *stacked) receive(w *Worker) entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := w.inbox[0]
	w.inbox = w.inbox[1:]
	w.called.Store(len(w.inbox) > 0)
	return x
}

// deliver adds an entry to the inbox of a PE.
func (e *stacked) deliver(w *Worker, x entry) {
	w.inbox = append(w.inbox, x)
	w.called.Store(true)
	e.rouse(w)
}

// finish records that a thread has ended. The thread that joins it may reuse its memory at once.
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

// added handles a request after a fork.
//
//go:noinline
func (e *stacked) added(w *Worker) { e.attend(w, true) }

func (e *stacked) attend(w *Worker, added bool) {
	w.deque.Share(added)
	if e.stopping.Load() {
		w.deque.Request()
		panic(errCancelled)
	}
	if e.sleepers.Load() > 0 && e.searching.Load() == 0 && e.canSteal {
		e.wakeOne()
	}
}

// sleep returns true when there may be work, false when the run is over.
func (e *stacked) sleep(w *Worker) bool {
	w.log.Rest()
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
	// From here on, a PE that forks sees a sleeper, or ask sees its fork.
	if e.canSteal && !e.stopping.Load() && e.ask(w) {
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

// ask requests work from all other PEs. It reports whether some work is already public.
func (e *stacked) ask(w *Worker) bool {
	there := false
	for i := range e.workers {
		if v := &e.workers[i]; v != w && v.deque.Ask() {
			there = true
		}
	}
	return there
}

// quiet runs when all PEs sleep. The run is done, or the remaining threads are deadlocked.
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

// fork adds a thread to the deque, or to the inbox of the PE that ForkOn asked for.
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
		t.name = w.log.Name(t.code)
		w.log.Note(tracer.Fork, t.id, t.parent, to.log.PE, t.name, int64(t.bytes))
	}
	if hint < 0 {
		w.deque.Add(t)
		if w.deque.Requested() {
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

func (e *stacked) join(w *Worker, t *thread, pc uintptr) joining {
	if w.hooks&hookCounts != 0 && e.Control != nil {
		e.Control.step(w)
	}
	if w.deque.Requested() {
		e.attend(w, false)
	}
	if t.owner == w && w.deque.Reclaim(t.index, t) {
		return unstarted
	}
	if pc == 0 {
		pc = callPC()
	}
	how := ended
	if t.ended() {
		if e.stopping.Load() { // the thread may have been cut short
			panic(errCancelled)
		}
		w.log.Joined(t.id, t.endPE(), pc)
	} else if first := e.leap(w, t); first != t {
		e.await(w, t, first, pc)
	} else {
		how = returned
	}
	if t.owner == w {
		w.deque.Forget(t.index, t)
		w.deque.Settle()
		if how == returned {
			w.leave(t.index, t)
		}
	}
	return how
}

// await returns when the thread has ended. If the PE has stolen another thread meanwhile, first, it runs that one.
func (e *stacked) await(w *Worker, t, first *thread, pc uintptr) {
	cur, task := w.cur, w.log.Task
	w.log.JoinBegin(t.id, t.endPE(), pc)
	e.blocked.Add(1)
	for try := 0; first != nil || !t.ended(); try++ {
		if e.stopping.Load() {
			panic(errCancelled)
		}
		if first == nil && try <= waitTries && t.thief.Load() != w && !w.called.Load() {
			pause(try)
			first = e.leap(w, t)
			continue
		}
		e.handOver(w, t, first, pc)
		break
	}
	w.cur, w.log.Task = cur, task
	w.log.JoinEnd(t.id, t.endPE(), pc)
	if e.stopping.Load() {
		panic(errCancelled)
	}
}

// handOver passes the PE to another goroutine until t has ended. That goroutine first runs the stolen thread, if
// there is one. On the stack of the waiting thread it would delay that thread, and it might itself wait for a thread
// lower on the stack.
func (e *stacked) handOver(w *Worker, t, first *thread, pc uintptr) {
	me := &waiter{w: w, cur: w.cur, task: w.log.Task, on: t, pc: pc, ready: make(chan struct{})}
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
