package dts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"whorl/dts/clock"
	"whorl/dts/journal"
	"whorl/dts/launch"
	"whorl/dts/symbol"
	"whorl/internal/figures"
	"whorl/internal/memory"
	"whorl/sim"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A system is the state of one run.
type system struct {
	*resolved
	ctx     context.Context
	cancel  context.CancelCauseFunc
	engine  engine
	stacked *stacked       // the engine, if it is the stacked one
	holders sync.WaitGroup // goroutines that hold PEs
	began   time.Time

	workers  []Worker
	book     *journal.Journal // writes the trace; nil if the run is not recorded
	nextID   atomic.Uint64
	forked   atomic.Int64
	steals   atomic.Int64
	blocked  atomic.Int64
	elapsed  time.Duration
	breathed time.Time // when the run last yielded to the browser

	loose map[site]int // handles that were never joined, by fork
	lost  *PanicError  // the panic of one of their threads
}

// A site identifies a fork: its program counter and the code of the forked function.
type site struct{ pc, code uintptr }

// prepare creates a run without an engine.
func prepare(ctx context.Context, o Options) (*system, error) {
	r, err := resolve(o)
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	s := &system{resolved: r, began: time.Now(), loose: map[site]int{}}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	if r.Recorder != nil {
		s.newJournal()
	}
	return s, nil
}

// clock returns the clock of the trace, nil without a trace or a run.
func (s *system) clock() *clock.Clock {
	if s == nil || s.book == nil {
		return nil
	}
	return &s.book.Clock
}

// makeWorkers creates the Workers of a live run.
func (s *system) makeWorkers() {
	s.workers = make([]Worker, s.PEs)
	meter := clock.NewMeter(s.PEs)
	if s.Wall {
		meter = clock.Unmetered()
	}
	for i := range s.workers {
		w := &s.workers[i]
		w.sys, w.pe = s, int32(i)
		w.self.PE, w.self.Rand = int32(i), sim.NewRand(s.Seed, uint64(i))
		w.log.Init(s.book, meter, i, s.FirstPE, s.Watched)
	}
}

// begin resolves the options, opens the trace and carries out a run. The main thread is root; code is the entry of
// its function.
func begin(ctx context.Context, o Options, root *thread, code uintptr) error {
	defer o.Control.release() // also if the run never begins
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, release := launch.Interruptible(ctx)
	defer release()
	end, err := o.openTrace()
	if err != nil {
		return err
	}
	root.code = code
	h, leave, err := o.host(ctx)
	if h != nil {
		err = h.carryOut(root, &o)
		leave()
	} else if err == nil {
		var s *system
		if s, err = prepare(ctx, o); err == nil {
			err = s.carryOut(root)
		}
	}
	return end(err)
}

// openTrace opens the trace named by the environment, unless there is a recorder, and returns the function to call at
// the end of the run, which also reports to whorl run. Only the first run of the process uses these variables.
func (o *Options) openTrace() (end func(error) error, err error) {
	report := launch.Claim(launch.EnvReport)
	reported := func(err error) error {
		if report != "" {
			r := launch.Report{Outcome: outcomeOf(err)}
			if err != nil {
				r.Err = err.Error()
			}
			r.Write(report)
		}
		return err
	}
	if o.Recorder != nil {
		return reported, nil
	}
	path := launch.Claim(launch.EnvTrace)
	if path == "" {
		return reported, nil
	}
	if _, err := resolve(*o); err != nil { // a run that never begins leaves no file
		return nil, reported(err)
	}
	w, err := store.Create(path)
	if err != nil {
		return nil, reported(err)
	}
	o.Recorder = w
	return func(err error) error {
		if closed := w.Close(); closed != nil {
			err = errors.Join(err, closed)
		}
		return reported(err)
	}, nil
}

// carryOut runs the threads to their end and returns the error of the run.
func (s *system) carryOut(root *thread) (result error) {
	defer s.cancel(nil)
	if s.Mode == Sim {
		s.engine = newRecording(s)
	} else if s.Remote == nil && s.policy.Traits().Stays {
		s.engine = newStacked(s)
	} else {
		s.engine = newQueued(s)
	}
	watched := s.watch()
	if c := s.Control; c != nil {
		c.begin(s, len(s.workers))
		defer c.end()
		defer context.AfterFunc(s.ctx, c.release)()
	}
	err := s.engine.run(root)
	watched()
	var over int64 // end of the trace, before Check runs
	if s.Mode == Live {
		s.elapsed = time.Since(s.began)
		if s.Control != nil {
			_, s.elapsed = s.Control.Progress()
		}
		if s.book != nil {
			over = s.workers[0].log.Clock.Now()
		}
		if err == nil && root.failed == nil && s.ctx.Err() == nil {
			err = s.check(root)
		}
	}
	if s.Stats != nil {
		*s.Stats = s.stats()
	}
	if s.book != nil && s.Mode == Live {
		defer func() { s.complete(over, outcomeOf(result)) }()
	}
	switch {
	case err != nil:
		return err
	case root.failed != nil:
		return root.failed
	case s.ctx.Err() != nil:
		return context.Cause(s.ctx)
	case len(s.loose) > 0:
		return s.unjoined()
	}
	return nil
}

func (s *system) stats() Stats {
	return Stats{PEs: s.PEs, Steals: s.steals.Load(), Blocked: s.blocked.Load(), Elapsed: s.elapsed}
}

// check calls Options.Check on the result of the main thread.
func (s *system) check(root *thread) error {
	if s.Check == nil {
		return nil
	}
	return s.Check(root.body.value())
}

// watch cancels the run when it exceeds a limit. The returned function stops the watch.
func (s *system) watch() (stop func()) {
	l := s.Limits
	if l.Time == 0 && l.Memory == 0 {
		return func() {}
	}
	done := make(chan struct{})
	var wait sync.WaitGroup // for the goroutine that checks the limits
	wait.Go(func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if err := s.exceeded(); err != nil {
					s.cancel(err)
					return
				}
			}
		}
	})
	return func() { close(done); wait.Wait() }
}

// admit waits for the Control to allow a fork, and counts it.
func (s *system) admit(w *Worker) {
	if s.Control != nil {
		s.Control.step(w)
	}
	s.countFork()
}

// countFork counts a fork. It cancels the run if the fork exceeds the limit on threads.
func (s *system) countFork() {
	if most := s.Limits.Threads; s.forked.Add(1) > most && most > 0 {
		s.cancel(&LimitError{"stopped after " + figures.Counted(most, "thread")})
		panic(errCancelled)
	}
}

// exceeded returns a *LimitError if the run has exceeded its limit on time or memory.
func (s *system) exceeded() error {
	l := s.Limits
	switch {
	case l.Time > 0 && time.Since(s.began)-s.Control.pausedFor() >= l.Time:
		return &LimitError{fmt.Sprintf("stopped after %s", l.Time)}
	case memory.Exceeds(l.Memory):
		return &LimitError{figures.OutOfMemory(l.Memory)}
	}
	return nil
}

// unjoined returns the error about handles that were never joined.
func (s *system) unjoined() error {
	e := &UnjoinedError{Panic: s.lost}
	for fork, n := range s.loose {
		e.Sites = append(e.Sites, Site{Place: symbol.Locate(fork.pc, fork.code).String(), Thread: symbol.Function(fork.code), Count: n})
	}
	slices.SortFunc(e.Sites, func(a, b Site) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Place, b.Place), cmp.Compare(a.Thread, b.Thread))
	})
	return e
}

// outcomeOf returns the outcome of a run that ended with err.
func outcomeOf(err error) tracer.Outcome {
	var limit *LimitError
	var loose *UnjoinedError
	switch {
	case err == nil || errors.As(err, &loose) && loose.Panic == nil:
		return tracer.Done
	case errors.As(err, &limit):
		return tracer.Limited
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return tracer.Interrupted
	}
	return tracer.Failed
}
