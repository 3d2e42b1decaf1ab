package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/internal/figures"
	"whorl/internal/memory"
	"whorl/sim"
	"whorl/tracer"
)

// Progress is the progress of a run.
type Progress struct {
	Reductions int64 // commits of goals, or with Steps the steps of threads
	Virtual    int64 // ns
	Steps      bool  // Reductions counts forks and joins of threads
}

// A Result holds the outcome and the answer of a run.
type Result struct {
	Outcome tracer.Outcome
	Err     error // why the outcome is not Done, else nil
	Status  int   // the exit status that the program chose (unix:exit), else 0
	Answer  string
	Machine sim.Stats
	Wall    time.Duration
}

// sliceActions is the number of actions of a machine between two checks of limits. It takes some ms.
const sliceActions = 1 << 14

// Run executes the program on a fresh machine and records it in rec, which may be nil and stays open. It calls watch, which may be nil, every
// few ms. The error is for a run that could not begin; the Result tells whether the run failed, met a limit or was interrupted. Each call of Run
// makes another run of the same program.
func (p *Prepared) Run(ctx context.Context, rec tracer.Recorder, watch func(Progress)) (*Result, error) {
	x, err := p.Begin(rec)
	if err != nil {
		return nil, err
	}
	for x.Running() {
		x.Advance(ctx)
		if watch != nil {
			watch(x.Progress())
		}
	}
	return x.Finish(), nil
}

// A course is the running program of an Execution: a simulated machine with its load, PEs on real cores, or the runtime of another substrate.
type course interface {
	// advance performs at most the given number of actions. If more is set, the run has not ended and the error is that of ctx. Otherwise the run
	// has ended: the error is nil if it is done, a *limitError if it met a limit that the course checks itself, or the reason why it failed.
	advance(ctx context.Context, actions uint64) (more bool, err error)
	// still reports whether the run stands still between two calls of advance, so that its trace may be flushed. Other courses run on between
	// calls; halt asks such a course to stand still, waits for a while, and reports whether it does.
	still() bool
	halt() bool
	progress() Progress
	answer() string // computed so far, "" for nothing
	snapshot() *Snapshot
	exit(o tracer.Outcome) // ends the trace of a run that is cut short
	// close releases a run that has ended. exited reports that the program ended itself with the given status. The error is that of writing the
	// program's output.
	close() (status uint8, exited bool, err error)
	stats() sim.Stats
}

// A drainer is a course that can end after its last reduction. Drain performs the remaining actions, unless they may include a reduction.
type drainer interface {
	drain(ctx context.Context) (more bool, err error)
}

// A limitError reports the limit that a run met, if the course checks that limit.
type limitError struct{ error }

// An Execution is a run in progress. A simulated run moves only within Advance, AdvanceTo and Halt. One goroutine uses an Execution at a time.
type Execution struct {
	course  course
	started time.Time
	limits  Limits
	running bool
	outcome tracer.Outcome
	err     error // the reason for an early end
}

// Begin puts the program on a fresh machine, recorded in rec, which may be nil.
func (p *Prepared) Begin(rec tracer.Recorder) (*Execution, error) {
	x := &Execution{started: time.Now(), limits: p.Description.Limits}
	c, failed, err := p.program.begin(p, rec)
	if err != nil {
		return nil, err
	}
	x.course, x.err, x.running = c, failed, failed == nil
	if c.progress().Steps {
		x.limits.Reductions = 0 // it limits threads, which the course counts itself
	}
	return x, nil
}

// Running reports whether the run has not ended.
func (x *Execution) Running() bool { return x.running }

// Advance moves the run by a slice of some ms.
func (x *Execution) Advance(ctx context.Context) { x.advance(ctx, sliceActions) }

// AdvanceTo moves the run by less than a slice, and not beyond the given reduction, because each action makes at most one.
func (x *Execution) AdvanceTo(ctx context.Context, reduction int64) {
	x.advance(ctx, min(sliceActions-1, uint64(max(0, reduction-x.Progress().Reductions))))
}

// advance performs at most the given number of actions, and at most the reductions that the limit still allows. A live run measures a whole slice
// by time, and counts fewer actions exactly.
func (x *Execution) advance(ctx context.Context, actions uint64) {
	limits := x.limits
	if n := limits.Reductions; n > 0 {
		actions = min(actions, uint64(n-x.Progress().Reductions))
	}
	x.running, x.err = x.course.advance(ctx, actions)
	var limit *limitError
	switch {
	case errors.As(x.err, &limit):
		x.End(tracer.Limited, limit.error)
	case x.running && x.err != nil:
		x.End(tracer.Interrupted, errors.New("interrupted"))
	case x.running:
		if n := limits.Reductions; n > 0 && x.Progress().Reductions >= n && x.drained(ctx) {
			return
		}
		if err := limits.exceeded(x.Progress().Reductions, x.started); err != nil {
			x.End(tracer.Limited, err)
		}
	}
}

// drained reports whether a run at its limit of reductions has ended without another one.
func (x *Execution) drained(ctx context.Context) bool {
	if d, ok := x.course.(drainer); ok {
		x.running, x.err = d.drain(ctx)
	}
	return !x.running
}

// Halt asks the run to stand still and reports whether it does. The caller repeats it while it returns false and the run is Running.
func (x *Execution) Halt(ctx context.Context) bool {
	if x.course.halt() {
		return true
	}
	x.advance(ctx, 0)
	return false
}

// Still reports whether the run stands still, so that its recorder may be flushed.
func (x *Execution) Still() bool { return x.course.still() }

// Progress returns the progress of the run.
func (x *Execution) Progress() Progress { return x.course.progress() }

// Answer returns the answer so far of a run that stands still, "" for none.
func (x *Execution) Answer() string { return x.course.answer() }

// Snapshot describes a run that stands still.
func (x *Execution) Snapshot() *Snapshot { return x.course.snapshot() }

// Rested excludes the duration of a pause from the limit of time.
func (x *Execution) Rested(pause time.Duration) { x.started = x.started.Add(pause) }

// End ends the run early.
func (x *Execution) End(o tracer.Outcome, why error) { x.running, x.outcome, x.err = false, o, why }

// Finish returns the result of a run that has ended.
func (x *Execution) Finish() *Result {
	err := x.err
	if x.outcome > tracer.Failed {
		x.course.exit(x.outcome)
	}
	status, exited, written := x.course.close()
	if exited && status == 0 && x.outcome == tracer.Done {
		err = nil
	}
	if err == nil {
		err = written
	}
	if x.outcome == tracer.Done && err != nil {
		x.outcome = tracer.Failed
	}
	answer := ""
	if !errors.As(err, new(memoryError)) { // a large answer would need more memory
		answer = x.course.answer()
	}
	return &Result{x.outcome, err, int(status), answer, x.course.stats(), time.Since(x.started)}
}

// exceeded returns the error for the limit that was met, nil for none.
func (l Limits) exceeded(reductions int64, begin time.Time) error {
	switch {
	case l.Reductions > 0 && reductions >= l.Reductions:
		return fmt.Errorf("stopped after %s reductions", figures.Count(reductions))
	case l.Time > 0 && time.Since(begin) >= l.Time:
		return fmt.Errorf("stopped after %s", l.Time)
	case memory.Exceeds(l.Memory):
		return outOfMemory(l.Memory)
	}
	return nil
}

// outOfMemory returns the error for a run that needs more memory than its limit.
func outOfMemory(limit int64) error { return memoryError{errors.New(figures.OutOfMemory(limit))} }

type memoryError struct{ error }
