package profiletest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Random draws a trace of samples with two metrics, at times, of several processors: threads with process and thread numbers, or named processors.
func Random(t *rapid.T) *tracer.Memory {
	m := tracer.NewMemory()
	w := profile.NewWriter(m, profile.Options{})
	w.Meta = tracer.Meta{Program: "heat", Substrate: "drawn", Clock: tracer.Aligned}
	metrics := []uint32{w.Metric("cpu", "microseconds"), w.Metric("samples", "count")}
	stream := m.Stream(tracer.StreamInfo{})
	names := []string{"main", "a b", "f(int, long)", "наука", "x-1/2", "new[]"}
	threads := rapid.Bool().Draw(t, "threads")
	at := int64(0)
	for k := range rapid.IntRange(1, 4).Draw(t, "processors") {
		p := tracer.PE{Host: "node", Process: fmt.Sprintf("rank%d.x", k/2)}
		if threads {
			p = tracer.PE{Process: fmt.Sprint("heat ", 10+k/2), Thread: fmt.Sprint("worker ", 20+k)}
			p.Thread = strings.Replace(p.Thread, "worker", "heat", 1)
		}
		pe, err := w.Processor(p)
		if err != nil {
			t.Fatal(err)
		}
		w.Begin(stream, pe, at)
		for range rapid.IntRange(1, 12).Draw(t, "samples") {
			context := uint32(0)
			for range rapid.IntRange(1, 6).Draw(t, "depth") {
				name := rapid.IntRange(0, len(names)-1).Draw(t, "function")
				line := profile.Line{Function: names[name], File: fmt.Sprintf("%d.c", name), Start: 7, Line: rapid.Int32Range(0, 3).Draw(t, "line")}
				context = w.Call(context, w.Frames(profile.Place{Lines: []profile.Line{line}}))
			}
			at += 10
			w.Sample(stream, at, pe, context, metrics[0], rapid.Int64Range(1, 1<<40).Draw(t, "cpu"))
			w.Sample(stream, at, pe, context, metrics[1], rapid.Int64Range(-2, 5).Draw(t, "n"))
		}
	}
	stream.Sync()
	w.Finish()
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Contexts returns the sums of the samples of a trace by processor, metric with its unit, and path of functions with their files and lines. name returns
// the name of a processor.
func Contexts(t rapid.TB, src tracer.Source, name func(pe int32) string, lines bool) map[string]float64 {
	sums := map[string]float64{}
	codes, contexts := src.Dict().Codes(), src.Dict().Contexts()
	err := src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			path := ""
			for c := uint32(e.Ref); c != 0; c = contexts[c].Parent {
				code := codes[contexts[c].Code]
				frame := code.Name
				if code.Type == tracer.Line {
					frame = codes[code.Parent].Name
				}
				if lines {
					frame += fmt.Sprint(" ", code.File, ":", code.Line)
				}
				path = frame + ";" + path
			}
			metric := codes[e.Code]
			key := fmt.Sprintf("%s %s %s %s", name(e.PE), metric.Name, metric.Unit, path)
			if sums[key] += float64(e.Value) * metric.Scale; sums[key] == 0 {
				delete(sums, key)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}
