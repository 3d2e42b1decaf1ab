package dts

// A Handle is the right to the result of a thread. It may be handed to other threads, as an argument, a result or otherwise: whoever calls
// Join first has the result.
type Handle[R any] struct{ t *outcome[R] }

// Fork makes a thread that calls f with arg, on a PE of the policy's choice, and goes on at once.
func Fork[A, R any](w *Worker, f func(*Worker, A) R, arg A) Handle[R] {
	return forkOn(w, -1, f, arg)
}

// ForkOn is Fork with the wish that the thread run on a PE, modulo their number. The policy static always grants it, and the others that
// leave new threads where they are.
func ForkOn[A, R any](w *Worker, pe int, f func(*Worker, A) R, arg A) Handle[R] {
	if pe < 0 {
		panic("dts: ForkOn a negative PE")
	}
	return forkOn(w, pe, f, arg)
}

func forkOn[A, R any](w *Worker, hint int, f func(*Worker, A) R, arg A) Handle[R] {
	if f == nil {
		panic("dts: Fork of a nil function")
	}
	k := &task[A, R]{f: f, arg: arg}
	k.init(k)
	k.code = codePointer(f)
	w.fork(&k.thread, hint)
	return Handle[R]{&k.outcome}
}

// fork hands a new thread to the engine.
func (w *Worker) fork(t *thread, hint int) {
	t.from, t.parent = w.pe+int32(w.sys.FirstPE), w.task
	if w.cur != nil && w.cur.path != (ID{}) {
		t.path = w.cur.path.child(w.cur.forks)
		w.cur.forks++
	}
	t.site = callPC()
	w.sys.engine.fork(w, t, hint)
}

// Join waits until the thread has ended and returns its result. A panic of the thread is raised again here, as a *PanicError. A handle is
// joined once.
func (h Handle[R]) Join(w *Worker) R {
	t := h.t
	if t == nil {
		panic("dts: Join of a Handle that no Fork returned")
	}
	if t.joined.Swap(true) {
		panic("dts: a handle is joined twice")
	}
	w.sys.engine.join(w, &t.thread)
	if t.failed != nil {
		panic(t.failed)
	}
	return t.result
}
