// Package spantest tests readers of spans.
package spantest

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden files")

// A Read is the function Read of a format.
type Read func(profile.File, tracer.Recorder, profile.Options) error

// Trace reads a file.
func (read Read) Trace(b []byte) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	err := read(profile.File{Name: "test", R: bytes.NewReader(b)}, m, profile.Options{})
	_ = m.Close()
	return m, err
}

// Golden compares the text forms of the traces of all files that a pattern matches with those beside them.
func (read Read) Golden(t *testing.T, pattern string) {
	names := must.Get(filepath.Glob(pattern))(t)
	if len(names) == 0 {
		t.Errorf("no file %s", pattern)
	}
	for _, name := range names {
		got := profiletest.Text(t, must.Get(read.Trace(must.Get(os.ReadFile(name))(t)))(t))
		golden := strings.TrimSuffix(name, filepath.Ext(name)) + ".txt"
		if *update {
			must.Do(t, os.WriteFile(golden, []byte(got), 0o600))
		}
		if d := cmp.Diff(string(must.Get(os.ReadFile(golden))(t)), got); d != "" {
			t.Errorf("%s: go test -update writes it again: %s", golden, d)
		}
	}
	if len(names) == 0 {
		t.Errorf("%s matches no file", pattern)
	}
}

// Damage reads beginnings of a file, and the file with changed bytes. The existing part is recorded.
func (read Read) Damage(t *testing.T, b []byte) {
	whole := must.Get(read.Trace(b))(t).Counts()[tracer.Fork]
	last := int64(0)
	for n := len(b) % 5; n < len(b); n += 5 {
		m, err := read.Trace(b[:n])
		if err == nil {
			Check(t, m)
			last = m.Counts()[tracer.Fork]
		}
	}
	if last < whole/2 || whole == 0 {
		t.Errorf("%d spans of the file without its last byte, %d of the whole file", last, whole)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		c := bytes.Clone(b)
		for range 1 + r.IntN(4) {
			c[r.IntN(len(c))] = byte(r.IntN(256))
		}
		if m, err := read.Trace(c); err == nil {
			Check(t, m)
		}
	}
}

// Check checks what every trace promises: times that do not fall, PEs of the machine, codes of the dictionary, and threads that end after they start.
func Check(t testing.TB, m *tracer.Memory) {
	t.Helper()
	pes, codes, contexts := int32(m.Meta().PEs), len(m.Dict().Codes()), uint64(len(m.Dict().Contexts()))
	last := int64(0)
	starts := map[uint64]bool{}
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if e.Time < last || e.PE < 0 || e.PE >= pes || int(e.Code) >= codes || (e.Kind == tracer.Wait || e.Kind == tracer.Sample) && e.Ref >= contexts {
			t.Fatalf("%+v after %d on %d PEs", e, last, pes)
		}
		last = e.Time
		if e.Kind == tracer.Start {
			starts[e.Task] = true
		}
		if e.Kind == tracer.End && !starts[e.Task] {
			t.Fatalf("%+v without a start", e)
		}
	}
	if n := m.Counts(); n[tracer.End] != n[tracer.Fork] || n[tracer.Wake] != n[tracer.Wait] || n[tracer.JoinBegin] != n[tracer.JoinEnd] || n[tracer.Send] != n[tracer.Recv] {
		t.Fatalf("%v", n)
	}
}

// Fuzz reads files, and their traces.
func (read Read) Fuzz(f *testing.F, detect func([]byte) bool, pattern string) {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		detect(b)
		if m, err := read.Trace(b); err == nil {
			Check(t, m)
		}
	})
}

// Bench measures reading a file, beside a recorder that keeps nothing.
func (read Read) Bench(b *testing.B, file []byte) {
	b.SetBytes(int64(len(file)))
	events := int64(0)
	for b.Loop() {
		n := &nowhere{}
		must.Do(b, read(profile.File{Name: "test", R: bytes.NewReader(file)}, n, profile.Options{}))
		events += n.events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

// nowhere is a recorder that counts events.
type nowhere struct {
	dict   tracer.Dict
	events int64
}

func (n *nowhere) Dict() *tracer.Dict  { return &n.dict }
func (n *nowhere) SetMeta(tracer.Meta) {}
func (n *nowhere) Close() error        { return nil }
func (n *nowhere) Stream(tracer.StreamInfo) *tracer.Stream {
	return tracer.NewStream(tracer.Segment{Rows: make([]tracer.Event, 1<<12), Fill: &tracer.Fill{Last: -1}}, func(full tracer.Segment) tracer.Segment {
		n.events += full.Fill.Synced
		*full.Fill = tracer.Fill{Last: -1}
		return full
	})
}
