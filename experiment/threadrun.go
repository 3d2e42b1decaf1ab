package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/dts"
	"whorl/sim"
	"whorl/tracer"
)

// A threadRun is a run of threads. Package dts executes it on its own goroutines, and a Control pauses and steps it. Its progress counts
// steps: forks and joins.
type threadRun struct {
	run     func(context.Context) (answer string, err error)
	options dts.Options // the run can stand still if they have a Control
	pes     int

	cancel context.CancelCauseFunc // nil before the run has begun
	done   chan struct{}           // closed at the end of the run; the fields below are set then
	result string
	err    error

	numbers dts.Stats // filled in at the end
}

func (t *threadRun) advance(ctx context.Context, actions uint64) (more bool, err error) {
	first := t.cancel == nil
	if first {
		var own context.Context
		own, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		go func() {
			defer close(t.done)
			t.result, t.err = t.run(own)
		}()
	}
	var still <-chan struct{}
	if c := t.options.Control; c != nil {
		switch freely := t.options.Mode == dts.Live && actions == sliceActions; {
		case actions == 0:
		case freely && !c.Free():
			c.Go(-1)
		case !freely && c.Free(): // the number of steps is known when the run stands still
			c.Halt()
		case !freely && (first || c.IsStill()):
			c.Go(int64(min(actions, 1<<62)))
		}
		still = c.Still()
	}
	if t.wait(ctx, still); t.over() {
		if limit, ok := errors.AsType[*dts.LimitError](t.err); ok {
			return false, &limitError{limit}
		}
		return false, t.err
	}
	return true, ctx.Err()
}

// wait waits until the run stands still or has ended, at most for a slice of time.
func (t *threadRun) wait(ctx context.Context, still <-chan struct{}) {
	slice := time.NewTimer(liveSlice)
	defer slice.Stop()
	for {
		select {
		case <-still:
			if !t.options.Control.IsStill() { // the run is ending; it waits for its threads
				still = nil
				continue
			}
		case <-t.done:
		case <-ctx.Done():
		case <-slice.C:
		}
		return
	}
}

func (t *threadRun) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

func (t *threadRun) still() bool {
	c := t.options.Control
	return t.cancel == nil || t.over() || c != nil && c.IsStill()
}

func (t *threadRun) halt() bool {
	c := t.options.Control
	if t.cancel == nil || c == nil || t.over() {
		return t.cancel == nil
	}
	c.Halt()
	t.wait(context.Background(), c.Still())
	return c.IsStill()
}

func (t *threadRun) progress() Progress {
	p := Progress{Steps: true}
	if c := t.options.Control; c != nil {
		steps, lasted := c.Progress()
		p.Reductions, p.Virtual = steps, int64(lasted)
	}
	if t.over() {
		p.Virtual = int64(t.numbers.Elapsed)
	}
	return p
}

func (t *threadRun) answer() string {
	if t.over() {
		return t.result
	}
	return ""
}

// exit ends the run early and waits until its threads have ended.
func (t *threadRun) exit(o tracer.Outcome) {
	if t.cancel == nil {
		return
	}
	why := context.Canceled
	if o == tracer.Limited {
		why = &dts.LimitError{Text: o.String()}
	}
	t.cancel(why)
	<-t.done
}

func (t *threadRun) close() (status uint8, exited bool, err error) {
	if t.cancel != nil {
		t.cancel(nil)
	}
	return 0, false, nil
}

func (t *threadRun) stats() sim.Stats {
	if !t.over() {
		return sim.Stats{PEs: t.pes}
	}
	return sim.Stats{PEs: t.pes, Steals: uint64(t.numbers.Steals), Elapsed: int64(t.numbers.Elapsed)}
}

func (t *threadRun) snapshot() *Snapshot {
	p := t.progress()
	c := t.options.Control
	if c == nil {
		return newSnapshot(p, t.pes)
	}
	if m, thread, waiting := c.Simulated(); m != nil {
		return machineSnapshot(m, p, threadInspector{thread, waiting})
	}
	s := newSnapshot(p, t.pes)
	pes, central, waiting, n := c.Standing(snapshotWaits)
	left := snapshotTotal
	queue := func(pe int, q dts.Standing) Standing {
		shown := min(snapshotQueue, left, len(q.Queue))
		left -= shown
		h := Standing{PE: pe, Doing: "busy", Clock: p.Virtual, Length: q.Length, Queue: pendingThreads(q.Queue[:shown])}
		if len(q.Current) > 0 {
			h.Current = &pendingThreads(q.Current)[0]
		} else if q.Length == 0 {
			h.Doing = "idle"
		}
		return h
	}
	for pe := range pes[:min(snapshotPEs, len(pes))] {
		s.PEs = append(s.PEs, queue(pe, pes[pe]))
	}
	if central.Length > 0 {
		q := queue(sim.Central, central)
		q.Doing = ""
		s.Central = &q
	}
	s.Waiting, s.Suspended = pendingThreads(waiting), n
	return s
}

// A threadInspector describes the threads of a simulated run.
type threadInspector struct {
	thread  func(sim.Work) dts.Pending
	waiting func(most int) ([]dts.Pending, int)
}

func (i threadInspector) Work(w sim.Work) Pending { return pendingThread(i.thread(w)) }

func (i threadInspector) Waiting(most int) ([]Pending, int) {
	waiting, n := i.waiting(most)
	return pendingThreads(waiting), n
}

func pendingThreads(threads []dts.Pending) []Pending { return pendings(threads, pendingThread) }

func pendingThread(t dts.Pending) Pending {
	p := Pending{Task: t.Thread, Text: fmt.Sprintf("%s, thread %d, %s:%d", t.Function, t.Thread, t.File, t.Line), File: t.File, Line: t.Line, PE: int32(t.PE)}
	for _, on := range t.On {
		p.Waits = append(p.Waits, fmt.Sprintf("%s, thread %d", on.Function, on.Thread))
	}
	return p
}
