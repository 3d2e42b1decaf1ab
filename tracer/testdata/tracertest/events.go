package tracertest

import (
	"strings"

	"pgregory.net/rapid"

	"whorl/tracer"
)

// Trace returns a trace in memory that has the given events in one stream.
func Trace(es ...tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range es {
		*s.Slot() = e
	}
	_ = m.Close() // of a trace in memory
	return m
}

// Events returns the events of the given kinds, in the order of time.
func Events(t rapid.TB, src tracer.Source, kinds tracer.KindSet) []tracer.Event {
	t.Helper()
	var all []tracer.Event
	if err := src.Scan(kinds, func(es []tracer.Event) error {
		all = append(all, es...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// Text returns a trace in the text format.
func Text(t rapid.TB, src tracer.Source) string {
	t.Helper()
	var b strings.Builder
	if err := tracer.WriteText(&b, src); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
