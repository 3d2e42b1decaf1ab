package flow

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// job is one run of a stage in a goroutine of its own, so that it can pause in the middle. The goroutine and the graph hand control to
// each other over two channels and never run at once, hence they share the job's fields without locks.
type job struct {
	stage string
	key   key
	now   func() time.Duration // the graph's clock

	ctx    context.Context
	cancel context.CancelCauseFunc
	resume chan struct{}
	paused chan bool // true: the run is over
	until  time.Duration

	at, total int64
	value     any
	err       error
	panicked  any
}

func (g *Graph) start(n *node, k key) *job {
	j := &job{stage: n.stage.Name, key: k, now: func() time.Duration { return g.now() }, resume: make(chan struct{}), paused: make(chan bool)}
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	in := make([]any, len(n.in))
	for i, m := range n.in {
		in[i] = m.value
	}
	params := make(Params, len(k.params))
	for i, name := range n.stage.Params {
		if k.params[i] != nil {
			params[name] = k.params[i]
		}
	}
	run, prev := n.stage.Run, n.value
	go func() {
		defer func() { j.paused <- true }()
		defer func() {
			if p := recover(); p != nil { // it shall reach the one who waits
				j.panicked = fmt.Sprintf("stage %s: %v\n\n%s", j.stage, p, debug.Stack())
			}
		}()
		<-j.resume
		if j.err = j.ctx.Err(); j.err == nil {
			j.value, j.err = run(j.ctx, in, prev, params, j.tick)
		}
	}()
	return j
}

// tick runs in the stage's goroutine.
func (j *job) tick(done, total int64) error {
	j.at, j.total = done, total
	if j.ctx.Err() == nil && j.until > 0 && j.now() >= j.until {
		j.paused <- false
		<-j.resume
	}
	return context.Cause(j.ctx)
}

// goOn lets the stage run until it ends (true) or pauses (false). When ctx is done first, the stage is stopped and goOn waits for its end.
func (j *job) goOn(ctx context.Context, until time.Duration) bool {
	j.until = until
	j.resume <- struct{}{}
	select {
	case over := <-j.paused:
		return over
	case <-ctx.Done():
		j.cancel(context.Cause(ctx))
	}
	over := <-j.paused
	if !over { // it paused at the same moment
		j.stop()
	}
	return true
}

// stop ends a paused stage and waits for its goroutine.
func (j *job) stop() {
	j.cancel(context.Canceled)
	j.resume <- struct{}{}
	for !<-j.paused {
		j.resume <- struct{}{}
	}
}
