package cluster

import (
	"context"
	"errors"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
)

// TestMainThread runs dts.Run in a process that is told to join a cluster. The main thread stays in the process, with its
// variables, and its forks go to the other node. Runs inside the run stay in the process. Errors are those of any run.
func TestMainThread(t *testing.T) {
	s := startServer(t, Host{})
	other := startNode(t, s.URL(), "other")
	c := dial(t, Options{Server: s, timing: haste})
	awaitNodes(t, c, 1)
	t.Setenv(EnvJoin, s.URL())
	t.Setenv(EnvMain, "main")
	defer dts.Attach(joiner())()
	o := dts.Options{Funcs: &funcs, PEs: 2, Stats: new(dts.Stats)}

	forked, joined := "", soon(t)
	got, err := dts.Run(soon(t), o, func(w *dts.Worker) int {
		if err := c.AwaitNodes(joined, func() int { return 2 }); err != nil {
			panic(err)
		}
		forked = where.ForkOn(w, "other", 0).Join(w)
		inner, err := dts.Run(context.Background(), dts.Options{PEs: 1}, func(*dts.Worker) int { return 3 })
		if err != nil {
			panic(err)
		}
		return inner + fib(w, fibArg{N: 12})
	})
	if err != nil || got != 3+fibonacci(12) || forked != "other" {
		t.Errorf("%d, %v; the fork ran on %q", got, err, forked)
	}
	if o.Stats.PEs != 2 || o.Stats.Elapsed == 0 {
		t.Errorf("%+v", o.Stats)
	}

	broken := errors.New("broken")
	var loose *dts.UnjoinedError
	cancelled, cancel := context.WithCancelCause(t.Context())
	for _, c := range []struct {
		name string
		ctx  context.Context
		o    dts.Options
		f    func(*dts.Worker) int
		want func(error) bool
	}{
		{"again", soon(t), o, func(w *dts.Worker) int { return fib(w, fibArg{N: 12}) }, func(err error) bool { return err == nil }},
		{"a panic", soon(t), o, func(*dts.Worker) int { panic(broken) }, func(err error) bool { return errors.Is(err, broken) }},
		{"no join", soon(t), o, func(w *dts.Worker) int { fibFunc.Fork(w, fibArg{N: 1}); return 0 }, func(err error) bool { return errors.As(err, &loose) }},
		{
			"no function", soon(t),
			dts.Options{Funcs: new(dts.Registry), Check: func(any) error { return broken }},
			func(*dts.Worker) int { return 0 }, func(err error) bool { return errors.Is(err, broken) },
		},
		{
			"cancelled", cancelled, o, func(w *dts.Worker) int { cancel(broken); return fib(w, fibArg{30, time.Second}) },
			func(err error) bool { return errors.Is(err, broken) },
		},
	} {
		if _, err := dts.Run(c.ctx, c.o, c.f); !c.want(err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}

	t.Setenv(EnvJoin, "nats://127.0.0.1:1")
	if _, err := dts.Run(soon(t), o, func(*dts.Worker) int { return 0 }); !errors.Is(err, ErrNoServer) {
		t.Errorf("without a server: %v", err)
	}
	must.Do(t, c.Dismiss(soon(t)))
	if log, err := other.ended(t); err != nil {
		t.Errorf("%v: %s", err, log)
	}
}

// TestRunAlone runs Run outside a cluster, live and simulated.
func TestRunAlone(t *testing.T) {
	for _, mode := range []string{dts.Live, dts.Sim} {
		if got, err := Run(soon(t), Options{Local: dts.Options{Mode: mode, PEs: 2}}, fibFunc, fibArg{N: 12}); err != nil || got != fibonacci(12) {
			t.Errorf("%s: %d, %v", mode, got, err)
		}
	}
}
