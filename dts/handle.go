package dts

import (
	"unsafe"

	"whorl/tracer"
)

// A Handle refers to a thread and gives the right to its result. It may be passed to other threads, in arguments,
// results or shared memory. Any thread may join it, once.
type Handle[R any] struct {
	t   *outcome[R]
	gen uint32
}

// Fork creates a thread that calls f with arg, on a PE chosen by the policy, and returns at once.
func Fork[A, R any](w *Worker, f func(*Worker, A) R, arg A) Handle[R] {
	s, ok := w.slab.(*slab[A, R])
	if !ok {
		s, ok = w.lastSlab.(*slab[A, R])
	}
	if h, room := w.deque.Head(); ok && room && h < uint32(len(s.tasks)) {
		if k := s.tasks[h]; k != nil {
			k.gen++
			k.f, k.arg, k.site = f, arg, caller()
			w.deque.Put(h, &k.thread)
			if w.deque.Requested() {
				w.sys.stacked.added(w)
			}
			return Handle[R]{&k.outcome, k.gen}
		}
	}
	return forkOn(w, -1, nil, caller(), f, arg)
}

// ForkOn is like Fork but asks for a PE, modulo the number of PEs. The policy static grants the wish, and so do the
// policies that keep new threads on the forking PE.
func ForkOn[A, R any](w *Worker, pe int, f func(*Worker, A) R, arg A) Handle[R] {
	if pe < 0 {
		panic("dts: ForkOn a negative PE")
	}
	return forkOn(w, pe, nil, caller(), f, arg)
}

// forkOn is the general path of Fork: it runs hooks and allocates memory. If other hosts may run the thread, other
// describes it.
//
//go:noinline
func forkOn[A, R any](w *Worker, hint int, other *far, site uintptr, f func(*Worker, A) R, arg A) Handle[R] {
	if f == nil {
		panic("dts: Fork of a nil function")
	}
	var k *task[A, R]
	if w.hooks&hookQueued != 0 || hint >= 0 {
		k = slabOf[A, R](w).detached(w)
	} else {
		k = slabFor[A, R](w).indexed(w, w.deque.Room())
	}
	k.f, k.arg, k.code, k.bytes = f, arg, codePointer(f), uint32(min(unsafe.Sizeof(arg), 1<<31))
	k.parent, k.from, k.site, k.taken, k.far = w.log.Task, w.log.PE, site, false, nil
	if site == 0 {
		k.site = callPC()
	}
	if w.hooks&hookQueued != 0 && w.cur.far != nil {
		k.far = w.cur.far.child(other)
	}
	gen := k.gen + 1
	k.gen = gen
	if e := w.sys.stacked; e != nil {
		e.fork(w, &k.thread, hint)
	} else {
		w.sys.engine.fork(w, &k.thread, hint)
	}
	return Handle[R]{&k.outcome, gen}
}

// Join waits until the thread has ended and returns its result. Join raises a panic of the thread again, as a
// *PanicError.
func (h Handle[R]) Join(w *Worker) R {
	t := h.t
	if t == nil || t.gen != h.gen {
		misused(t == nil)
	}
	if w.hooks == 0 && w.deque.Pop(&t.thread) {
		t.gen++
		return t.call(w)
	}
	return h.await(w, caller())
}

// await is the general path of Join.
//
//go:noinline
func (h Handle[R]) await(w *Worker, pc uintptr) R {
	t := h.t
	t.gen++
	var how joining
	if e := w.sys.stacked; e != nil {
		how = e.join(w, &t.thread, pc)
	} else {
		if pc == 0 {
			pc = callPC()
		}
		how = w.sys.engine.join(w, &t.thread, pc)
	}
	if how != ended {
		var r R
		switch {
		case w.hooks&hookRecords != 0:
			r = t.recorded(w)
		case w.hooks&hookQueued != 0:
			r = t.queued(w)
		default:
			r = t.call(w)
		}
		if how == returned {
			t.body.recycle(w)
		}
		return r
	}
	r, failed := t.result, t.failed
	t.body.recycle(w)
	if failed != nil {
		panic(failed)
	}
	return r
}

// joiner returns the reference of the Start and End events of a thread that runs in its join: 0 if its parent joins
// it, else the joiner's id.
func (t *thread) joiner(by uint64) uint64 {
	if by == t.parent {
		return 0
	}
	return by
}

// recorded runs the thread in its join and records its events. The memory of t may hold another thread once t.call
// has begun.
func (t *outcome[R]) recorded(w *Worker) R {
	id, name, outer, joiner := t.id, t.name, w.log.Task, t.joiner(w.log.Task)
	w.log.Note(tracer.Start, id, joiner, tracer.Inline, name, 1)
	w.log.Task = id
	done := false
	defer func() {
		if !done {
			w.log.Note(tracer.End, id, joiner, tracer.Inline, name, w.sys.fault())
			w.log.Task = outer
		}
	}()
	r := t.call(w)
	done = true
	w.log.Note(tracer.End, id, joiner, tracer.Inline, name, endedWell)
	w.log.Task = outer
	return r
}

// queued is like recorded for the queued engine. It keeps w.cur up to date, and the run may be without a trace.
func (t *outcome[R]) queued(w *Worker) R {
	cur, outer, name, records := w.cur, w.log.Task, w.log.Name(t.code), w.log.Begun()
	joiner := t.joiner(outer)
	if records {
		w.log.Note(tracer.Start, t.id, joiner, tracer.Inline, name, 1)
	}
	w.cur, w.log.Task = &t.thread, t.id
	status := w.sys.fault
	defer func() {
		if records {
			w.log.Note(tracer.End, t.id, joiner, tracer.Inline, name, status())
		}
		w.cur, w.log.Task = cur, outer
		t.body.recycle(w)
	}()
	r := t.call(w)
	status = func() int64 { return endedWell }
	return r
}

func misused(zero bool) {
	if zero {
		panic("dts: Join of a zero Handle")
	}
	panic("dts: a Handle is joined twice")
}
