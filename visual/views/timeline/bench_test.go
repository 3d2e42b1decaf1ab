package timeline

import (
	"fmt"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

// BenchmarkDense selects everything there is in ten million steps.
func BenchmarkDense(b *testing.B) {
	g, f := shown(b, viewtest.Many(10_000_000, 64, 1000, 1, 1), 1900, 1000)
	for b.Loop() {
		picture{}.Locate(f, g, view.Selection{Trace: "t", Codes: []uint32{1}})
	}
}

// BenchmarkChanges draws a run of ten million changes of state.
func BenchmarkChanges(b *testing.B) {
	const n, pes = 10_000_000, 64
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	for i := range n {
		kind := [4]tracer.Kind{tracer.Busy, tracer.Overhead, tracer.Busy, tracer.Idle}[(i/pes+i%3)%4]
		*s.Slot() = tracer.Event{Kind: kind, PE: int32(i % pes), Peer: -1, Time: int64(i) * 10}
	}
	_ = m.Close()
	g, f := shown(b, m, 1900, 1000)
	l := scene.New(2000, 1100)
	for b.Loop() {
		l.Reset(2000, 1100)
		picture{}.Base(f, g, l)
	}
}

func BenchmarkBase(b *testing.B) {
	for _, pes := range []int{64, 4096} {
		src := viewtest.Many(10_000_000, pes, 1000, 1, 1)
		g, f := shown(b, src, 1900, 1000)
		b.Run(fmt.Sprintf("whole/%d", pes), func(b *testing.B) {
			l := scene.New(2000, 1100)
			for b.Loop() {
				l.Reset(2000, 1100)
				picture{}.Base(f, g, l)
			}
		})
		b.Run(fmt.Sprintf("subtree/%d", pes), func(b *testing.B) {
			for b.Loop() {
				picture{}.Locate(f, g, view.Subtree("t", 77))
			}
		})
		b.Run(fmt.Sprintf("task/%d", pes), func(b *testing.B) {
			for b.Loop() {
				picture{}.Locate(f, g, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 5_000_000}}})
			}
		})
	}
}
