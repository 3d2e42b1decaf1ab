package traffic

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// A described counts how often the span of a trace is asked for.
type described struct {
	tracer.Source
	spans int
}

func (d *described) Span() (from, to int64) {
	d.spans++
	return d.Source.Span()
}

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
	src := &described{Source: m}
	if b.addLast(src); len(b.last) > 2*limit || src.spans > 1 || b.group == 1 {
		t.Errorf("%d loads at the end for a limit of %d, with groups of %d PEs after %d closings of the account", len(b.last), limit, b.group, src.spans)
	}
	tr := must.Get(Grow(m, Options{Limit: limit}, nil, nil))(t)
	var busy, queue int64
	for _, l := range tr.Loads {
		busy, queue = busy+l.Busy, queue+l.Queue
	}
	if whole := must.Get(Grow(src, Options{Limit: limit}, nil, nil))(t); src.spans > 5 || len(whole.Loads) != len(tr.Loads) {
		t.Errorf("%d loads, and %d when the span is counted, which is asked for %d times", len(tr.Loads), len(whole.Loads), src.spans)
	}
	if len(tr.Loads) > limit || busy != pes*length || queue != pes*length {
		t.Errorf("%d loads of %d ns of work and %d ns of waiting tasks, want %d", len(tr.Loads), busy, queue, pes*length)
	}
}
