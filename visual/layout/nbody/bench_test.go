package nbody

import (
	"fmt"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// BenchmarkStep moves a cloud of bodies linked as a random tree, with theta 0.9.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprintf("bodies=%d/workers=%d", n, workers), func(b *testing.B) {
				m := Mesh()
				m.Workers, m.Repulsion, m.Length = workers, 30, 10
				links := make([]Link, n-1)
				r := uint32(12345)
				for i := range links {
					r ^= r << 13
					r ^= r >> 17
					r ^= r << 5
					links[i] = Link{int32(uint64(r) * uint64(i+1) >> 32), int32(i + 1), m.Length}
				}
				s := must.Get(New(m, cloud(n, 1), links))(b)
				begin := testenv.CPUTime()
				for b.Loop() {
					s.Move()
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
				b.ReportMetric(float64(b.N)/max((testenv.CPUTime()-begin).Seconds(), 1e-9), "steps/cpu-s")
			})
		}
	}
}

func BenchmarkTree(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		x := cloud(n, 1)
		var t tree
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				t.build(x)
			}
		})
	}
}
