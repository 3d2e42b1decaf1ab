package threadgraph

import (
	"testing"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
)

// BenchmarkDraw draws a million threads at several scales, and finds the thread under the pointer and the selected ones.
func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name string
		src  func() *tracer.Memory
	}{
		{"tree", func() *tracer.Memory { return recorded(b, 64, func(w *dts.Worker) { fib(w, 29) }) }},
		{"chain", func() *tracer.Memory { return recorded(b, 64, func(w *dts.Worker) { chain(w, 100_000) }) }},
		{"flat", func() *tracer.Memory { return flat(1_000_000, 1000, 500_000, 1_000_000) }},
	} {
		g, f := kindtest.Shown[*Geometry](b, Kind(), c.src(), 1400, 900)
		near := *f
		near.Camera = newSheet(f, g).cameraOn(int32(g.Len() / 2))
		middle := *f // columns of a pixel, all rows
		middle.Camera = newSheet(f, g).Shown()
		middle.Camera.Scale = 1
		r := raster.New(kindtest.Glyphs)
		l := scene.New(1500, 1000)
		for _, v := range []struct {
			name string
			f    *view.Frame
		}{{"whole", f}, {"middle", &middle}, {"near", &near}} {
			b.Run(c.name+"/"+v.name, func(b *testing.B) {
				begin := testenv.CPUTime()
				for b.Loop() {
					l.Reset(1500, 1000)
					view.Draw(g, v.f, l)
				}
				b.ReportMetric(float64(testenv.CPUTime()-begin)/1e6/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(l.Len()), "shapes")
			})
			b.Run(c.name+"/"+v.name+"/raster", func(b *testing.B) {
				begin := testenv.CPUTime()
				for b.Loop() {
					r.Picture(l, 1)
				}
				b.ReportMetric(float64(testenv.CPUTime()-begin)/1e6/float64(b.N), "cpu-ms/op")
			})
		}
		b.Run(c.name+"/hit", func(b *testing.B) {
			for b.Loop() {
				g.Hit(f, 700, 450)
			}
		})
		b.Run(c.name+"/locate", func(b *testing.B) {
			for b.Loop() {
				g.Locate(f, view.Subtree("t", 5))
			}
		})
		b.Run(c.name+"/legend", func(b *testing.B) {
			for b.Loop() {
				g.Legend(f)
			}
		})
	}
}
