package replay

import (
	"testing"
	"time"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
)

// tree forks a binary tree of tasks that compute 1 µs each and join their children.
func tree(depth int) *Graph {
	g := &Graph{}
	var grow func(n uint32, depth int)
	grow = func(n uint32, depth int) {
		g.Compute(n, time.Microsecond)
		if depth > 0 {
			a := g.Fork(n, 1, 8, -1)
			b := g.Fork(n, 1, 8, -1)
			grow(a, depth-1)
			grow(b, depth-1)
			g.Join(n, a, 0)
			g.Join(n, b, 0)
		}
		g.End(n, 0)
	}
	grow(g.Task(1, -1), depth)
	return g
}

// BenchmarkReplay replays a tree of 10^6 operations, with and without a trace.
func BenchmarkReplay(b *testing.B) {
	g := tree(17)
	ops := 0
	for range g.all() {
		ops++
	}
	for _, c := range []struct {
		name string
		pes  int
		rec  bool
	}{{"16PEs", 16, false}, {"16PEs/traced", 16, true}, {"10000PEs/traced", 10_000, true}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				var rec tracer.Recorder
				if c.rec {
					rec = tracer.NewMemory()
				}
				cfg := machine(b, c.pes, "steal", rec)
				cfg.Model = sim.Model{InstructionPs: 1000}
				r := must.Get(New(cfg, g, Names{}, Setup{}))(b)
				for more := true; more; {
					more = must.Get(r.Machine.Advance(b.Context(), 1<<20))(b)
				}
			}
			b.ReportMetric(float64(ops)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
		})
	}
}

// BenchmarkPaths computes the work and the span of 10^6 operations.
func BenchmarkPaths(b *testing.B) {
	g := tree(17)
	for b.Loop() {
		g.Paths(sim.Model{InstructionPs: 1000}, nil, Setup{})
	}
}
