package threadgraph

import (
	"fmt"
	"runtime"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// recordThreads writes a run of n threads on 4 PEs. Each thread forks those below it in two parts, 2:3, and joins them in reverse order; every 100th
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

// recordGoals writes a run of n goals on 5 PEs. Each goal divides the goals below it 2:3. A PE works depth-first for 1,000 goals; then the next
// PE takes the oldest goal.
func recordGoals(m tracer.Recorder, n int) {
	s := m.Stream(tracer.StreamInfo{})
	type goal struct {
		task, ref uint64
		below     int
	}
	ready := []goal{{1, 0, n - 1}}
	next := uint64(2)
	for i := int64(0); len(ready) > 0; i++ {
		g := ready[len(ready)-1]
		if i%1000 == 999 {
			g = ready[0]
			ready = ready[1:]
		} else {
			ready = ready[:len(ready)-1]
		}
		left := g.below * 2 / 5
		for _, part := range []int{g.below - left, left} {
			if part > 0 {
				ready = append(ready, goal{next, g.task, part - 1})
				next++
			}
		}
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: i, Value: 1, Task: g.task, Ref: g.ref, PE: int32(i / 1000 % 5), Code: 1}
	}
	_ = m.Close()
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name   string
		record func(m tracer.Recorder, n int)
		n      int
	}{{"threads", recordThreads, 1_000_000}, {"threads", recordThreads, 4_000_000}, {"goals", recordGoals, 1_000_000}} {
		b.Run(fmt.Sprintf("%s=%d", c.name, c.n), func(b *testing.B) {
			m := tracer.NewMemory()
			c.record(m, c.n)
			var g *Graph
			for b.Loop() {
				g = must.Get(Build(m))(b)
			}
			b.ReportMetric(float64(c.n)*float64(b.N)/b.Elapsed().Seconds(), c.name+"/s")
			var with, without runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&with)
			b.ReportMetric(float64(g.Nodes())/float64(c.n), "nodes/"+c.name)
			g = nil
			runtime.GC()
			runtime.ReadMemStats(&without)
			b.ReportMetric(float64(with.HeapAlloc-without.HeapAlloc)/float64(c.n), "B/"+c.name)
		})
	}
}
