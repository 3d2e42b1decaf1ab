package experiment

import (
	"context"
	"testing"
	"time"

	"whorl/dts"
)

// TestEndingThreadsAreWaitedFor ends a run whose thread goes on computing, and counts how often the run checks for its end.
func TestEndingThreadsAreWaitedFor(t *testing.T) {
	o := dts.Options{PEs: 1, Mode: dts.Live, Control: new(dts.Control), Limits: dts.Limits{Threads: 1}}
	r := &threadRun{pes: 1, options: o, done: make(chan struct{}), run: func(ctx context.Context) (string, error) {
		_, err := dts.Run(ctx, o, func(w *dts.Worker) int {
			defer time.Sleep(10 * liveSlice)
			dts.Fork(w, func(*dts.Worker, int) int { return 0 }, 1)
			dts.Fork(w, func(*dts.Worker, int) int { return 0 }, 1) // exceeds the limit
			return 0
		})
		return "", err
	}}
	looks, began := 0, time.Now()
	for more := true; more; looks++ {
		more, _ = r.advance(t.Context(), sliceActions)
	}
	if most := int(time.Since(began)/liveSlice) + 3; looks > most {
		t.Errorf("%d checks, want at most %d", looks, most)
	}
}
