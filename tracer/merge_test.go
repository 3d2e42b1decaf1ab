package tracer_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// twoStreams records the events of two streams. The Value of an event is its expected position.
func twoStreams(a, b []tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	for _, es := range [][]tracer.Event{a, b} {
		s := m.Stream(tracer.StreamInfo{})
		for _, e := range es {
			*s.Slot() = e
		}
	}
	return m
}

func TestMergeHoldsBackWhatCameTooEarly(t *testing.T) {
	// The clock of b is slow: the start of task 2 precedes its fork in a.
	a := []tracer.Event{
		{Time: 10, Kind: tracer.Start, Task: 1, Peer: tracer.None, Value: 1},
		{Time: 20, Kind: tracer.Fork, Task: 2, Ref: 1, Value: 2},
		{Time: 30, Kind: tracer.JoinEnd, Task: 1, Ref: 2, Value: 6},
	}
	b := []tracer.Event{
		{Time: 15, Kind: tracer.Start, Task: 2, Value: 3},
		{Time: 16, Kind: tracer.Busy, Task: 2, Value: 4},
		{Time: 25, Kind: tracer.End, Task: 2, Value: 5},
	}
	got := values(tracertest.Events(t, twoStreams(a, b), tracer.AllKinds))
	if want := []int64{1, 2, 3, 4, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	b[0].Peer = tracer.None // a root needs no fork
	got = values(tracertest.Events(t, twoStreams(a, b), tracer.AllKinds))
	if want := []int64{1, 3, 4, 2, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("order %v with a root, want %v", got, want)
	}
}

func TestMergeHoldsGoalsForTheReductionOfTheirParent(t *testing.T) {
	a := []tracer.Event{
		{Time: 10, Kind: tracer.Suspend, Task: 1, Value: 1},
		{Time: 20, Kind: tracer.Reduce, Task: 1, Value: 2},
	}
	b := []tracer.Event{
		{Time: 15, Kind: tracer.Reduce, Task: 2, Ref: 1, Value: 3},
		{Time: 18, Kind: tracer.Suspend, Task: 3, Ref: 2, Value: 4},
		{Time: 19, Kind: tracer.Resume, Task: 3, Ref: 1, Value: 5},
	}
	got := values(tracertest.Events(t, twoStreams(a, b), tracer.AllKinds))
	if want := []int64{1, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestMergeDeliversWhatIsNeverMade(t *testing.T) {
	a := []tracer.Event{{Time: 10, Kind: tracer.Fork, Task: 1, Value: 1}, {Time: 40, Kind: tracer.Busy, Value: 2}}
	b := []tracer.Event{
		{Time: 5, Kind: tracer.End, Task: 77, Value: 3},
		{Time: 6, Kind: tracer.Reduce, Task: 78, Ref: 79, Value: 4},
	}
	got := values(tracertest.Events(t, twoStreams(a, b), tracer.AllKinds))
	if want := []int64{1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestMergeWaitsNotForEver(t *testing.T) {
	var a []tracer.Event
	const n = 70_000
	for i := range int64(n) {
		a = append(a, tracer.Event{Time: i, Kind: tracer.Fork, Task: uint64(i + 1)})
	}
	b := []tracer.Event{{Time: 5, Kind: tracer.End, Task: 1 << 40, Value: 1}}
	all := tracertest.Events(t, twoStreams(a, b), tracer.AllKinds)
	at := slices.IndexFunc(all, func(e tracer.Event) bool { return e.Value == 1 })
	if at != 1<<16+6 || len(all) != n+1 {
		t.Errorf("the event came as number %d of %d, want after 65,536 others and the 6 before its time", at, len(all))
	}
}

// TestMergeOfAnyTrace checks that a scan of some kinds is the scan of all kinds without the others, in stream order and without losses.
func TestMergeOfAnyTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		tracertest.Draw(t, m)
		var all, some, filtered []tracer.Event
		byStream := make([]int, len(m.Streams()))
		last := make([]int64, len(byStream))
		_ = m.ScanStreams(tracer.AllKinds, func(i int, es []tracer.Event) error {
			for _, e := range es {
				if byStream[i] > 0 && e.Time < last[i] {
					t.Fatalf("stream %d goes back from %d to %d", i, last[i], e.Time)
				}
				last[i] = e.Time
				byStream[i]++
			}
			return nil
		})
		_ = m.Scan(tracer.AllKinds, func(es []tracer.Event) error { all = append(all, es...); return nil })
		want := tracer.KindSet(rapid.Uint64().Draw(t, "want"))
		_ = m.Scan(want, func(es []tracer.Event) error { some = append(some, es...); return nil })
		for _, e := range all {
			if want.Contains(e.Kind) {
				filtered = append(filtered, e)
			}
		}
		if !slices.Equal(some, filtered) {
			t.Fatalf("scan of %b gives\n%v\nwant\n%v", want, some, filtered)
		}
	})
}

// BenchmarkMerge reads events that alternate between streams.
func BenchmarkMerge(b *testing.B) {
	m := tracer.NewMemory()
	const n, streams = 1 << 18, 16
	var ss []*tracer.Stream
	for range streams {
		ss = append(ss, m.Stream(tracer.StreamInfo{}))
	}
	for i := range int64(n) {
		*ss[i*7/3%streams].Slot() = tracer.Event{Time: i, Task: uint64(i), Kind: tracer.Fork}
	}
	for b.Loop() {
		_ = m.Scan(tracer.AllKinds, func([]tracer.Event) error { return nil })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}
