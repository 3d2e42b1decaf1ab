package dts

import (
	"errors"
	"runtime/debug"

	"whorl/dts/symbol"
)

// execute runs a thread to its end on a PE. A panic becomes the thread's error.
func (s *system) execute(w *Worker, t *thread) {
	outer, task := w.cur, w.log.Task
	w.cur, w.log.Task = t, t.id
	w.start(t)
	done := false
	defer func() {
		v := recover()
		gone := !done && v == nil // runtime.Goexit
		if gone {
			v = "the thread ended its goroutine (runtime.Goexit)"
		}
		status := t.fail(v)
		if status == endedCancelled {
			t.cut()
		}
		w.log.End(t.id, t.code, status)
		w.cur, w.log.Task = outer, task
		t.endedOn = w.pe + int32(s.FirstPE)
		s.engine.finish(t)
		if gone {
			s.holders.Go(func() { s.engine.hold(w) })
		}
	}()
	t.body.run(w)
	done = true
}

// Values of End events in the trace.
const (
	endedWell int64 = iota
	endedFailed
	endedCancelled
)

// fail sets the error of a thread that ended with a recovered panic, nil for none. It returns the value of the
// thread's End event.
func (t *thread) fail(v any) (status int64) {
	if v == nil {
		return endedWell
	}
	if t.failed = recovered(v, t.code); t.failed == nil {
		return endedCancelled
	}
	return endedFailed
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
	return &PanicError{Thread: symbol.Function(code), Value: v, Stack: debug.Stack()}
}

// fault returns the value of the End event of a thread whose function did not return.
func (s *system) fault() int64 {
	if s.ctx.Err() != nil {
		return endedCancelled
	}
	return endedFailed
}
