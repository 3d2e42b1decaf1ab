package open

import (
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// HoldsOneMetric reports whether a format holds the samples of one metric alone.
func HoldsOneMetric(format string) bool {
	f, ok := find(format)
	return ok && f.Omits&profile.Metrics != 0
}

// OnlyMetric returns a trace without the samples of other metrics than the named one. The error for an unknown metric lists the known ones.
func OnlyMetric(src tracer.StreamSource, name string) (tracer.StreamSource, error) {
	o := &oneMetric{StreamSource: src, codes: map[uint32]bool{}}
	var known []string
	for code, c := range src.Dict().Codes() {
		if c.Type != tracer.Metric {
			continue
		}
		known = append(known, c.Name)
		if c.Name == name {
			o.codes[uint32(code)] = true
		}
	}
	if len(o.codes) == 0 {
		return nil, nearest.Unknown("metric", name, known)
	}
	return o, nil
}

// oneMetric is a trace without the samples of other metrics than those with some codes.
type oneMetric struct {
	tracer.StreamSource
	codes map[uint32]bool
	kept  []tracer.Event
}

// Scan implements tracer.Source.
func (o *oneMetric) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	return o.StreamSource.Scan(want, func(es []tracer.Event) error { return fn(o.some(es)) })
}

// ScanStreams implements tracer.StreamSource.
func (o *oneMetric) ScanStreams(want tracer.KindSet, fn func(stream int, es []tracer.Event) error) error {
	return o.StreamSource.ScanStreams(want, func(stream int, es []tracer.Event) error { return fn(stream, o.some(es)) })
}

// some returns the events that are kept. They are valid until the next call.
func (o *oneMetric) some(es []tracer.Event) []tracer.Event {
	o.kept = o.kept[:0]
	for i := range es {
		if es[i].Kind != tracer.Sample || o.codes[es[i].Code] {
			o.kept = append(o.kept, es[i])
		}
	}
	return o.kept
}
