package lineprofile

import (
	"math/rand/v2"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// wide returns samples of a program with many lines on many PEs. One line in twenty is executed, in stretches, and sampled ten times for each of
// at most ten random PEs.
func wide(lines, pes int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes, Source: []tracer.SourceFile{{Name: "wide.f90", Text: strings.Repeat("      A(I) = A(I) + 1\n", lines)}}})
	d := m.Dict()
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	st := m.Stream(tracer.StreamInfo{})
	r := rand.New(rand.NewPCG(1, 2))
	var f uint32
	at := int64(0)
	for l := 1; l <= lines; l++ {
		if l%200 == 1 {
			f = d.Add(tracer.Code{Type: tracer.Function, Name: "sub" + string(rune('a'+l%26)), File: "wide.f90", Line: int32(l)})
		}
		if l%200 > 10 {
			continue
		}
		line := d.Add(tracer.Code{Type: tracer.Line, File: "wide.f90", Line: int32(l), Parent: f})
		context := d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Instruction, Name: "add", Line: int32(l), Parent: line})})
		for range min(10, pes) * 10 {
			*st.Slot() = tracer.Event{Kind: tracer.Sample, Time: at, PE: int32(r.IntN(pes)), Peer: tracer.None, Ref: uint64(context), Code: metric, Value: 1}
			at++
		}
	}
	return m
}

func bench(b *testing.B, lines, pes int) {
	src := wide(lines, pes)
	b.ReportMetric(float64(src.Counts()[tracer.Sample]), "events")
	for b.Loop() {
		p := must.Get(Grow(src, nil, nil))(b)
		p.Sum(ByLine, Query{})
		p.Sum(ByFunction, Query{})
	}
}

func BenchmarkSpike(b *testing.B)   { bench(b, 94_824, 4) }
func BenchmarkMillion(b *testing.B) { bench(b, 1_000_000, 1024) }

// BenchmarkWindow adds up changing thirds of the time, as dragging a window does.
func BenchmarkWindow(b *testing.B) {
	p := must.Get(Grow(wide(1_000_000, 1024), nil, nil))(b)
	third := (p.To - p.From) / 3
	from := int64(0)
	p.Sum(ByLine, Query{})
	p.Sum(ByFunction, Query{})
	for b.Loop() {
		from = (from + third/7) % (2 * third)
		q := Query{Time: &Span{from, from + third}}
		p.Sum(ByLine, q)
		p.Sum(ByFunction, q)
	}
}
