package spawntree

import (
	"fmt"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// divide records a run of n goals on 5 PEs. Each goal divides the goals below it 2:3. A PE works depth-first for 1,000 goals; then the next PE
// takes the oldest goal.
func divide(m tracer.Recorder, n int) {
	var clause [3]uint32
	for k := range clause {
		clause[k] = m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprint("c", k), Children: int32(k)})
	}
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
		k := 0
		for _, part := range []int{g.below - left, left} {
			if part > 0 {
				ready = append(ready, goal{next, g.task, part - 1})
				next++
				k++
			}
		}
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: i, Value: 100, Task: g.task, Ref: g.ref, PE: int32(i / 1000 % 5), Code: clause[k]}
	}
	_ = m.Close()
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := tracer.NewMemory()
			divide(m, n)
			nodes := 0
			for b.Loop() {
				t := must.Get(Grow(m, nil, nil))(b)
				nodes = t.Len()
			}
			b.ReportMetric(float64(nodes)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkGrow adds the last twentieth of a trace to the tree.
func BenchmarkGrow(b *testing.B) {
	for _, n := range []int{1_000_000, 6_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := tracer.NewMemory()
			divide(m, n)
			var prev *Tree
			var src tracer.Source
			onwardtest.Replay(b, m, []int{n * 19 / 20}, func(k int, now *store.File) {
				if k < n {
					prev = build(b, now)
				} else if src == nil {
					src = now
				}
			})
			for b.Loop() {
				if t, err := Grow(src, prev, nil); err != nil || t.Len() != n {
					b.Fatal(t.Len(), err)
				}
			}
		})
	}
}

// BenchmarkPass condenses a tree in one pass.
func BenchmarkPass(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := tracer.NewMemory()
			divide(m, n)
			nodes := 0
			for b.Loop() {
				p := Pass{Memory: 32 << 20}
				_, t, err := p.Measure(m, 1000)
				must.Do(b, err)
				nodes = t.Len()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}

// From the file to the tree.
func BenchmarkFile(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "divide.whorl")
			w := must.Get(store.Create(path))(b)
			divide(w, n)
			for b.Loop() {
				f := must.Get(store.Open(path))(b)
				t, err := Grow(f, nil, nil)
				if err != nil || t.Len() != n {
					b.Fatal(t.Len(), err)
				}
				must.Do(b, f.Close())
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
