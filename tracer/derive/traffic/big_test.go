package traffic

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// endless is a trace that is generated while it is read, so that it takes no memory. Its PEs are busy, send and rest in turn; each PE sends to one of
// 16 others.
type endless struct {
	tracer.Source // nil; its other methods are not called
	events, pes   int64
}

func (s *endless) Meta() tracer.Meta  { return tracer.Meta{PEs: int(s.pes), Clock: tracer.Virtual} }
func (s *endless) Dict() *tracer.Dict { return &tracer.Dict{} }
func (s *endless) Span() (from, to int64) {
	return 0, 10 * (s.events - 1)
}

func (s *endless) Counts() (n [tracer.NumKinds]int64) {
	for _, k := range [3]tracer.Kind{tracer.Busy, tracer.Send, tracer.Idle} {
		n[k] = s.events / 3
	}
	return n
}

func (s *endless) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	batch := make([]tracer.Event, 0, 4096)
	for i := range s.events {
		r := uint64(i/3) * 0x9e3779b97f4a7c15
		r ^= r >> 29
		pe := int64(r>>11) % s.pes
		e := tracer.Event{Time: 10 * i, PE: int32(pe), Peer: int32((pe + 1 + int64(r>>60)) % s.pes), Value: 64}
		if e.Kind = [3]tracer.Kind{tracer.Busy, tracer.Send, tracer.Idle}[i%3]; want.Contains(e.Kind) {
			batch = append(batch, e)
		}
		if len(batch) == cap(batch) || i == s.events-1 {
			if err := fn(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}

// memory returns the memory that the heap has taken from the system, its peak.
func memory() float64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64()+s[1].Value.Uint64()+s[2].Value.Uint64()) / (1 << 20)
}

// BenchmarkMillionPEs derives the traffic of a million PEs. The memory must not depend on the number of events.
func BenchmarkMillionPEs(b *testing.B) {
	for _, events := range []int64{1_000_000, 10_000_000, 100_000_000} {
		for _, lasting := range []bool{false, true} {
			b.Run(fmt.Sprintf("events=%d/lasting=%v", events, lasting), func(b *testing.B) {
				debug.FreeOSMemory()
				most := 0.0
				for b.Loop() {
					tr, err := Grow(&endless{events: events, pes: 1 << 20}, Options{Limit: 1 << 20, Lasting: lasting}, nil, func(done, _ int64) error {
						if done%(1<<20) < 4096 {
							most = max(most, memory())
						}
						return nil
					})
					if err != nil || tr.Messages != events/3 {
						b.Fatal(tr.Messages, err)
					}
				}
				b.ReportMetric(float64(b.N)*float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
				b.ReportMetric(most, "MB")
			})
		}
	}
}

// TestBounded checks that the limit bounds the memory for many PEs and events.
func TestBounded(t *testing.T) {
	sums := map[int64]int64{}
	for _, events := range []int64{90_000, 600_000} {
		tr := must.Get(Grow(&endless{events: events, pes: 1 << 17}, Options{Limit: 1 << 12}, nil, nil))(t)
		if len(tr.Flows) > 1<<12 || len(tr.Loads) > 1<<12 || tr.Messages != events/3 || tr.Bytes != events/3*64 {
			t.Errorf("%d events: %d flows, %d loads, %d messages of %d bytes", events, len(tr.Flows), len(tr.Loads), tr.Messages, tr.Bytes)
		}
		for i := range tr.Flows {
			sums[events] += tr.Flows[i].Messages
		}
		if sums[events] != events/3 {
			t.Errorf("%d messages in flows, want %d", sums[events], events/3)
		}
	}
}
