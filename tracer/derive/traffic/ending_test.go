package traffic

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestManyWorkingAtTheEnd: PEs that work and have waiting tasks all the time take no more memory than the limit allows, and no work is lost.
func TestManyWorkingAtTheEnd(t *testing.T) {
	const pes, length, limit = 4096, 60_000, leastLimit
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	for pe := range int32(pes) {
		*s.Slot() = tracer.Event{PE: pe, Peer: tracer.None, Kind: tracer.Busy}
		*s.Slot() = tracer.Event{PE: pe, Peer: pe, Kind: tracer.Fork, Task: uint64(pe) + 1}
	}
	*s.Slot() = tracer.Event{Time: length, PE: 0, Peer: tracer.None, Kind: tracer.Exit}
	s.Sync()
	b := newBuilder(m, Options{Limit: limit})
	must.Do(t, m.Scan(b.kinds(), func(es []tracer.Event) error {
		for i := range es {
			b.read(&es[i])
		}
		return nil
	}))
	if n := len(b.ending(m)); n <= limit || n > 2*limit+1 {
		t.Errorf("%d loads at the end for a limit of %d", n, limit)
	}
	tr := must.Get(Grow(m, Options{Limit: limit}, nil, nil))(t)
	var busy, queue int64
	for _, l := range tr.Loads {
		busy, queue = busy+l.Busy, queue+l.Queue
	}
	if len(tr.Loads) > limit || busy != pes*length || queue != pes*length {
		t.Errorf("%d loads of %d ns of work and %d ns of waiting tasks, want %d", len(tr.Loads), busy, queue, pes*length)
	}
}
