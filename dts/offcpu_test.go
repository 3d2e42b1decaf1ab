//go:build linux

package dts_test

import (
	"fmt"
	"runtime"
	"testing"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/workspan"
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

// TestOffCPU runs 8 PEs on 2 cores, so at most two PEs compute at a time. The run times of the threads add up to the
// processor time of the process, however loaded the machine is. The same trace without the intervals off the processor
// shows the elapsed time.
func TestOffCPU(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const pes, children = 8, 96
	for _, policy := range []string{"on-demand", "static", "round-robin"} {
		wrong := "never ran"
		for try := 0; wrong != "" && try < 5; try++ { // a collection or other processes may use part of the time once
			wrong = offCPU(t, policy, pes, children)
		}
		if wrong != "" {
			t.Errorf("%s: %s", policy, wrong)
		}
	}
}

// offCPU runs more PEs than there are cores. It returns a description of run times that differ from the processor
// time.
func offCPU(t *testing.T, policy string, pes, children int) string {
	t.Helper()
	rec := tracer.NewMemory()
	begin := testenv.CPUTime()
	must(t, dts.Options{PEs: pes, Policy: policy, Recorder: rec}, func(w *dts.Worker) (sum uint64) {
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
	work, clock := workOf(t, rec), workOf(t, withoutIdle(t, rec))
	t.Logf("%s: %.3f of the processor time, %.2f by the clock", policy, float64(work)/float64(computed), float64(clock)/float64(computed))
	sums, err := totals.Compute(rec)
	if err != nil {
		t.Fatal(err)
	}
	ratio, busy := float64(work)/float64(computed), float64(sums.Work)/float64(computed)
	switch {
	case ratio < 0.8 || ratio > 1.05:
		return fmt.Sprintf("threads ran for %.3f of the time that the process computed, %d ns", ratio, computed)
	case clock < 2*work:
		return fmt.Sprintf("by the clock %d ns, not much more than %d by the processor time", clock, work)
	case busy < 0.8 || busy > 1.3: // including the search for work
		return fmt.Sprintf("PEs were busy for %.3f of the time that the process computed", busy)
	}
	return ""
}

func workOf(t *testing.T, src tracer.Source) int64 {
	t.Helper()
	g, err := threadgraph.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	return workspan.Compute(g).Work
}

// withoutIdle returns a trace without the intervals in which threads had no core.
func withoutIdle(t *testing.T, src *tracer.Memory) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	err := src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			if e.Kind != tracer.Idle && e.Kind != tracer.Busy || e.Task == 0 {
				*s.Slot() = e
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
