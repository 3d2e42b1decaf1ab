package dts_test

import (
	"math"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// The clock of a live trace starts after its rate has been measured, which takes two milliseconds or more.
func TestClockBeginsSoak(t *testing.T) {
	testenv.OnlySoak(t)
	first := time.Duration(math.MaxInt64)
	for range 500 { // until the machine lets a run begin at once
		rec := tracer.NewMemory()
		result(t, dts.Options{PEs: 1, Recorder: rec}, func(w *dts.Worker) int { return fib(w, 2) })
		from, _ := rec.Span()
		if from < 0 {
			t.Fatalf("event at %d ns", from)
		}
		if first = min(first, time.Duration(from)); first < time.Millisecond {
			return
		}
	}
	t.Errorf("no run began before %s", first)
}

// The time of Options.Check is not part of the run, neither in its trace nor in its Stats.
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
		result(t, dts.Options{PEs: 2, Policy: policy, Recorder: rec, Check: check, Stats: &numbers}, func(w *dts.Worker) int { return fib(w, 5) })
		if _, to := rec.Span(); time.Duration(to) > until || numbers.Elapsed > until || to == 0 {
			t.Errorf("%s: the trace ends at %d ns, %s elapsed; the check began before %s", policy, to, numbers.Elapsed, until)
		}
	}
}
