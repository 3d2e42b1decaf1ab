package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"whorl/internal/figures"
	"whorl/sim"
	"whorl/tracer"
)

// Outcome is how a run ended. It is the exit status of the PEs in the trace.
type Outcome uint8

// The ways a run ends.
const (
	Done        Outcome = iota
	Failed              // deadlock, a goal that failed, an error at run time
	Limited             // by one of the Limits
	Interrupted         // its context was cancelled
)

var outcomes = [...]string{"done", "failed", "limited", "interrupted"}

func (o Outcome) String() string { return outcomes[o] }

// Progress tells how far a run has come.
type Progress struct {
	Reductions int64
	Virtual    int64 // ns
}

// A Result is how a run ended and what it computed.
type Result struct {
	Outcome Outcome
	Err     error // why the outcome is not Done, else nil
	Status  int   // that a program has ended itself with (unix:exit), else 0
	Answer  string
	Machine sim.Stats
	Wall    time.Duration
}

// sliceActions is how much a machine does before limits are looked at: some ms.
const sliceActions = 1 << 14

// Run carries the program out on a fresh machine and records it in rec, which may be nil and stays open. It calls watch, which may be nil,
// every few ms. A run that failed, met a limit or was interrupted has a Result that says so; the error is for one that could not begin.
// Run may be called again for another run of the same program.
func (p *Prepared) Run(ctx context.Context, rec tracer.Recorder, watch func(Progress)) (*Result, error) {
	x, err := p.begin(rec)
	if err != nil {
		return nil, err
	}
	for x.more {
		x.advance(ctx, sliceActions)
		if watch != nil {
			watch(x.progress())
		}
	}
	return x.finish(), nil
}

// A course is what an execution moves: a simulated machine with its load, PEs on real cores, or whatever else a substrate runs on.
type course interface {
	// advance lets at most so many actions happen. More says that the run has not ended; the error then is that of ctx, else why it failed. A
	// *limitError says that the run has met a limit of its own.
	advance(ctx context.Context, actions uint64) (more bool, err error)
	// still says whether the run stands still between two calls of advance, so that its trace may be flushed. One that does not goes on by
	// itself; halt asks it to stand still, waits for a while, and says whether it does.
	still() bool
	halt() bool
	progress() Progress
	answer() string // what has been computed so far, "" for nothing
	snapshot() *Snapshot
	exit(o Outcome) // ends the trace of a run that is cut short
	// close lets go of a run that is over. Exited says that the program has ended itself, with that status; the error is that of writing what
	// it printed.
	close() (status uint8, exited bool, err error)
	stats() sim.Stats
}

// A limitError says which limit a run has met, where the substrate looks for itself.
type limitError struct{ error }

// An execution is a run under way, or at rest between two slices.
type execution struct {
	p       *Prepared
	course  course
	started time.Time
	limits  Limits
	more    bool // it has not ended
	outcome Outcome
	err     error // why it ended early
}

// begin puts the program on a fresh machine.
func (p *Prepared) begin(rec tracer.Recorder) (*execution, error) {
	x := &execution{p: p, started: time.Now(), limits: p.Description.Limits}
	c, booted, err := p.program.begin(p, rec)
	if err != nil {
		return nil, err
	}
	x.course, x.err, x.more = c, booted, booted == nil
	switch c.(type) {
	case *threadRun:
		x.limits.Reductions = 0 // which limits threads, and not the steps that progress counts
	case *followedRun:
		x.limits = Limits{} // the other process looks at them
	}
	return x, nil
}

// advance lets at most so many actions happen, and at most as many reductions as the limit still allows.
func (x *execution) advance(ctx context.Context, actions uint64) {
	limits := x.limits
	if n := limits.Reductions; n > 0 {
		actions = min(actions, uint64(n-x.progress().Reductions))
	}
	x.more, x.err = x.course.advance(ctx, actions)
	var limit *limitError
	switch {
	case errors.As(x.err, &limit):
		x.end(Limited, limit.error)
	case x.more && x.err != nil:
		x.end(Interrupted, errors.New("interrupted"))
	case x.more:
		if n := limits.Reductions; n > 0 && x.progress().Reductions >= n && x.drained(ctx) {
			return
		}
		if err := limits.exceeded(x.progress().Reductions, x.started); err != nil {
			x.end(Limited, err)
		}
	}
}

// drained says whether a run that may make no more reductions has come to its end without any.
func (x *execution) drained(ctx context.Context) bool {
	d, ok := x.course.(interface {
		drain(ctx context.Context) (more bool, err error)
	})
	if ok {
		x.more, x.err = d.drain(ctx)
	}
	return !x.more
}

// advanceTo lets fewer than so many actions happen, and no reduction after the given one: at most one comes with each action. A live run that is
// given a whole slice makes as many as there is time for.
func (x *execution) advanceTo(ctx context.Context, actions uint64, reduction int64) {
	x.advance(ctx, min(actions-1, uint64(max(0, reduction-x.progress().Reductions))))
}

// end ends the run before its time.
func (x *execution) end(o Outcome, why error) { x.more, x.outcome, x.err = false, o, why }

func (x *execution) progress() Progress { return x.course.progress() }

// finish returns the result of a run that has ended.
func (x *execution) finish() *Result {
	err := x.err
	if x.outcome > Failed {
		x.course.exit(x.outcome)
	}
	status, exited, written := x.course.close()
	if exited && status == 0 && x.outcome == Done {
		err = nil
	}
	if err == nil {
		err = written
	}
	if x.outcome == Done && err != nil {
		x.outcome = Failed
	}
	answer := ""
	if !errors.As(err, new(memoryError)) { // which a large answer would need more of
		answer = x.course.answer()
	}
	return &Result{x.outcome, err, int(status), answer, x.course.stats(), time.Since(x.started)}
}

// exceeded says which limit has been met, nil for none.
func (l Limits) exceeded(reductions int64, begin time.Time) error {
	switch {
	case l.Reductions > 0 && reductions >= l.Reductions:
		return fmt.Errorf("stopped after %s reductions", figures.Count(reductions))
	case l.Time > 0 && time.Since(begin) >= l.Time:
		return fmt.Errorf("stopped after %s", l.Time)
	case l.Memory > 0 && memoryInUse() >= l.Memory:
		runtime.GC() // what nobody needs any more does not count
		if memoryInUse() >= l.Memory {
			return outOfMemory(l.Memory)
		}
	}
	return nil
}

// outOfMemory says that a run needs more memory than it may have.
func outOfMemory(limit int64) error {
	return memoryError{errors.New(figures.OutOfMemory(limit))}
}

type memoryError struct{ error }

// memoryInUse is what the process holds in objects and stacks, in bytes.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}
