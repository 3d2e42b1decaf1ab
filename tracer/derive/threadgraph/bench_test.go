package threadgraph

import (
	"fmt"
	"runtime"
	"testing"

	"whorl/tracer"
)

// record writes a run of n threads on 4 PEs. Each thread forks those below it in two parts, 2:3, and joins them in reverse order; every 100th
// thread runs on another PE than its parent.
func recordThreads(m tracer.Recorder, n int) {
	code := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "divide"})
	s := m.Stream(tracer.StreamInfo{})
	next, now := uint64(1), int64(0)
	put := func(e tracer.Event) {
		now += 10
		e.Time, e.Code = now, code
		*s.Slot() = e
	}
	var run func(task uint64, pe int32, below int, peer int32)
	run = func(task uint64, pe int32, below int, peer int32) {
		put(tracer.Event{Kind: tracer.Start, Task: task, PE: pe, Peer: peer, Value: 1})
		left := below * 2 / 5
		var child [2]uint64
		parts := [2]int{below - left, left}
		for i, part := range parts {
			if part > 0 {
				next++
				child[i] = next
				put(tracer.Event{Kind: tracer.Fork, Task: next, Ref: task, PE: pe, Peer: pe})
			}
		}
		for i := 1; i >= 0; i-- {
			switch c := child[i]; {
			case c == 0:
			case c%100 == 0:
				put(tracer.Event{Kind: tracer.JoinBegin, Task: task, Ref: c, PE: pe, Peer: (pe + 1) % 4})
				run(c, (pe+1)%4, parts[i]-1, pe)
				put(tracer.Event{Kind: tracer.JoinEnd, Task: task, Ref: c, PE: pe, Peer: (pe + 1) % 4})
			default:
				run(c, pe, parts[i]-1, tracer.Inline)
			}
		}
		put(tracer.Event{Kind: tracer.End, Task: task, PE: pe, Peer: peer})
	}
	run(1, 0, n-1, tracer.None)
	_ = m.Close()
}

func BenchmarkOf(b *testing.B) {
	for _, n := range []int{1_000_000, 4_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := tracer.NewMemory()
			recordThreads(m, n)
			var g *Graph
			for b.Loop() {
				var err error
				if g, err = Build(m); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds(), "threads/s")
			var with, without runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&with)
			n := g.Len()
			g = nil
			runtime.GC()
			runtime.ReadMemStats(&without)
			b.ReportMetric(float64(with.HeapAlloc-without.HeapAlloc)/float64(n), "B/thread")
		})
	}
}
