package dts

import (
	"context"
	"time"

	"whorl/dts/deque"
	"whorl/dts/journal"
	"whorl/sim"
)

// A Worker represents a PE to the thread that runs on it.
type Worker struct {
	deque    deque.Deque[thread] // of the stacked engine
	slab     any                 // *slab[A, R] of the types forked last; nil if Fork has hooks
	lastSlab any                 // the slab used before slab
	hooks    hook                // further work of Fork and Join
	sys      *system
	pe       int32
	slabs    []any // every *slab[A, R] of this PE
	parking

	cur  *thread // the running thread
	self sim.Self

	log journal.Writer

	steps    int64         // forks and joins not yet added to Control.steps
	shifted  time.Duration // paused time by which clock is shifted
	haltedAt uintptr       // program counter in the running thread while the run is paused, else 0
	_        [64]byte      // keeps the head of the next Worker, which changes often, off this cache line
}

// A hook is further work of Fork and Join.
type hook uint8

const (
	hookRecords hook = 1 << iota // stacked engine: record events
	hookCounts                   // stacked engine: count for a limit or a Control
	hookQueued                   // another engine
)

// Context returns the context of the run. It is cancelled when the run has to end.
func (w *Worker) Context() context.Context { return w.sys.ctx }

// PEs returns the number of PEs.
func (w *Worker) PEs() int { return w.sys.PEs }

// PE returns the number of this PE, from 0. A thread stays on the PE where it started. PE ends a simulated run with a
// *RefusedError: the program is recorded before the machine places its threads, so it must not depend on the PE.
func (w *Worker) PE() int { return w.sys.engine.where(w) }

// Compute declares a computation of duration d. A simulated run spends d of virtual time before it goes on. A live
// run returns at once, or after d with Options.Spin. A cancelled run ends at Compute.
func (w *Worker) Compute(d time.Duration) {
	if d < 0 {
		panic("dts: Compute with a negative duration")
	}
	if inBrowser {
		w.sys.breathe()
	}
	w.sys.Control.pass(w, true)
	w.sys.engine.compute(w, d)
}

// A joining is the state of a joined thread. The caller of engine.join runs a thread that has not started.
type joining uint8

const (
	ended     joining = iota
	unstarted         // in its owner's deque or queue, or in no queue
	returned          // stolen, and stolen back before it started: nothing else refers to its memory
)

// An engine runs threads.
type engine interface {
	run(root *thread) error
	fork(w *Worker, t *thread, hint int)
	join(w *Worker, t *thread, pc uintptr) joining // for a call of Join at pc
	compute(w *Worker, d time.Duration)
	where(w *Worker) int
	finish(t *thread) // records that the thread has ended
	hold(w *Worker)   // runs threads on a PE
}
