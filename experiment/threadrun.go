package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/dts"
	"whorl/sim"
)

// A threadRun is a run of threads. Package dts carries it out on goroutines of its own, and lets it be paused and stepped by a Control. What
// progress calls reductions are its steps: forks and joins.
type threadRun struct {
	run     func(context.Context) (answer string, err error)
	options dts.Options // without a Control it cannot stand still
	pes     int

	cancel context.CancelCauseFunc // nil before it has begun
	done   chan struct{}           // closed when it is over; what follows is not touched before
	result string
	err    error
	// numbers are filled in at the end.
	numbers dts.Stats
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
		case !freely && c.Free(): // how many steps there have been is known when it stands still
			c.Halt()
		case !freely && (first || c.IsStill()):
			c.Go(int64(min(actions, 1<<62)))
		}
		still = c.Still()
	}
	if t.wait(ctx, still); t.over() {
		return false, t.why()
	}
	return true, ctx.Err()
}

// wait waits for a slice of time at most.
func (t *threadRun) wait(ctx context.Context, still <-chan struct{}) {
	slice := time.NewTimer(liveSlice)
	defer slice.Stop()
	for {
		select {
		case <-still:
			if !t.options.Control.IsStill() { // the run is to end, which takes as long as its threads do
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

// why is why the run failed or met a limit, nil for neither.
func (t *threadRun) why() error {
	var limit *dts.LimitError
	if errors.As(t.err, &limit) {
		return &limitError{limit}
	}
	return t.err
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

func (t *threadRun) progress() (p Progress) {
	if c := t.options.Control; c != nil {
		steps, lasted := c.Progress()
		p = Progress{steps, int64(lasted)}
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

// exit ends the run before its time and waits until its threads have seen it.
func (t *threadRun) exit(o Outcome) {
	if t.cancel == nil {
		return
	}
	why := context.Canceled
	if o == Limited {
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

// snapshot describes the run, which stands still.
func (t *threadRun) snapshot() *Snapshot {
	at := t.progress()
	s := &Snapshot{Reductions: at.Reductions, Virtual: at.Virtual, TotalPEs: t.pes}
	c := t.options.Control
	if c == nil {
		return s
	}
	if m, thread, waiting := c.Simulated(); m != nil {
		return standing(m, at, threadInspector{thread, waiting})
	}
	pes, central, waiting, n := c.Standing(snapshotWaits)
	left := snapshotTotal
	queue := func(pe int, of dts.Standing) Standing {
		shown := min(snapshotQueue, left, len(of.Queue))
		left -= shown
		h := Standing{PE: pe, Doing: "busy", Clock: at.Virtual, Length: of.Length, Queue: pendingThreads(of.Queue[:shown])}
		if len(of.Current) > 0 {
			h.Current = &pendingThreads(of.Current)[0]
		} else if of.Length == 0 {
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

// A threadInspector shows the threads of a simulated run.
type threadInspector struct {
	thread  func(sim.Work) dts.Pending
	waiting func(most int) ([]dts.Pending, int)
}

func (i threadInspector) Work(w sim.Work) Pending { return pendingThread(i.thread(w)) }

func (i threadInspector) Waiting(most int) ([]Pending, int) {
	waiting, n := i.waiting(most)
	return pendingThreads(waiting), n
}

func pendingThreads(threads []dts.Pending) []Pending {
	out := make([]Pending, len(threads))
	for k, t := range threads {
		out[k] = pendingThread(t)
	}
	return out
}

func pendingThread(t dts.Pending) Pending {
	p := Pending{Task: t.Thread, Text: fmt.Sprintf("%s, thread %d, %s:%d", t.Function, t.Thread, t.File, t.Line), File: t.File, Line: t.Line, PE: int32(t.PE)}
	for _, on := range t.On {
		p.Waits = append(p.Waits, fmt.Sprintf("%s, thread %d", on.Function, on.Thread))
	}
	return p
}
