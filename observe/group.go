package observe

import (
	"runtime/trace"
	"sync"

	"whorl/tracer/observed"
)

// The functions Go are not inlined: a goroutine is known by the first function of its stack that is not of this package, and a closure of an inlined
// function belongs to its caller.

// A WaitGroup is a sync.WaitGroup whose counter is in the trace.
type WaitGroup struct {
	wg sync.WaitGroup
	id object
}

// Add adds delta, which may be negative, to the counter.
func (g *WaitGroup) Add(delta int) {
	if trace.IsEnabled() {
		r := observed.Record{Op: observed.Add, Number: uint32(min(delta, observed.MostNumber))}
		if delta < 0 {
			r = observed.Record{Op: observed.Done, Number: uint32(min(-delta, observed.MostNumber))}
		}
		g.id.write(observed.Add, r.Op, r.Message(), 0)
	}
	g.wg.Add(delta)
}

// Done subtracts 1 from the counter.
func (g *WaitGroup) Done() {
	g.done()
	g.wg.Done()
}

func (g *WaitGroup) done() {
	if trace.IsEnabled() {
		g.id.write(observed.Add, observed.Done, "", 0)
	}
}

// Wait waits until the counter is 0.
func (g *WaitGroup) Wait() {
	g.wg.Wait()
	if trace.IsEnabled() {
		g.id.write(observed.Add, observed.Waited, "", 0)
	}
}

// Go calls f in a new goroutine, which the counter counts. As with sync.WaitGroup.Go, f must not panic.
//
//go:noinline
func (g *WaitGroup) Go(f func()) {
	if trace.IsEnabled() {
		g.id.write(observed.Add, observed.Add, "", 0)
	}
	g.wg.Go(func() {
		defer g.done()
		f()
	})
}

// A Group runs functions in goroutines and keeps the first error, as errgroup.Group does. In the trace it is a WaitGroup.
type Group struct {
	wg   WaitGroup
	once sync.Once
	err  error
}

// Go calls f in a new goroutine.
//
//go:noinline
func (g *Group) Go(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

// Wait waits until all functions have returned, and returns the first error.
func (g *Group) Wait() error {
	g.wg.Wait()
	return g.err
}
