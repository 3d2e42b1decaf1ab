package dts

import (
	"cmp"
	"context"
	"os"

	"whorl/dts/launch"
)

// A Join makes this process part of a cluster. It returns the Host on which a run takes place and a function that
// leaves the cluster, or a nil Host for a run in this process alone.
type Join func(ctx context.Context, o Options) (h *Host, leave func(), err error)

// join is the function of Attach, set before main.
var join Join

// registered has all registered functions in a process that is told to join a cluster; in others it is nil.
var registered = func() *Registry {
	if os.Getenv(launch.EnvJoin) == "" {
		return nil
	}
	return new(Registry)
}()

// Attach lets Run ask f for a Host, unless the program sets Options.Mode or Options.Remote. Package dts knows no
// network, so the init function of package cluster calls it, in a process that is told to join a cluster. Options.Funcs
// has all functions that the process has registered, unless the program sets it.
func Attach(f Join) { join = f }

// host returns the Host of a run in a cluster, or nil.
func (o Options) host(ctx context.Context) (*Host, func(), error) {
	if join == nil || o.Mode != "" || o.Remote != nil {
		return nil, nil, nil
	}
	o.Funcs = cmp.Or(o.Funcs, registered)
	return join(ctx, o)
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
