package dts_test

import (
	"math"
	"testing"
	"time"

	"whorl/dts"
	"whorl/tracer"
)

// The clock of a live trace begins with the run: the two milliseconds that its rate is measured for, and more on a loaded machine, are before.
func TestClockBegins(t *testing.T) {
	first := time.Duration(math.MaxInt64)
	for range 500 { // until the machine lets one begin at once
		rec := tracer.NewMemory()
		must(t, dts.Options{PEs: 1, Recorder: rec}, func(w *dts.Worker) int { return fib(w, 2) })
		from, _ := rec.Span()
		if from < 0 {
			t.Fatalf("an event at %d ns", from)
		}
		if first = min(first, time.Duration(from)); first < time.Millisecond {
			return
		}
	}
	t.Errorf("no run began before %s", first)
}

// What Options.Check takes is no part of the run, in its trace or in its numbers.
func TestCheckIsNoPart(t *testing.T) {
	for _, policy := range []string{"on-demand", "random"} {
		rec := tracer.NewMemory()
		var numbers dts.Stats
		var until time.Duration
		begin := time.Now()
		check := func(any) error {
			until = time.Since(begin)
			time.Sleep(50 * time.Millisecond)
			return nil
		}
		must(t, dts.Options{PEs: 2, Policy: policy, Recorder: rec, Check: check, Stats: &numbers}, func(w *dts.Worker) int { return fib(w, 5) })
		if _, to := rec.Span(); time.Duration(to) > until || numbers.Elapsed > until || to == 0 {
			t.Errorf("%s: the trace ends at %d ns, %s elapsed; the check began before %s", policy, to, numbers.Elapsed, until)
		}
	}
}
