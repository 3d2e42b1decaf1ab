package experiment

import (
	"context"
	"io"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

func fibonacci() Run {
	r := Defaults("fibonacci")
	r.Args, r.PEs = []string{"24"}, 8
	return r
}

// BenchmarkRun measures runs without a recorder and with one that writes a trace.
func BenchmarkRun(b *testing.B) {
	p := must.Get(fibonacci().Resolve())(b)
	for _, c := range []struct {
		name string
		rec  func() tracer.Recorder
	}{
		{"off", func() tracer.Recorder { return nil }},
		{"packed", func() tracer.Recorder { return store.New(io.Discard) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			done := int64(0)
			for b.Loop() {
				rec := c.rec()
				last := int64(0)
				must.Get(p.Run(context.Background(), rec, func(at Progress) { last = at.Reductions }))(b)
				done += last
				if rec != nil {
					must.Do(b, rec.Close())
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "reductions/s")
		})
	}
}
