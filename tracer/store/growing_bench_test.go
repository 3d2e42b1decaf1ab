package store_test

import (
	"bytes"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// BenchmarkGrowing writes a trace in pieces of 64 KiB and reads each part once.
func BenchmarkGrowing(b *testing.B) {
	var data bytes.Buffer
	w := store.New(&data)
	s := w.Stream(tracer.StreamInfo{})
	const events = 1 << 18
	for _, e := range store.FGHCLike(events, 16, 1) {
		*s.Slot() = e
	}
	must.Do(b, w.Close())
	for _, read := range []bool{false, true} {
		name := "taken"
		if read {
			name = "read"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				g := store.NewGrowing()
				var mark store.Mark
				n := 0
				for rest := data.Bytes(); len(rest) > 0; {
					piece := rest[:min(1<<16, len(rest))]
					rest = rest[len(piece):]
					must.Get(g.Write(piece))(b)
					if read {
						src := g.Snapshot()
						part, ok := store.Since(src, mark)
						if !ok {
							part = src
						}
						mark = store.End(src)
						must.Do(b, part.Scan(tracer.AllKinds, func(es []tracer.Event) error { n += len(es); return nil }))
					}
				}
				if read && n != events {
					b.Fatalf("%d events", n)
				}
			}
			b.ReportMetric(float64(b.N)*events/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
