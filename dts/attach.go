package dts

import (
	"cmp"
	"context"
	"os"
	"sync"

	"whorl/dts/launch"
)

// A Join makes this process part of a cluster. It returns the Host on which a run takes place and a function that
// leaves the cluster, or a nil Host for a run in this process alone.
type Join func(ctx context.Context, o Options) (h *Host, leave func(), err error)

// cluster is the way of this process to a cluster. It is global, as the registered drivers of database/sql are, because
// a program that only calls Run has no value that could hold it.
var cluster attachment

// An attachment has the function of Attach, and all functions that a process has registered if it is told to join a
// cluster.
type attachment struct {
	mu    sync.Mutex
	join  Join
	funcs *Registry
}

// Attach lets Run ask f for a Host, unless the program sets Options.Mode or Options.Remote. Package dts knows no
// network, so the init function of package cluster calls it, in a process that is told to join a cluster. Options.Funcs
// has all functions that the process has registered, unless the program sets it. A process has one way to a cluster:
// Attach panics if it is called again before detach.
func Attach(f Join) (detach func()) {
	cluster.mu.Lock()
	defer cluster.mu.Unlock()
	if cluster.join != nil {
		panic("dts: Attach is called twice")
	}
	cluster.join = f
	return func() {
		cluster.mu.Lock()
		defer cluster.mu.Unlock()
		cluster.join, cluster.funcs = nil, nil
	}
}

// register adds a function if the process is told to join a cluster.
func (a *attachment) register(name string, r registration) {
	if os.Getenv(launch.EnvJoin) == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.funcs == nil {
		a.funcs = new(Registry)
	}
	if !a.funcs.add(name, r) {
		a.funcs.forbid(name)
	}
}

// current returns the function of Attach, nil if there is none, and the registered functions.
func (a *attachment) current() (Join, *Registry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.funcs == nil {
		a.funcs = new(Registry)
	}
	return a.join, a.funcs
}

// host returns the Host of a run in a cluster, or nil.
func (o Options) host(ctx context.Context) (*Host, func(), error) {
	join, funcs := cluster.current()
	if join == nil || o.Mode != "" || o.Remote != nil {
		return nil, nil, nil
	}
	o.Funcs = cmp.Or(o.Funcs, funcs)
	return join(ctx, o)
}

// RunOn calls f as the main thread of a run on a host, as Run does, and closes the host. Other hosts can take the threads that f forks.
func RunOn[R any](h *Host, f func(*Worker) R) (R, error) {
	root := &task[struct{}, R]{f: func(w *Worker, _ struct{}) R { return f(w) }}
	root.body, root.code = root, codePointer(f)
	err := h.carryOut(&root.thread, &Options{})
	return root.result, err
}

// carryOut runs the main thread of a run on the host and closes the host. The main thread stays in this process, whose
// variables it may use; other hosts can take the threads that it forks.
func (h *Host) carryOut(root *thread, o *Options) error {
	done := make(chan struct{})
	root.far = &far{path: rootID.child(h.s.FirstTask), over: func() { close(done) }} // other hosts keep the results of earlier runs
	if err := h.start(root); err != nil {
		return err
	}
	<-done
	s := h.s
	cause := context.Cause(s.ctx) // Close cancels it too
	err := h.Close()
	if o.Stats != nil {
		*o.Stats = s.stats()
	}
	switch {
	case err != nil:
		return err
	case root.failed != nil:
		return root.failed
	case cause != nil:
		return cause
	case len(s.loose) > 0:
		return s.unjoined()
	}
	return s.check(root)
}
