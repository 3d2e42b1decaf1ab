package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

const benchEvents = 10_000_000

// BenchmarkWrite records ten million events of an FGHC program with given times, and closes the file.
func BenchmarkWrite(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.whorl")
	events := store.FGHCLike(1<<16, 16, 1)
	for b.Loop() {
		w := must.Get(store.Create(path))(b)
		recordMany(w, events, benchEvents)
		must.Do(b, w.Close())
	}
	info := must.Get(os.Stat(path))(b)
	b.ReportMetric(float64(b.N)*benchEvents/b.Elapsed().Seconds()/1e6, "Mevents/s")
	b.ReportMetric(float64(info.Size())/benchEvents, "B/event")
}

// recordMany records n events: the given ones repeatedly, with times and ids that continue.
func recordMany(rec tracer.Recorder, events []tracer.Event, n int) {
	s := rec.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	span, ids := events[len(events)-1].Time+100, uint64(0)
	for _, e := range events {
		ids = max(ids, e.Task)
	}
	time, id := int64(0), uint64(0)
	for n > 0 {
		part := events[:min(n, len(events))]
		for i := range part {
			e := &part[i]
			*s.Slot() = tracer.Event{
				Time: time + e.Time, Value: e.Value, Task: id + e.Task, Ref: id + e.Ref, PE: e.PE, Peer: e.Peer, Code: e.Code, Kind: e.Kind,
			}
		}
		n -= len(part)
		time += span
		id += ids
	}
	s.Sync()
}

// BenchmarkRead scans ten million events.
func BenchmarkRead(b *testing.B) {
	f := benchFile(b)
	for _, c := range []struct {
		name string
		q    store.Query
	}{
		{"all", store.Query{Kinds: tracer.AllKinds}},
		{"tree", store.Query{Kinds: tracer.Kinds(tracer.Fork, tracer.Reduce), Columns: store.Task | store.Ref | store.Time | store.PE}},
		{"window", store.Query{Kinds: tracer.AllKinds, From: 1000, To: 1_000_000}},
	} {
		b.Run(c.name, func(b *testing.B) {
			sum := uint64(0)
			for b.Loop() {
				must.Do(b, f.Select(c.q, func(es []tracer.Event) error {
					for i := range es {
						sum += es[i].Task
					}
					return nil
				}))
			}
			b.ReportMetric(float64(b.N)*benchEvents/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

// BenchmarkOpen opens a file of ten million events.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.whorl")
	benchWrite(b, path)
	for b.Loop() {
		f := must.Get(store.Open(path))(b)
		f.Close()
	}
}

func benchWrite(b *testing.B, path string) {
	w := must.Get(store.Create(path))(b)
	recordMany(w, store.FGHCLike(1<<16, 16, 1), benchEvents)
	must.Do(b, w.Close())
}

func benchFile(b *testing.B) *store.File {
	path := filepath.Join(b.TempDir(), "a.whorl")
	benchWrite(b, path)
	f := must.Get(store.Open(path))(b)
	b.Cleanup(func() { f.Close() })
	return f
}
