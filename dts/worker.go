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

// A Worker is a PE as the thread that runs on it sees it.
type Worker struct {
	deque         // of the stacked engine
	slab     any  // *slab[A, R] of the types that were forked last, nil where Fork has more to do
	lastSlab any  // and of those before
	hooks    hook // what Fork and Join have to do beside; 0 for nothing
	sys      *system
	pe       int32
	slabs    []any // all of them
	bed

	task uint64  // the id of the running thread
	cur  *thread // the running thread
	self sim.Self

	number int32 // of the PE, in the trace
	clock  clock
	meter  meter
	names  [16]known
	stream *tracer.Stream // nil: it has recorded nothing
	worked bool           // the trace knows of it
	idle   bool           // as the trace knows it
	last   int64          // the time of its last event
	handed int64          // when events were last handed on, for those who look on; the end of time where nobody does
	ids    uint64         // the next id
	idsEnd uint64

	steps   int64         // forks and joins that Options.Control has not been told of
	shifted time.Duration // how long the run has stood still, as far as the clock knows
	at      uintptr       // where it stands still in a thread
	_       [64]byte      // the next PE's begins behind it, whose head changes all the time
}

// A hook is something that Fork and Join have to do beside forking and joining.
type hook uint8

const (
	hookRecords hook = 1 << iota // of the stacked engine
	hookCounts                   // for a limit, or for a Control
	hookQueued                   // it is another engine
)

// Context is that of the run: cancelled when the run is to end.
func (w *Worker) Context() context.Context { return w.sys.ctx }

// PEs is the number of PEs.
func (w *Worker) PEs() int { return w.sys.PEs }

// PE is the number of this PE, from 0. A thread stays on the PE where it started. In a simulated run nothing may depend on it, because the
// program is recorded before the machine decides: there it ends the run.
func (w *Worker) PE() int { return w.sys.engine.where(w) }

// Compute declares that the thread computes for so long: in simulated time that is spent here, before what follows. Live it takes no time,
// or, with Options.Spin, as long as it says. It is also a place where a cancelled run ends.
func (w *Worker) Compute(d time.Duration) {
	if d < 0 {
		panic("dts: Compute of a negative time")
	}
	if inBrowser {
		w.sys.breathe()
	}
	w.sys.Control.pass(w, true)
	w.sys.engine.compute(w, d)
}

// An engine carries threads out.
type engine interface {
	run(root *thread) error
	fork(w *Worker, t *thread, hint int)
	// join returns true where the caller is to carry the thread out, and else when it has ended. It was called at pc.
	join(w *Worker, t *thread, pc uintptr) (inline bool)
	compute(w *Worker, d time.Duration)
	where(w *Worker) int
	finish(t *thread) // it has been carried out
	hold(w *Worker)   // carries out what a PE has to do
}

// recovered makes the error of a panic, nil where it is that of a cancelled run.
func recovered(v any, code uintptr) *PanicError {
	err, _ := v.(error)
	if errors.Is(err, errCancelled) {
		return nil
	}
	var p *PanicError
	if errors.As(err, &p) {
		return p // it comes from a thread that was joined
	}
	return &PanicError{Thread: functionName(code), Value: v, Stack: debug.Stack()}
}

// place is the line of a pc, or that where the function of the thread begins.
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
