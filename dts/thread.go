package dts

import (
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"
)

// A thread is what there is of a thread beside its types.
type thread struct {
	body  body
	owner *Worker // that forked it
	index uint32  // in the owner's deque
	taken bool    // of the queued engine: it lies in no queue
	name  uint32  // of its function, in the trace
	bytes uint32  // of the argument

	from    int32 // the PE that forked it, as the trace counts
	endedOn int32 // the PE on which it ended

	thief  atomic.Pointer[Worker] // carries it out
	waiter atomic.Pointer[waiter] // waits for it

	id     uint64  // in the trace; its number in a simulated run
	parent uint64  // the id of the thread that forked it
	code   uintptr // of its function
	failed *PanicError
	far    *far // nil where there are no other hosts

	// What every fork and join touches lies together with the function and the argument behind it.
	site uintptr // where it was forked, 0 where that is not known
	gen  uint32  // odd from its fork to its join, so that a handle is joined once
}

// far is what is known of a thread where there are other hosts.
type far struct {
	path    ID
	forks   uint64 // how many it has forked
	name    string // under which other hosts know its function, "" where they cannot have it
	host    string // the one that the program wants for it, "" for any
	takes   time.Duration
	over    func() // is called when it has ended, where it comes from another host
	attempt int    // which one it is, 0 for the first
	cut     bool   // it has been ended because the run ends
}

// cut notes that a thread has no result, because the run ends.
func (t *thread) cut() {
	if t.far != nil {
		t.far.cut = true
	}
}

// A body is the part of a thread that knows its types.
type body interface {
	function() uintptr        // its code
	run(w *Worker)            // calls the function and keeps its result
	argument() any            // for Options.Cost
	encoded() ([]byte, error) // the argument, for other hosts
	accept([]byte) error      // takes the result of another host
	reply() ([]byte, error)   // the result, for another host
	value() any               // the result, for Options.Check
	head() *thread
	move(index uint32)
	recycle(w *Worker) // frees the memory of a thread that has been joined
}

// An outcome is a thread with a place for its result: what a Handle needs to know.
type outcome[R any] struct {
	thread
	call   func(w *Worker) R // carries the thread out where it is joined
	result R
}

// A task is a whole thread.
type task[A, R any] struct {
	outcome[R]
	f    func(*Worker, A) R
	arg  A
	slab *slab[A, R] // nil where it is not of one
	next *task[A, R] // in its list of free ones
}

func (k *task[A, R]) run(w *Worker)            { k.result = k.f(w, k.arg) }
func (k *task[A, R]) function() uintptr        { return codePointer(k.f) }
func (k *task[A, R]) argument() any            { return k.arg }
func (k *task[A, R]) encoded() ([]byte, error) { return encode(&k.arg) }
func (k *task[A, R]) reply() ([]byte, error)   { return encode(&k.result) }
func (k *task[A, R]) value() any               { return k.result }
func (k *task[A, R]) head() *thread            { return &k.thread }
func (k *task[A, R]) accept(b []byte) error    { return decode(b, &k.result) }

// codePointer identifies a function by its code. It is what reflect.Value.Pointer returns, without going through an interface.
func codePointer[F any](f F) uintptr {
	p := *(**uintptr)(unsafe.Pointer(&f))
	if p == nil {
		return 0
	}
	return *p
}

// functionName is the name of the function with that code.
func functionName(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return shortName(f.Name())
	}
	return "a function"
}

// shortName leaves the folders of a package out.
func shortName(name string) string {
	cut := strings.LastIndexByte(name, '/') + 1
	if dot := strings.LastIndexByte(name, '['); dot > 0 && dot < cut { // a type argument has folders of its own
		cut = strings.LastIndexByte(name[:dot], '/') + 1
	}
	return strings.TrimSuffix(name[cut:], "[...]")
}
