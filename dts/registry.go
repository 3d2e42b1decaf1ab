package dts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"whorl/dts/codec"
)

// A Registry maps names to functions, so that another host can run them. All hosts run the same program and register
// the same names. The zero Registry is empty and ready to use.
type Registry struct {
	mu    sync.RWMutex
	funcs map[string]func(arg []byte) (body, uintptr, error)
	names map[uintptr]string // by the entry of the function
}

// A Func is a registered function.
type Func[A, R any] struct {
	name  string
	f     func(*Worker, A) R
	takes func(A) time.Duration // estimate of the duration of a call; nil if unknown
}

// Register adds f under a new name. The program forks the returned Func in place of f. Arguments and results travel
// as encoding/gob encodes them, without unexported fields.
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
		err := codec.Decode(arg, &k.arg)
		return k, codePointer(f), err
	}
	return Func[A, R]{name: name, f: f}
}

// Takes returns the function with an estimate of the duration of a call on one PE, including the threads that it
// forks. A Remote keeps calls that are too short for a message on this host (Call.Takes). With a Remote, each fork
// calls the estimate, which should be fast.
//
//	sum = dts.Register(&funcs, "sum", add).Takes(func(s span) time.Duration { return time.Duration(s.To-s.From) * time.Nanosecond })
func (f Func[A, R]) Takes(estimate func(arg A) time.Duration) Func[A, R] {
	f.takes = estimate
	return f
}

// nameOf returns the registered name of the function with that entry, "" if it has none.
func (reg *Registry) nameOf(code uintptr) string {
	if reg == nil {
		return ""
	}
	reg.mu.RLock()
	defer reg.mu.RUnlock()
	return reg.names[code]
}

// Name returns the registered name of the function.
func (f Func[A, R]) Name() string { return f.name }

// Run runs the function as the main thread of a new run, like the function Run.
func (f Func[A, R]) Run(ctx context.Context, opts Options, arg A) (R, error) {
	root := &task[struct{}, R]{f: func(w *Worker, _ struct{}) R { return f.f(w, arg) }}
	root.body = root
	err := begin(ctx, opts, &root.thread, codePointer(f.f))
	return root.result, err
}

// Call calls the function on this worker without a thread.
func (f Func[A, R]) Call(w *Worker, arg A) R { return f.f(w, arg) }

// Encode encodes an argument for a call by name.
func (f Func[A, R]) Encode(arg A) ([]byte, error) { return codec.Encode(&arg) }

// Decode decodes a result of the function.
func (f Func[A, R]) Decode(result []byte) (r R, err error) {
	err = codec.Decode(result, &r)
	return r, err
}
