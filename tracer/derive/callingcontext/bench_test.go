package callingcontext

import (
	"runtime"
	"testing"
)

// BenchmarkLarge merges 10,000 processes with 10,000 contexts. A process has a value in one of ten contexts, so it has entries in four of ten.
// The memory is what the Go runtime took from the system, its peak.
func BenchmarkLarge(b *testing.B) {
	const processes, nodes = 10_000, 10_000
	for b.Loop() {
		m := NewMerger()
		time := m.Metric(Metric{Name: "time", Unit: "ns", Scale: 1})
		at := []int32{Root}
		for v := 1; v < nodes; v++ {
			at = append(at, m.Call(at[max(v-1-v*7919%50, 0)], uint32(v)))
		}
		for p := range int32(processes) {
			m.Process(Process{})
			for v := 1 + int(p)%10; v < nodes; v += 10 {
				m.Add(p, at[v], time, int64(v))
			}
		}
		t := m.Tree()
		if got := t.Total(Root, time, true); got != 1000*49_995_000 {
			b.Fatalf("%d in all", got)
		}
		b.ReportMetric(float64(len(t.Process)), "entries")
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	b.ReportMetric(float64(s.Sys)/1e6, "sys-MB")
}
