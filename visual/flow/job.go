package flow

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A job is one run of a stage in its own goroutine. With threads, it runs even while no Get waits for it (beside), and its ticks only report
// progress. With a single thread, as in a web page, it pauses at a tick when the time limit is reached: the goroutine and the graph pass
// control over two channels and never run at the same time.
type job struct {
	node   *node
	key    []uint64
	beside bool
	now    func() time.Duration // the graph's clock

	ctx    context.Context
	cancel context.CancelCauseFunc
	resume chan struct{}
	paused chan bool // receives true when the run has ended, false when it pauses
	until  time.Duration

	progress, total atomic.Int64
	began           time.Duration // when it began or last went on
	spent           time.Duration // before it last paused
	value           any           // set when the run has ended
	err             error
	panicked        any
}

func (g *Graph) start(n *node, k []uint64) {
	g.runs[n.stage.name]++
	j := &job{
		node: n, key: k, beside: g.beside, now: func() time.Duration { return g.now() },
		resume: make(chan struct{}), paused: make(chan bool, 1),
	}
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	c := &call{stage: n.stage, ctx: j.ctx, in: make([]any, len(n.in)), prev: n.value, params: n.params, tick: j.tick}
	for i, m := range n.in {
		c.in[i] = m.value
	}
	if n.revision == 0 {
		c.prev = n.seed
	}
	g.job = j
	g.jobs.Go(func() {
		defer func() { j.paused <- true }()
		defer func() {
			if p := recover(); p != nil { // drive panics again in the goroutine of Get
				j.panicked = fmt.Sprintf("stage %s: %v\n\n%s", n.stage.name, p, debug.Stack())
			}
		}()
		if !j.beside {
			<-j.resume
		}
		if j.err = j.ctx.Err(); j.err == nil {
			j.began = j.now()
			j.value, j.err = n.stage.run(c)
			j.spent += j.now() - j.began
		}
	})
}

// tick is the stage's Tick. It runs in the goroutine of the stage.
func (j *job) tick(done, total int64) error {
	j.progress.Store(done)
	j.total.Store(total)
	if !j.beside && j.ctx.Err() == nil && j.until > 0 && j.now() >= j.until {
		j.spent += j.now() - j.began
		j.paused <- false
		<-j.resume
		j.began = j.now()
	}
	return context.Cause(j.ctx)
}

// proceed waits until the stage ends, and returns true, or until the time limit is reached, and returns false. If ctx is done first, it stops
// the stage and waits for its end.
func (j *job) proceed(ctx context.Context, until time.Duration) bool {
	var up <-chan time.Time
	if !j.beside {
		j.until = until
		j.resume <- struct{}{}
	} else if until > 0 {
		timer := time.NewTimer(until - j.now())
		defer timer.Stop()
		up = timer.C
	}
	select {
	case over := <-j.paused:
		return over
	case <-up:
		return false
	case <-ctx.Done():
		j.cancel(context.Cause(ctx))
	}
	for !<-j.paused { // the stage paused at the same moment
		j.resume <- struct{}{}
	}
	return true
}

// stop cancels the stage. A paused stage has ended when stop returns. A stage that runs beside ends at its next tick, and its value is
// dropped.
func (j *job) stop() {
	j.cancel(context.Canceled)
	if j.beside {
		return
	}
	j.resume <- struct{}{}
	for !<-j.paused {
		j.resume <- struct{}{}
	}
}
