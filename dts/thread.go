package dts

import (
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A thread is what there is of a thread beside its types.
type thread struct {
	body   body
	state  atomic.Uint32
	joined atomic.Bool

	id      uint64  // in the trace; its number in a simulated run
	code    uintptr // of its function
	site    uintptr // where it was forked, 0 where that is not known
	parent  uint64  // the thread that forked it
	from    int32   // the PE that forked it
	ended   int32   // the PE on which it ended
	failed  *PanicError
	waiters []*waiter // of the engine
	remote  string    // the name under which other hosts know its function, "" where they cannot have it
	host    string    // the host that the program wants for it
	attempt int       // which one it is, where it is not the first
	over    func()    // is called when it has ended, where it comes from another host
	path    ID        // where there are other hosts
	forks   uint64    // how many it has forked
}

// The states of a thread.
const (
	waiting uint32 = iota // in a queue
	taken                 // somebody carries it out
	ended
)

// A body is the part of a thread that knows its types.
type body interface {
	run(w *Worker)            // calls the function and keeps its result
	bytes() int               // of the argument
	argument() any            // for Options.Cost
	encoded() ([]byte, error) // the argument, for other hosts
	accept([]byte) error      // takes the result of another host
	reply() ([]byte, error)   // the result, for another host
	head() *thread
}

// An outcome is a thread with a place for its result: what a Handle needs to know.
type outcome[R any] struct {
	thread
	result R
}

// A task is a whole thread.
type task[A, R any] struct {
	outcome[R]
	f   func(*Worker, A) R
	arg A
}

func (k *task[A, R]) init(b body) { k.body = b }

func (k *task[A, R]) run(w *Worker)            { k.result = k.f(w, k.arg) }
func (k *task[A, R]) bytes() int               { return int(unsafe.Sizeof(k.arg)) }
func (k *task[A, R]) argument() any            { return k.arg }
func (k *task[A, R]) encoded() ([]byte, error) { return encode(&k.arg) }
func (k *task[A, R]) reply() ([]byte, error)   { return encode(&k.result) }
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
