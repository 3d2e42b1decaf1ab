package clocks

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
)

// twoHosts returns a run of a main thread on alpha that forks 20 threads to beta, one after the other, and joins each. The clock of beta is ahead
// by offset and drift. A message takes 60 us to beta and 100 us back, a thread 1 ms.
func twoHosts(offset int64, drift float64) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 2, Clock: tracer.Monotonic, PEInfo: []tracer.PE{{Host: "alpha"}, {Host: "beta", Process: "7"}}})
	alpha, beta := m.Stream(tracer.StreamInfo{Name: "PE 0"}), m.Stream(tracer.StreamInfo{Name: "PE 1"})
	there := host{offset, drift}
	now := int64(1000)
	*alpha.Slot() = tracer.Event{Kind: tracer.Start, Time: now, Task: 1, Peer: tracer.None}
	for task := uint64(2); task < 22; task++ {
		now += 5_000_000
		*alpha.Slot() = tracer.Event{Kind: tracer.Fork, Time: now, Task: task, Ref: 1, Peer: 1}
		*alpha.Slot() = tracer.Event{Kind: tracer.JoinBegin, Time: now, Task: 1, Ref: task, Peer: tracer.None}
		now += 60_000
		*beta.Slot() = tracer.Event{Kind: tracer.Start, Time: there.read(now), Task: task, PE: 1, Peer: 0}
		now += 1_000_000
		*beta.Slot() = tracer.Event{Kind: tracer.End, Time: there.read(now), Task: task, PE: 1, Peer: tracer.None}
		now += 100_000
		*alpha.Slot() = tracer.Event{Kind: tracer.JoinEnd, Time: now, Task: 1, Ref: task, Peer: 1}
	}
	*alpha.Slot() = tracer.Event{Kind: tracer.End, Time: now, Task: 1, Peer: tracer.None}
	_ = m.Close()
	return m
}

func TestAligned(t *testing.T) {
	for _, c := range []struct {
		offset int64
		drift  float64
	}{{0, 0}, {-40_000_000_000, 100e-6}, {90_000_000, -250e-6}} {
		src := twoHosts(c.offset, c.drift)
		if !Needed(src) {
			t.Fatal("Needed is false for two hosts")
		}
		out := must.Get(Aligned(src))(t)
		if Needed(out) || out.Meta().Clock != tracer.Aligned || out.Streams()[1].Clock != tracer.Aligned {
			t.Errorf("Needed is true after alignment: %+v", out.Streams())
		}
		extra := out.Meta().Extra
		if len(extra) != 1 || extra[0].Key != "clock of beta 7" || !strings.Contains(extra[0].Value, "to within 80") {
			t.Errorf("metadata %v; want a bound slightly above half a round trip, 80,000 ns", extra)
		}
		g := must.Get(threadgraph.Build(out))(t)
		if g.Len() != 21 || g.Backward != 0 {
			t.Fatalf("%d threads, %d edges lead back", g.Len(), g.Backward)
		}
		for th := 1; th < g.Len(); th++ {
			start, end := g.StartOf(int32(th)), g.EndOf(int32(th))
			there, back := g.Time[start]-g.Time[g.Fork[th]], g.Time[g.Join[th]]-g.Time[end]
			if there < 0 || back < 0 || there > 161_000 || back > 161_000 {
				t.Fatalf("%+v: thread %d took %d ns to start and %d back, of a round trip of 160 us", c, th, there, back)
			}
		}
	}
}

// TestNotNeeded checks that a single process and aligned clocks need no alignment.
func TestNotNeeded(t *testing.T) {
	for _, meta := range []tracer.Meta{
		{Clock: tracer.Monotonic},
		{Clock: tracer.Monotonic, PEInfo: []tracer.PE{{Host: "a"}, {Host: "a"}, {}}},
		{Clock: tracer.Virtual, PEInfo: []tracer.PE{{Host: "a"}, {Host: "b"}}},
		{Clock: tracer.Process, PEInfo: []tracer.PE{{Host: "a"}, {Host: "b"}}},
	} {
		m := tracer.NewMemory()
		m.SetMeta(meta)
		m.Stream(tracer.StreamInfo{})
		if Needed(m) {
			t.Errorf("%+v", meta)
		}
	}
}

// TestNothingConnects checks that hosts without messages keep their times and that the metadata name them.
func TestNothingConnects(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Clock: tracer.Monotonic, PEInfo: []tracer.PE{{Host: "a"}, {Host: "b"}}})
	for pe := range int32(2) {
		*m.Stream(tracer.StreamInfo{Offset: 5}).Slot() = tracer.Event{Kind: tracer.Mark, Time: 10, PE: pe}
	}
	_ = m.Close()
	out := must.Get(Aligned(m))(t)
	if from, to := out.Span(); from != 15 || to != 15 {
		t.Errorf("from %d to %d, want 15", from, to)
	}
	if extra := out.Meta().Extra; len(extra) != 1 || extra[0].Value != "unknown: no message connects it with a" {
		t.Errorf("metadata %v", extra)
	}
}
