package timeline

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view/timeplot"
)

func Benchmark(b *testing.B) { kindtest.Bench(b, Kind()) }

func BenchmarkProcedures(b *testing.B) { kindtest.Bench(b, Kind(), "color", "procedure") }

// BenchmarkSamples draws a million samples of 64 threads: all of them, and a thousandth of their time.
func BenchmarkSamples(b *testing.B) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Substrate: "perf", PEs: 64})
	d := m.Dict()
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	for k := range 200 {
		d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Function, Name: "f" + strconv.Itoa(k)})})
	}
	s := m.Stream(tracer.StreamInfo{})
	r := rand.New(rand.NewPCG(1, 2))
	for k := range int64(1e6) {
		*s.Slot() = tracer.Event{
			Kind: tracer.Sample, Time: k * 15600, PE: int32(r.IntN(64)), Peer: tracer.None, Ref: uint64(1 + r.IntN(14)*r.IntN(14)), Code: metric, Value: 1,
		}
	}
	_ = m.Close()
	for _, color := range []string{"procedure", "kind"} {
		g, f := kindtest.Shown[*Geometry](b, Kind(), m, 1280, 800, "color", color)
		kindtest.BenchFrame(b, color, f, g.Base)
		f.Camera.Scale *= 1000
		f.Camera.ScaleY = timeplot.FitRows
		kindtest.BenchFrame(b, color+" closer", f, g.Base)
	}
}
