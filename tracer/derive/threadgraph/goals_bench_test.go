package threadgraph

import (
	"fmt"
	"testing"

	"whorl/tracer"
)

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

func BenchmarkOfGoals(b *testing.B) {
	for _, n := range []int{1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := tracer.NewMemory()
			recordGoals(m, n)
			b.ReportAllocs()
			var g *Graph
			for b.Loop() {
				var err error
				if g, err = Build(m); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "goals/s")
			b.ReportMetric(float64(g.Nodes())/float64(n), "nodes/goal")
		})
	}
}
