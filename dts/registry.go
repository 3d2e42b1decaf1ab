package dts

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Registry knows functions by name, so that another host can carry them out: the same program runs there, with the same names. The zero
// Registry is empty and ready.
type Registry struct {
	mu    sync.RWMutex
	funcs map[string]func(arg []byte) (body, uintptr, error)
	names map[uintptr]string // by the code of the function
}

// A Func is a function of a Registry.
type Func[A, R any] struct {
	name  string
	f     func(*Worker, A) R
	takes func(A) time.Duration // nil where that is not known
}

// Register enters f under a name, which must be new, and returns what is forked instead of f. Arguments and results travel as encoding/gob
// writes them: what is not exported in them stays behind.
func Register[A, R any](reg *Registry, name string, f func(*Worker, A) R) Func[A, R] {
	if name == "" || f == nil {
		panic("dts: Register needs a name and a function")
	}
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if _, ok := reg.funcs[name]; ok {
		panic(fmt.Sprintf("dts: two functions are registered as %q", name))
	}
	if reg.funcs == nil {
		reg.funcs = map[string]func([]byte) (body, uintptr, error){}
		reg.names = map[uintptr]string{}
	}
	reg.names[codePointer(f)] = name
	reg.funcs[name] = func(arg []byte) (body, uintptr, error) {
		k := &task[A, R]{f: f}
		k.body = k
		err := decode(arg, &k.arg)
		return k, codePointer(f), err
	}
	return Func[A, R]{name: name, f: f}
}

// Takes returns the function with an estimate of how long a call with an argument takes, with all that it forks, on one PE: a Remote leaves calls
// here that are not worth a message (Call.Takes). It is asked at each fork where there is a Remote, and should not take long.
//
//	sum = dts.Register(&funcs, "sum", add).Takes(func(s span) time.Duration { return time.Duration(s.To-s.From) * time.Nanosecond })
func (f Func[A, R]) Takes(estimate func(arg A) time.Duration) Func[A, R] {
	f.takes = estimate
	return f
}

// nameOf is the name that the function with that code was registered under, "" where it was not.
func (reg *Registry) nameOf(code uintptr) string {
	if reg == nil {
		return ""
	}
	reg.mu.RLock()
	defer reg.mu.RUnlock()
	return reg.names[code]
}

// Names lists what is registered, in order.
func (reg *Registry) Names() []string {
	reg.mu.RLock()
	defer reg.mu.RUnlock()
	names := make([]string, 0, len(reg.funcs))
	for name := range reg.funcs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Name is the one it was registered under.
func (f Func[A, R]) Name() string { return f.name }

// Run runs the function as the main thread of a new run, as the function Run does.
func (f Func[A, R]) Run(ctx context.Context, opts Options, arg A) (R, error) {
	root := &task[struct{}, R]{f: func(w *Worker, _ struct{}) R { return f.f(w, arg) }}
	root.body = root
	err := begin(ctx, opts, &root.thread, codePointer(f.f))
	return root.result, err
}

// Call calls the function on this worker, without a thread.
func (f Func[A, R]) Call(w *Worker, arg A) R { return f.f(w, arg) }

// Encode encodes an argument, as the function can be called with by name.
func (f Func[A, R]) Encode(arg A) ([]byte, error) { return encode(&arg) }

// Decode reads a result of the function.
func (f Func[A, R]) Decode(result []byte) (r R, err error) {
	err = decode(result, &r)
	return r, err
}
