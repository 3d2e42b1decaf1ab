package activity

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// long returns a trace of n events. Every fourth event is a change of state.
func long(n, pes int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	for _, name := range []string{"1", "2", "3", "4", "5"} {
		m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: name})
	}
	s := m.Stream(tracer.StreamInfo{})
	free := make([]int64, pes)
	for i := range n {
		pe := i % pes
		e := tracer.Event{Kind: tracer.Reduce, PE: int32(pe), Task: uint64(i + 1), Code: uint32(i%5 + 1), Time: int64(i) * 10, Value: int64(5 * pes), Peer: -1}
		if i/pes%4 == 3 {
			e.Kind, e.Value = []tracer.Kind{tracer.Busy, tracer.Idle, tracer.Busy, tracer.Overhead}[i/pes/4%4], 0
		}
		free[pe] = e.Time + e.Value
		*s.Slot() = e
	}
	_ = m.Close()
	return m
}

const many = 10_000_000

func BenchmarkBuild(b *testing.B) {
	src := long(many, 64)
	for b.Loop() {
		build(b, src, nil)
	}
	b.ReportMetric(many*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkColumns(b *testing.B) {
	a := build(b, long(many, 64), nil)
	bounds := make([]int64, 2001)
	for i := range bounds {
		bounds[i] = a.To / 2000 * int64(i)
	}
	shares := make([]Share, 2000)
	for b.Loop() {
		for i := range a.Lanes {
			a.Lanes[i].Columns(bounds, shares)
		}
	}
}

func BenchmarkPyramid(b *testing.B) {
	a := build(b, long(many, 64), nil)
	for b.Loop() {
		must.Get(NewPyramid(a, nil, nil))(b)
	}
}
