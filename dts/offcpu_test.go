//go:build linux

package dts_test

import (
	"fmt"
	"runtime"
	"testing"

	"whorl/dts"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/totals"
	"whorl/tracer/derive/workspan"
)

// churn computes for some milliseconds, without a fork and without a pause.
func churn(_ *dts.Worker, seed uint64) uint64 {
	for range 3_000_000 {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
	}
	return seed
}

// Of 8 PEs on 2 cores at most two compute at a time: what the threads ran for is what the process computed, however loaded the machine is,
// and not what passed by the clock, which the same trace says where it is not told that PEs had no core.
func TestOffCPU(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const pes, children = 8, 96
	for _, policy := range []string{"on-demand", "static", "round-robin"} {
		wrong := "never ran"
		for try := 0; wrong != "" && try < 5; try++ { // a collection, or others on the machine, may take part of the process's time once
			wrong = offCPU(t, policy, pes, children)
		}
		if wrong != "" {
			t.Errorf("%s: %s", policy, wrong)
		}
	}
}

// offCPU runs more PEs than there are cores, and says what of their times is not the processor's.
func offCPU(t *testing.T, policy string, pes, children int) string {
	t.Helper()
	rec := tracer.NewMemory()
	begin := cpuTime()
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
	computed := int64(cpuTime() - begin)
	work, clock := workOf(t, rec), workOf(t, withoutIdle(t, rec))
	t.Logf("%s: %.3f of the processor time, %.2f by the clock", policy, float64(work)/float64(computed), float64(clock)/float64(computed))
	sums, err := totals.Of(rec)
	if err != nil {
		t.Fatal(err)
	}
	ratio, busy := float64(work)/float64(computed), float64(sums.Work)/float64(computed)
	switch {
	case ratio < 0.8 || ratio > 1.05:
		return fmt.Sprintf("threads ran for %.3f of the time that the process computed, %d ns", ratio, computed)
	case clock < 2*work:
		return fmt.Sprintf("by the clock %d ns, not much more than %d by the processor time", clock, work)
	case busy < 0.8 || busy > 1.3: // with looking for work
		return fmt.Sprintf("PEs were busy for %.3f of the time that the process computed", busy)
	}
	return ""
}

func workOf(t *testing.T, src tracer.Source) int64 {
	t.Helper()
	g, err := threadgraph.Of(src)
	if err != nil {
		t.Fatal(err)
	}
	return workspan.Of(g).Work
}

// withoutIdle is a trace without the times at which threads had no core.
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
