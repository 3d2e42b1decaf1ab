package dts

// execute runs a thread to its end on a PE. A panic becomes the thread's error.
func (s *system) execute(w *Worker, t *thread) {
	outer, task := w.cur, w.task
	w.cur, w.task = t, t.id
	w.start(t)
	done := false
	defer func() {
		v := recover()
		gone := !done && v == nil // runtime.Goexit
		if gone {
			v = "the thread ended its goroutine (runtime.Goexit)"
		}
		status := endedWell
		if v != nil {
			if t.failed = recovered(v, t.code); t.failed != nil {
				status = endedFailed
			} else {
				status = endedCancelled
				t.cut()
			}
		}
		w.end(t, status)
		w.cur, w.task = outer, task
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

// fault returns the value of the End event of a thread whose function did not return.
func (s *system) fault() int64 {
	if s.ctx.Err() != nil {
		return endedCancelled
	}
	return endedFailed
}
