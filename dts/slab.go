package dts

import "cmp"

// A slab is where a PE has its threads of one type. The thread that lies in the deque at an index has its memory at the same index of the
// slab, so that forking and joining need not look for any. A thread that is stolen takes its memory along: when the deque comes back to its
// index, there will be other memory.
type slab[A, R any] struct {
	tasks  []*task[A, R] // by the index in the deque; nil where there is none yet, or no more
	spare  *task[A, R]   // memory that has come back
	chunks [][]task[A, R]
}

// chunkTasks is how many threads of a type a PE makes room for at a time.
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

// slabFor returns the slab of these types. Where Fork has no more to do than to fork, the next one of them finds it at once.
func slabFor[A, R any](w *Worker) *slab[A, R] {
	s := slabOf[A, R](w)
	if w.hooks == 0 && w.slab != any(s) {
		w.slab, w.lastSlab = s, w.slab
	}
	return s
}

// at returns memory for the thread at an index of the deque.
//
//go:noinline
func (s *slab[A, R]) at(w *Worker, i uint32) *task[A, R] {
	if int(i) >= len(s.tasks) {
		s.tasks = append(s.tasks, make([]*task[A, R], max(int(i)+1, 2*len(s.tasks))-len(s.tasks))...)
	}
	if k := s.tasks[i]; k != nil {
		return k
	}
	k := s.away(w)
	s.tasks[i], k.index = k, i
	return k
}

// away returns memory for a thread that does not come into the deque.
func (s *slab[A, R]) away(w *Worker) *task[A, R] {
	if s.spare == nil {
		s.more(w)
	}
	k := s.spare
	s.spare, k.next = k.next, nil
	k.index = allStolen
	return k
}

// more makes room for more threads.
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

// enliven makes what carries the thread out on the stack of the owner, who joins it. Nothing is read of its memory when the function has
// been called, so that others may lie there.
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

// leave takes the memory of a thread away from an index where it lies there, for it is needed when the deque has come back.
func (s *slab[A, R]) leave(i uint32, t *thread) {
	if int(i) < len(s.tasks) && s.tasks[i] != nil && &s.tasks[i].thread == t {
		s.tasks[i] = nil
	}
}

// leave does so in the slab of whatever types the thread is of.
func (w *Worker) leave(i uint32, t *thread) {
	for _, x := range w.slabs {
		x.(anySlab).leave(i, t)
	}
}

// move moves the memory of a thread to another index, where none is needed.
func (k *task[A, R]) move(i uint32) {
	s := k.slab
	if int(k.index) >= len(s.tasks) || s.tasks[k.index] != k {
		return // it has come back from a thief
	}
	s.tasks[k.index] = nil
	if free := s.tasks[i]; free != nil {
		free.next, s.spare = s.spare, free
	}
	s.tasks[i], k.index = k, i
}

// recycle makes the memory of a thread that has ended and been joined free.
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
			return // it lies where it belongs
		}
	} else {
		k.owner, k.slab = w, slabOf[A, R](w)
		s = k.slab
	}
	k.next, s.spare = s.spare, k
}

// An anySlab is a slab of whatever types.
type anySlab interface {
	leave(i uint32, t *thread)
	live(note func(*thread))
}

// live calls note for each thread that nobody has joined.
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

// count notes the threads that nobody has joined.
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
