package traffic

import (
	"fmt"
	"testing"

	"whorl/testdata/must"
)

func BenchmarkTraffic(b *testing.B) {
	for _, pes := range []int{8, 1 << 20} {
		src := many(3_000_000, pes)
		b.Run(fmt.Sprint(pes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Get(Grow(src, Options{}, nil, nil))(b)
			}
			b.ReportMetric(float64(b.N)*3e6/b.Elapsed().Seconds(), "events/s")
		})
	}
}
