package dts_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"whorl/dts"
	"whorl/tracer"
)

// await waits until the run is paused or has ended. The timeout is long for any machine.
func await(t *testing.T, c *dts.Control) {
	t.Helper()
	select {
	case <-c.Still():
	case <-time.After(4 * time.Minute):
		c.Go(-1)
		t.Fatal("the run neither pauses nor ends")
	}
}

// A Control of a run that fails before it begins reports that the run has ended.
func TestControlOfNoRun(t *testing.T) {
	c := new(dts.Control)
	if _, err := dts.Run(t.Context(), dts.Options{Policy: "none such", Control: c}, func(*dts.Worker) int { return 0 }); err == nil {
		t.Fatal("the run has begun")
	}
	select {
	case <-c.Still():
	default:
		t.Error("Still is not closed")
	}
	if n, d := c.Progress(); c.IsStill() || n != 0 || d != 0 {
		t.Errorf("%d steps in %s, still %v", n, d, c.IsStill())
	}
}

// A halted run pauses or ends, even if it is halted just before its end.
func TestHaltAtTheEnd(t *testing.T) {
	for _, policy := range []string{"on-demand", "breadth-first"} {
		for range 100 {
			c := new(dts.Control)
			done := make(chan struct{})
			go func() {
				defer close(done)
				if n, err := dts.Run(t.Context(), dts.Options{PEs: 4, Policy: policy, Mode: dts.Live, Control: c}, func(w *dts.Worker) int { return fib(w, 2) }); n != 1 || err != nil {
					t.Error(n, err)
				}
			}()
			for range 50 { // most of them let some PE go on
				c.Go(-1)
				runtime.Gosched()
				c.Halt()
				await(t, c)
			}
			c.Go(-1)
			<-done
		}
	}
}

// A paused run can be described while it is cancelled.
func TestLookAtCancelled(t *testing.T) {
	for _, policy := range []string{"on-demand", "static", "breadth-first"} {
		for range 30 {
			ctx, cancel := context.WithCancel(t.Context())
			c := new(dts.Control)
			var run sync.WaitGroup
			run.Go(func() {
				_, err := dts.Run(ctx, dts.Options{PEs: 3, Policy: policy, Mode: dts.Live, Control: c, Recorder: tracer.NewMemory()}, func(w *dts.Worker) int { return fib(w, 12) })
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
			c.Go(200)
			await(t, c)
			run.Go(cancel)
			for range 20 {
				c.Standing(100)
			}
			run.Wait()
		}
	}
}

// The time limit does not count the time while a run is paused, and counts the time while it goes on.
func TestPausedTimeIsNoLimit(t *testing.T) {
	const limit = 100 * time.Millisecond
	for _, mode := range []string{dts.Live, dts.Sim} {
		for stood := false; !stood; { // else the run began so late that it met the limit at once
			c := new(dts.Control)
			done := make(chan error)
			go func() {
				_, err := dts.Run(t.Context(), dts.Options{PEs: 2, Mode: mode, Control: c, Limits: dts.Limits{Time: limit}}, func(w *dts.Worker) int {
					for {
						dts.Fork(w, fib, 1).Join(w)
					}
				})
				done <- err
			}()
			await(t, c)
			if stood = c.IsStill(); stood {
				time.Sleep(2 * limit)
				if !c.IsStill() {
					t.Errorf("%s: it ended while it was paused", mode)
				}
			}
			c.Go(-1)
			var over *dts.LimitError
			if err := <-done; !errors.As(err, &over) {
				t.Errorf("%s: %v", mode, err)
			}
		}
	}
}
