package dts

import (
	"sync/atomic"
	"time"
	"unsafe"

	"whorl/dts/codec"
)

// A thread is the untyped part of a thread.
type thread struct {
	body  body
	owner *Worker // the Worker that forked it
	index uint32  // in the owner's deque or slab
	taken bool    // queued engine: it has left its queue
	name  uint32  // of the function, in the trace's dictionary
	bytes uint32  // size of the argument

	from    int32 // number in the trace of the PE that forked it
	endedOn int32 // number in the trace of the PE on which it ended

	thief  atomic.Pointer[Worker] // the PE that stole or began it
	waiter atomic.Pointer[waiter] // the waiter in its join, or &hasEnded

	id     uint64  // in the trace; simulated its number
	parent uint64  // id of the thread that forked it
	code   uintptr // entry of its function
	failed *PanicError
	far    *far // nil in a run on one host

	// Every fork and join touches the following fields, which lie next to the function and the argument.
	site uintptr // program counter of the fork, 0 if unknown
	gen  uint32  // odd between fork and join; a handle's second join finds another value
}

// far holds the state of a thread in a run on several hosts.
type far struct {
	path    ID
	forks   uint64 // number of threads it has forked
	name    string // registered name of its function, "" if it has to stay on this host
	host    string // host that the program asks for, "" for any
	takes   time.Duration
	over    func() // called when a thread from another host has ended
	attempt int    // number of the attempt, 0 for the first
	cut     bool   // ended because the run ends; there is no result
}

// cut records that the thread has no result because the run ends.
func (t *thread) cut() {
	if t.far != nil {
		t.far.cut = true
	}
}

// A body is the typed part of a thread.
type body interface {
	function() uintptr        // returns the entry of the function
	run(w *Worker)            // calls the function and stores its result
	argument() any            // returns the argument, for Options.Cost
	encoded() ([]byte, error) // encodes the argument for another host
	accept([]byte) error      // decodes the result from another host
	reply() ([]byte, error)   // encodes the result for another host
	value() any               // returns the result, for Options.Check
	head() *thread
	move(index uint32)
	recycle(w *Worker) // frees the memory of a joined thread
}

// An outcome is a thread and its result: the part of a task that a Handle refers to.
type outcome[R any] struct {
	thread
	call   func(w *Worker) R // runs the thread in its join
	result R
}

// A task is a thread with its function, argument and result.
type task[A, R any] struct {
	outcome[R]
	f    func(*Worker, A) R
	arg  A
	slab *slab[A, R] // nil if the task is not allocated from a slab
	next *task[A, R] // in the slab's free list
}

func (k *task[A, R]) run(w *Worker)            { k.result = k.f(w, k.arg) }
func (k *task[A, R]) function() uintptr        { return codePointer(k.f) }
func (k *task[A, R]) argument() any            { return k.arg }
func (k *task[A, R]) encoded() ([]byte, error) { return codec.Encode(&k.arg) }
func (k *task[A, R]) reply() ([]byte, error)   { return codec.Encode(&k.result) }
func (k *task[A, R]) value() any               { return k.result }
func (k *task[A, R]) head() *thread            { return &k.thread }
func (k *task[A, R]) accept(b []byte) error    { return codec.Decode(b, &k.result) }

// codePointer returns the entry of a function, like reflect.Value.Pointer but without a conversion to an interface.
func codePointer[F any](f F) uintptr {
	p := *(**uintptr)(unsafe.Pointer(&f))
	if p == nil {
		return 0
	}
	return *p
}
