package sim_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// discard is a recorder that reuses one segment, so that the figures are those of the machine.
type discard struct {
	dict tracer.Dict
	fill tracer.Fill
	n    int64
}

func (d *discard) Dict() *tracer.Dict  { return &d.dict }
func (d *discard) SetMeta(tracer.Meta) {}
func (d *discard) Close() error        { return nil }

func (d *discard) Stream(tracer.StreamInfo) *tracer.Stream {
	return tracer.NewStream(tracer.Segment{Rows: make([]tracer.Event, 1<<14), Fill: &d.fill}, func(g tracer.Segment) tracer.Segment {
		d.n += int64(len(g.Rows))
		return g
	})
}

// BenchmarkTraced runs and records a binary tree with enough tasks to fill the machine. It reports steps and events per
// second, and the peak memory of the process.
func BenchmarkTraced(b *testing.B) {
	for _, c := range []struct {
		pes, depth int
		net        string
	}{{16, 20, "bus"}, {16, 20, "all"}, {100_000, 20, "all"}, {1 << 20, 20, "all"}, {1 << 20, 20, "torus3d"}} {
		for _, name := range []string{"on-demand", "steal", "random"} {
			b.Run(fmt.Sprintf("%d/%s/%s", c.pes, c.net, name), func(b *testing.B) {
				net := must.Get(sim.NetworkNamed(c.net, c.pes))(b)
				pol := must.Get(policy.Named(name))(b)
				var steps, events, worked float64
				for b.Loop() {
					rec := &discard{}
					prog := toy.Binary(c.depth)
					m := must.Get(sim.New(sim.Config{Network: net, Policy: pol, Model: model, Seed: 1, Recorder: rec}, prog))(b)
					prog.Start(m)
					must.Get(m.Advance(context.Background(), 1<<62))(b)
					steps += float64(m.Stats().Steps)
					events += float64(rec.n)
					worked = float64(m.Stats().Worked)
				}
				b.ReportMetric(steps/b.Elapsed().Seconds(), "steps/s")
				b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(worked, "PEs-that-worked")
				b.ReportMetric(peakMiB(), "peak-MiB")
			})
		}
	}
}

var model = sim.Model{InstructionPs: 1000, Latency: 1000, Overhead: 200, Gap: 100, BytePs: 1500}

// peakMiB returns the peak memory of the process, 0 if the system does not report it.
func peakMiB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseFloat(f[1], 64)
			return kb / 1024
		}
	}
	return 0
}
