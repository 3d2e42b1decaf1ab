package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// copyOf records the trace src into rec.
func copyOf(t testing.TB, src tracer.Source, rec tracer.Recorder) {
	var b bytes.Buffer
	must.Do(t, tracer.WriteText(&b, src))
	must.Do(t, tracer.ReadText(&b, rec))
	must.Do(t, rec.Close())
}

func TestRoundTripOfAnyTrace(t *testing.T) {
	testenv.Sequential(t)
	path := filepath.Join(t.TempDir(), "a.whorl")
	rapid.Check(t, func(rt *rapid.T) {
		m := tracer.NewMemory()
		tracertest.Draw(rt, m)
		w := must.Get(store.Create(path))(rt)
		copyOf(t, m, w)
		f := must.Get(store.Open(path))(rt)
		defer f.Close()
		if s := f.Missing().String(); s != "" {
			rt.Fatalf("missing: %s", s)
		}
		if diff := tracertest.Diff(m, f); diff != "" {
			rt.Fatalf("the trace differs:\n%s", diff)
		}
		if _, err := os.Stat(path + ".ring"); err == nil {
			rt.Fatal("the ring is still there")
		}
		var b bytes.Buffer
		copyOf(t, f, store.New(&b))
		data, _ := os.ReadFile(path)
		if !bytes.Equal(data, b.Bytes()) {
			rt.Fatalf("the same events give different bytes, %d and %d", len(data), b.Len())
		}
	})
}

// TestSameEventsSameBytes checks that the bytes depend only on the recorded events and their order, not on the scheduling of goroutines.
func TestSameEventsSameBytes(t *testing.T) {
	record := func(seed uint64) []byte {
		path := filepath.Join(t.TempDir(), "a.whorl")
		w := must.Get(store.Create(path))(t)
		s := w.Stream(tracer.StreamInfo{})
		for i, e := range store.FGHCLike(60_000, 16, seed) {
			if i%1000 == 0 {
				e.Code = w.Dict().Add(tracer.Code{Type: tracer.Name, Name: strconv.Itoa(i)})
			}
			*s.Slot() = e
		}
		must.Do(t, w.Close())
		return must.Get(os.ReadFile(path))(t)
	}
	a := record(1)
	if !bytes.Equal(a, record(1)) {
		t.Error("the same events give different bytes")
	}
	if bytes.Equal(a, record(2)) {
		t.Error("different events give the same bytes")
	}
}

func TestManyStreams(t *testing.T) {
	const streams, events = 80, 1500
	path := filepath.Join(t.TempDir(), "a.whorl")
	w := must.Get(store.Create(path))(t)
	var wg sync.WaitGroup
	for n := range streams {
		s := w.Stream(tracer.StreamInfo{Name: strconv.Itoa(n)})
		wg.Go(func() {
			for i := range int64(events) {
				*s.Slot() = tracer.Event{Time: i, Value: int64(n), Kind: tracer.Busy}
			}
			s.Sync()
		})
	}
	wg.Wait()
	check := func() {
		t.Helper()
		f := must.Get(store.Open(path))(t)
		defer f.Close()
		i := 0
		if err := f.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			for _, e := range es {
				if want := (tracer.Event{Time: int64(i / streams), Value: int64(i % streams), Kind: tracer.Busy}); e != want {
					return fmt.Errorf("event %d is %+v, want %+v", i, e, want)
				}
				i++
			}
			return nil
		}); err != nil || i != streams*events {
			t.Errorf("after %d events: %v", i, err)
		}
	}
	check() // from the file and the ring
	must.Do(t, w.Close())
	check()
}
