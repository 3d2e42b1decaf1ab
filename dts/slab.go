package dts

import (
	"cmp"

	"whorl/dts/deque"
)

// A slab holds a PE's threads of one type. The thread at an index of the deque has its memory at the same index of
// the slab, so that forks and joins need not search for memory. A stolen thread takes its memory along; when the
// deque returns to its index, the slab has new memory there.
type slab[A, R any] struct {
	tasks  []*task[A, R] // by index in the deque; nil if there is no memory yet, or no longer
	spare  *task[A, R]   // free list
	chunks [][]task[A, R]
}

// chunkTasks is the number of threads that a slab allocates at a time.
const chunkTasks = 32

// slabOf returns the slab of these types.
func slabOf[A, R any](w *Worker) *slab[A, R] {
	for _, x := range w.slabs {
		if s, ok := x.(*slab[A, R]); ok {
			return s
		}
	}
	s := &slab[A, R]{}
	w.slabs = append(w.slabs, s)
	return s
}

// slabFor returns the slab of these types. Without hooks, it keeps the slab where the next Fork of these types finds
// it.
func slabFor[A, R any](w *Worker) *slab[A, R] {
	s := slabOf[A, R](w)
	if w.hooks == 0 && w.slab != any(s) {
		w.slab, w.lastSlab = s, w.slab
	}
	return s
}

// indexed returns memory for the thread at an index of the deque.
//
//go:noinline
func (s *slab[A, R]) indexed(w *Worker, i uint32) *task[A, R] {
	if int(i) >= len(s.tasks) {
		s.tasks = append(s.tasks, make([]*task[A, R], max(int(i)+1, 2*len(s.tasks))-len(s.tasks))...)
	}
	if k := s.tasks[i]; k != nil {
		return k
	}
	k := s.detached(w)
	s.tasks[i], k.index = k, i
	return k
}

// detached returns memory for a thread that is not in the deque.
func (s *slab[A, R]) detached(w *Worker) *task[A, R] {
	if s.spare == nil {
		s.more(w)
	}
	k := s.spare
	s.spare, k.next = k.next, nil
	k.index = deque.NoIndex
	return k
}

// more allocates threads.
func (s *slab[A, R]) more(w *Worker) {
	chunk := make([]task[A, R], chunkTasks)
	s.chunks = append(s.chunks, chunk)
	for i := range chunk {
		k := &chunk[i]
		k.body, k.owner, k.slab = k, w, s
		k.enliven()
		k.next, s.spare = s.spare, k
	}
}

// enliven creates the function that runs the thread in its join, on the stack of its owner. Once the thread's own
// function is called, its memory is no longer read, so other threads may use it.
func (k *task[A, R]) enliven() {
	k.call = func(w *Worker) R {
		f := k.f
		done := false
		defer func() {
			if !done {
				raise(recover(), codePointer(f))
			}
		}()
		r := f(w, k.arg)
		done = true
		return r
	}
}

// raise panics again with the PanicError of a panic.
func raise(v any, code uintptr) {
	if v == nil { // runtime.Goexit
		return
	}
	if p := recovered(v, code); p != nil {
		panic(p)
	}
	panic(v)
}

// leave removes the memory of a thread from its index, which the deque will use again.
func (s *slab[A, R]) leave(i uint32, t *thread) {
	if int(i) < len(s.tasks) && s.tasks[i] != nil && &s.tasks[i].thread == t {
		s.tasks[i] = nil
	}
}

// leave removes the memory of a thread of any type from its index. The deque calls it.
func (w *Worker) leave(i uint32, t *thread) {
	for _, x := range w.slabs {
		x.(anySlab).leave(i, t)
	}
}

// move moves the memory of a thread to another index. The deque calls it. The memory of a stolen thread has its index in
// another PE's slab.
func (w *Worker) move(t *thread, i uint32) {
	if t.owner == w {
		t.body.move(i)
	}
}

// move moves the memory of a thread to another index, which is unused.
func (k *task[A, R]) move(i uint32) {
	s := k.slab
	if int(k.index) >= len(s.tasks) || s.tasks[k.index] != k {
		return // it came back from a thief
	}
	s.tasks[k.index] = nil
	if free := s.tasks[i]; free != nil {
		free.next, s.spare = s.spare, free
	}
	s.tasks[i], k.index = k, i
}

// recycle frees the memory of a thread that has ended and was joined.
func (k *task[A, R]) recycle(w *Worker) {
	s := k.slab
	if s == nil {
		return
	}
	var noArg A
	var noResult R
	k.arg, k.result = noArg, noResult
	k.failed = nil
	k.waiter.Store(nil)
	k.thief.Store(nil)
	if k.owner == w {
		if int(k.index) < len(s.tasks) && s.tasks[k.index] == k {
			return // it stays at its index
		}
	} else {
		k.owner, k.slab = w, slabOf[A, R](w)
		s = k.slab
	}
	k.next, s.spare = s.spare, k
}

// An anySlab is a slab of any types.
type anySlab interface {
	leave(i uint32, t *thread)
	live(note func(*thread))
}

// live calls note for each thread that was never joined.
func (s *slab[A, R]) live(note func(*thread)) {
	for _, chunk := range s.chunks {
		for i := range chunk {
			if k := &chunk[i]; k.gen%2 == 1 {
				k.code = codePointer(k.f)
				note(&k.thread)
			}
		}
	}
}

// count records the threads that were never joined.
func (s *system) count() {
	for i := range s.workers {
		for _, x := range s.workers[i].slabs {
			x.(anySlab).live(func(t *thread) {
				s.loose[site{t.site, t.code}]++
				s.lost = cmp.Or(s.lost, t.failed)
			})
		}
	}
}
