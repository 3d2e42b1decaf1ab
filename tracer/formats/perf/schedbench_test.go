package perf

import (
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// BenchmarkScheduling reads a recording without stacks, a recording with them, and calls.
func BenchmarkScheduling(b *testing.B) {
	bare := strings.Builder{}
	for line := range strings.Lines(recording(b, "duo-6.1.perf.gz")) {
		if strings.Contains(line, "sched:") {
			bare.WriteString(line)
		}
	}
	for _, c := range []struct{ name, text string }{{"bare", bare.String()}, {"stacks", recording(b, "duo-6.1.perf.gz")}, {"calls", recording(b, "duo.calls")}} {
		b.Run(c.name, func(b *testing.B) {
			text := strings.Repeat(c.text, 1+(4<<20)/len(c.text))
			b.SetBytes(int64(len(text)))
			n := int64(0)
			for b.Loop() {
				m := tracer.NewMemory()
				if err := Read([]File{{Name: "a", R: strings.NewReader(text)}}, m, profile.Options{}); err != nil {
					b.Fatal(err)
				}
				n = 0
				for _, k := range m.Counts() {
					n += k
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
