//go:build linux

package dts_test

import (
	"runtime"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/testdata/tracertest"
)

// churn computes for some milliseconds without a fork or a pause.
func churn(_ *dts.Worker, seed uint64) uint64 {
	for range 3_000_000 {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
	}
	return seed
}

// TestOffCPU runs 8 PEs on 2 cores, so at most two PEs compute at a time. The intervals off the processor are no part of
// the run times of the threads, which are longer with them.
func TestOffCPU(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, policy := range []string{"on-demand", "static", "round-robin"} {
		r := offCPU(t, policy)
		if r.work <= 0 || r.work >= r.clock {
			t.Errorf("%s: %+v", policy, r)
		}
	}
}

// TestOffCPUSoak compares the run times of the threads with the processor time of the process.
func TestOffCPUSoak(t *testing.T) {
	testenv.OnlySoak(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, policy := range []string{"on-demand", "static", "round-robin"} {
		var r runTimes
		good := false
		for try := 0; !good && try < 5; try++ { // a collection or other processes may use part of the time once
			r = offCPU(t, policy)
			work, busy := float64(r.work)/float64(r.computed), float64(r.busy)/float64(r.computed)
			good = work > 0.8 && work < 1.05 && busy > 0.8 && busy < 1.3 && r.clock > 2*r.work // busy includes the search for work
		}
		if !good {
			t.Errorf("%s: %+v", policy, r)
		}
	}
}

// runTimes are the times of a run in ns.
type runTimes struct {
	computed int64 // processor time of the process
	work     int64 // run times of the threads
	clock    int64 // run times of the threads, including the intervals off the processor
	busy     int64 // in which PEs had work
}

// offCPU runs more PEs than there are cores.
func offCPU(t *testing.T, policy string) runTimes {
	t.Helper()
	const pes, children = 8, 96
	rec := tracer.NewMemory()
	begin := testenv.CPUTime()
	result(t, dts.Options{PEs: pes, Policy: policy, Recorder: rec}, func(w *dts.Worker) (sum uint64) {
		hs := make([]dts.Handle[uint64], children)
		for i := range hs {
			hs[i] = dts.ForkOn(w, i%pes, churn, uint64(i+1))
		}
		for _, h := range hs {
			sum ^= h.Join(w)
		}
		return sum
	})
	computed := int64(testenv.CPUTime() - begin)
	times := must.Get(account.Compute(rec))(t).Total()
	r := runTimes{computed, workOf(t, rec), workOf(t, withoutIdle(t, rec)), times[account.Work] + times[account.Scheduling]}
	t.Logf("%s: %+v", policy, r)
	return r
}

// TestWall checks that the time in which a thread waits for a goroutine of its own counts as work.
func TestWall(t *testing.T) {
	const nap = 20 * time.Millisecond
	rec := tracer.NewMemory()
	result(t, dts.Options{PEs: 1, Recorder: rec, Wall: true}, func(*dts.Worker) uint64 {
		done := make(chan uint64)
		go func() {
			time.Sleep(nap)
			done <- 1
		}()
		return <-done
	})
	if work := workOf(t, rec); work < int64(nap) {
		t.Errorf("the thread worked for %d ns, want at least %d", work, nap)
	}
}

func workOf(t *testing.T, src tracer.Source) int64 {
	t.Helper()
	g := must.Get(threadgraph.Build(src))(t)
	return workspan.Compute(g).Work
}

// withoutIdle returns a trace without the intervals in which threads had no core.
func withoutIdle(t *testing.T, src *tracer.Memory) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range tracertest.Events(t, src, tracer.AllKinds) {
		if e.Kind != tracer.Idle && e.Kind != tracer.Busy || e.Task == 0 {
			*s.Slot() = e
		}
	}
	return m
}
