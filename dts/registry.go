package dts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"whorl/dts/codec"
)

// A Registry maps names to functions, so that another host can run them. All hosts run the same program and register
// the same names. The zero Registry is empty and ready to use.
type Registry struct {
	mu    sync.RWMutex
	funcs map[string]registration
	names map[uintptr]string // by the entry of the function
}

// A registration makes calls of a function.
type registration struct {
	code uintptr // entry of the function
	call func(arg []byte) (body, error)
}

// add adds a function unless its name is taken.
func (reg *Registry) add(name string, r registration) (added bool) {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if _, taken := reg.funcs[name]; taken {
		return false
	}
	if reg.funcs == nil {
		reg.funcs, reg.names = map[string]registration{}, map[uintptr]string{}
	}
	reg.funcs[name], reg.names[r.code] = r, name
	return true
}

// find returns the function with the given name.
func (reg *Registry) find(name string) (r registration, ok bool) {
	reg.mu.RLock()
	defer reg.mu.RUnlock()
	r, ok = reg.funcs[name]
	return r, ok
}

// A Func is a registered function.
type Func[A, R any] struct {
	reg   *Registry
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
	code := codePointer(f)
	r := registration{code, func(arg []byte) (body, error) {
		k := &task[A, R]{f: f}
		k.body = k
		if err := codec.Decode(arg, &k.arg); err != nil {
			return nil, fmt.Errorf("cannot decode the argument: %w", err)
		}
		return k, nil
	}}
	if !reg.add(name, r) {
		panic(fmt.Sprintf("dts: two functions are registered as %q", name))
	}
	cluster.register(name, r)
	return Func[A, R]{reg: reg, name: name, f: f}
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

// forbid lets calls of an ambiguous name fail.
func (reg *Registry) forbid(name string) {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	reg.funcs[name] = registration{call: func([]byte) (body, error) {
		return nil, errors.New("two registries have a function of this name: set Options.Funcs to one of them")
	}}
}

// Empty reports whether no function is registered.
func (reg *Registry) Empty() bool {
	reg.mu.RLock()
	defer reg.mu.RUnlock()
	return len(reg.funcs) == 0
}

// Name returns the registered name of the function.
func (f Func[A, R]) Name() string { return f.name }

// Registry returns the registry of the function.
func (f Func[A, R]) Registry() *Registry { return f.reg }

// Run runs the function as the main thread of a new run, like the function Run. If opts.Funcs is nil, it is the
// registry of the function.
func (f Func[A, R]) Run(ctx context.Context, opts Options, arg A) (R, error) {
	opts.Funcs = cmp.Or(opts.Funcs, f.reg)
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
