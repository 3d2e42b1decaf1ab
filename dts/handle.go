package dts

// A Handle is the right to the result of a thread. It may be handed to other threads, as an argument, a result or otherwise. It is joined
// once, by whoever has it.
type Handle[R any] struct {
	t   *outcome[R]
	gen uint32
}

// Fork makes a thread that calls f with arg, on a PE of the policy's choice, and goes on at once.
func Fork[A, R any](w *Worker, f func(*Worker, A) R, arg A) Handle[R] {
	h := w.head
	s, ok := w.slab.(*slab[A, R])
	if !ok {
		if s = slabFor[A, R](w); s == nil {
			return forkOn(w, -1, nil, f, arg)
		}
	}
	if h >= uint32(len(w.entries)) {
		h = w.grow()
	}
	var k *task[A, R]
	if h < uint32(len(s.tasks)) {
		k = s.tasks[h]
	}
	if k == nil {
		k = s.at(w, h)
	}
	gen := k.gen + 1
	k.f, k.arg, k.site, k.gen = f, arg, caller(), gen
	w.entries[h] = &k.thread
	w.head = h + 1
	if w.request.Load() != 0 {
		w.sys.stacked.added(w)
	}
	return Handle[R]{&k.outcome, gen}
}

// ForkOn is Fork with the wish that the thread run on a PE, modulo their number. The policy static always grants it, and the others that
// leave new threads where they are.
func ForkOn[A, R any](w *Worker, pe int, f func(*Worker, A) R, arg A) Handle[R] {
	if pe < 0 {
		panic("dts: ForkOn a negative PE")
	}
	return forkOn(w, pe, nil, f, arg)
}

// forkOn is Fork where there is more to it. Other is what other hosts need to know, where they can have the thread.
//
//go:noinline
func forkOn[A, R any](w *Worker, hint int, other *far, f func(*Worker, A) R, arg A) Handle[R] {
	if f == nil {
		panic("dts: Fork of a nil function")
	}
	var k *task[A, R]
	switch {
	case w.sys.stacked == nil:
		k = &task[A, R]{}
		k.body = k
		k.enliven()
	case hint >= 0:
		k = slabOf[A, R](w).away(w)
	default:
		k = slabOf[A, R](w).at(w, w.room())
	}
	k.f, k.arg, k.code = f, arg, codePointer(f)
	k.parent, k.from = w.task, w.pe+int32(w.sys.FirstPE)
	if w.cur.far != nil {
		k.far = w.cur.far.child(other)
	}
	gen := k.gen + 1
	k.gen = gen
	w.sys.engine.fork(w, &k.thread, hint)
	return Handle[R]{&k.outcome, gen}
}

// Join waits until the thread has ended and returns its result. A panic of the thread is raised again here, as a *PanicError.
func (h Handle[R]) Join(w *Worker) R {
	t := h.t
	if t == nil || t.gen != h.gen {
		misused(t == nil)
	}
	n := w.head - 1
	if n < uint32(len(w.entries)) && w.entries[n] == &t.thread && n >= w.split && w.request.Load() == 0 && w.hooks == 0 {
		w.head = n
		t.gen++
		return t.call(w)
	}
	return h.await(w)
}

// await is Join where there is more to it.
//
//go:noinline
func (h Handle[R]) await(w *Worker) R {
	t := h.t
	t.gen++
	if w.sys.engine.join(w, &t.thread) {
		if w.hooks == 0 {
			return t.call(w)
		}
		return t.recorded(w)
	}
	r, failed := t.result, t.failed
	t.body.recycle(w)
	if failed != nil {
		panic(failed)
	}
	return r
}

// recorded carries the thread out where it is joined, and records that.
func (t *outcome[R]) recorded(w *Worker) R {
	id, code, outer := t.id, t.code, w.task
	status := endedFailed
	w.task = id
	cur := w.cur
	if w.hooks&hookQueued != 0 { // else the memory of the thread has another one soon
		w.cur = &t.thread
	}
	w.inline(id, code)
	defer func() {
		w.task, w.cur = outer, cur
		if status != endedWell && w.sys.ctx.Err() != nil {
			status = endedCancelled
		}
		w.inlineEnd(id, code, status)
	}()
	r := t.call(w)
	status = endedWell
	return r
}

func misused(zero bool) {
	if zero {
		panic("dts: Join of a Handle that no Fork returned")
	}
	panic("dts: a handle is joined twice")
}
