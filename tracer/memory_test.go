package tracer_test

import (
	"errors"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

func record(s *tracer.Stream, es ...tracer.Event) {
	for _, e := range es {
		*s.Slot() = e
	}
}

func values(es []tracer.Event) []int64 {
	var vs []int64
	for _, e := range es {
		vs = append(vs, e.Value)
	}
	return vs
}

func TestMemoryKeepsMoreThanASegment(t *testing.T) {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{Name: "sim"})
	const n = 2000
	for i := range int64(n) {
		*s.Slot() = tracer.Event{Time: i, Value: i, Kind: tracer.Mark + tracer.Kind(i%3)}
	}
	all := tracertest.Events(t, m, tracer.AllKinds)
	for i, e := range all {
		if e.Value != int64(i) {
			t.Fatalf("event %d has value %d", i, e.Value)
		}
	}
	if len(all) != n {
		t.Fatalf("%d events, want %d", len(all), n)
	}
	if c := m.Counts(); c[tracer.Mark] != 667 {
		t.Errorf("%d marks, want 667", c[tracer.Mark])
	}
	if some := tracertest.Events(t, m, tracer.Kinds(tracer.Mark)); len(some) != 667 {
		t.Errorf("%d marks scanned, want 667", len(some))
	}
	if from, to := m.Span(); from != 0 || to != n-1 {
		t.Errorf("span %d..%d", from, to)
	}
	stop := errors.New("stop")
	if err := m.Scan(tracer.AllKinds, func([]tracer.Event) error { return stop }); err != stop {
		t.Errorf("error %v, want the one of f", err)
	}
}

func TestScanMergesByTimeAndStream(t *testing.T) {
	m := tracer.NewMemory()
	a := m.Stream(tracer.StreamInfo{})
	b := m.Stream(tracer.StreamInfo{Offset: 100})
	at := func(time, value int64) tracer.Event {
		return tracer.Event{Time: time, Value: value, Kind: tracer.Mark}
	}
	record(b, at(-100, 2), at(-90, 5), at(-90, 6), at(0, 8))
	record(a, at(0, 1), at(5, 3), at(10, 4), at(50, 7), at(101, 9))
	all := tracertest.Events(t, m, tracer.AllKinds)
	if got, want := values(all), []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if all[1].Time != 0 || all[7].Time != 100 {
		t.Errorf("offsets are not added: %v", all)
	}
	if from, to := m.Span(); from != 0 || to != 101 {
		t.Errorf("span %d..%d, want 0..101", from, to)
	}
}
