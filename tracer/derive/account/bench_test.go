package account_test

import (
	"testing"

	"whorl/tracer"
)

// BenchmarkCompute reads a run of goals on eight PEs: reductions, and one suspension with its resumption and its idle time for every ten of them.
func BenchmarkCompute(b *testing.B) {
	const many, pes = 10_000_000, 8
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	for _, c := range codes {
		m.Dict().Add(c)
	}
	s := m.Stream(tracer.StreamInfo{})
	for i := range int64(many) {
		e := tracer.Event{Kind: tracer.Reduce, Time: 10 * i, Task: uint64(i + 1), Ref: uint64(i/2 + 1), PE: int32(i % pes), Peer: -1, Code: clause, Value: 10 * pes}
		switch i / pes % 14 {
		case 4:
			e.Kind, e.Code = tracer.Suspend, other
		case 5:
			e.Kind, e.Code = tracer.Idle, noWork
		case 6:
			e.Kind, e.Peer = tracer.Resume, e.PE
			e.PE = int32((i + 1) % pes)
		case 0, 7:
			e.Kind = tracer.Busy
		}
		*s.Slot() = e
	}
	_ = m.Close()
	b.ResetTimer()
	for b.Loop() {
		compute(b, m)
	}
	b.ReportMetric(many*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
