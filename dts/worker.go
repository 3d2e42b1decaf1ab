package dts

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// A Worker represents a PE to the thread that runs on it.
type Worker struct {
	deque         // of the stacked engine
	slab     any  // *slab[A, R] of the types forked last; nil if Fork has hooks
	lastSlab any  // the slab used before slab
	hooks    hook // further work of Fork and Join
	sys      *system
	pe       int32
	slabs    []any // every *slab[A, R] of this PE
	parking

	task uint64  // id of the running thread
	cur  *thread // the running thread
	self sim.Self

	number int32 // of the PE in the trace
	clock  clock
	meter  meter
	names  [16]known
	stream *tracer.Stream // nil until the first event
	worked bool           // the trace has an Init event of this PE
	idle   bool           // the last event of this PE was Idle
	last   int64          // time of the last event
	handed int64          // time of the last HandOn; the maximum if the trace is not watched
	ids    uint64         // the ids left to give are ids+1 to idsEnd
	idsEnd uint64

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

// An engine runs threads.
type engine interface {
	run(root *thread) error
	fork(w *Worker, t *thread, hint int)
	// join returns true if the caller has to run the thread itself, and false when the thread has ended. The call of
	// Join is at pc.
	join(w *Worker, t *thread, pc uintptr) (inline bool)
	compute(w *Worker, d time.Duration)
	where(w *Worker) int
	finish(t *thread) // records that the thread has ended
	hold(w *Worker)   // runs threads on a PE
}

// recovered returns the error for a recovered panic, or nil if the panic unwinds a cancelled run.
func recovered(v any, code uintptr) *PanicError {
	err, _ := v.(error)
	if errors.Is(err, errCancelled) {
		return nil
	}
	var p *PanicError
	if errors.As(err, &p) {
		return p // raised by the join of another thread
	}
	return &PanicError{Thread: functionName(code), Value: v, Stack: debug.Stack()}
}

// place returns file:line of pc. If pc is 0 it returns the place of the function of t.
func place(pc uintptr, t *thread) string {
	if pc != 0 {
		if f, _ := runtime.CallersFrames([]uintptr{pc}).Next(); f.File != "" {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
	if f := runtime.FuncForPC(t.code); f != nil {
		file, line := f.FileLine(t.code)
		return fmt.Sprintf("%s:%d", file, line)
	}
	return functionName(t.code)
}
