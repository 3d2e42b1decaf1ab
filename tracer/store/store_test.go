package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/internal/tracertest"
	"whorl/tracer/store"
)

// copyOf records what src holds into rec.
func copyOf(t testing.TB, src tracer.Source, rec tracer.Recorder) {
	var b bytes.Buffer
	if err := tracer.WriteText(&b, src); err != nil {
		t.Fatal(err)
	}
	if err := tracer.ReadText(&b, rec); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRoundTripOfAnyTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.whorl")
	rapid.Check(t, func(rt *rapid.T) {
		m := tracer.NewMemory()
		tracertest.Draw(rt, m)
		w, err := store.Create(path)
		if err != nil {
			rt.Fatal(err)
		}
		copyOf(t, m, w)
		f, err := store.Open(path)
		if err != nil {
			rt.Fatal(err)
		}
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
			rt.Fatalf("the same events give other bytes the second time, %d and %d", len(data), b.Len())
		}
	})
}
