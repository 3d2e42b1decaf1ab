package experiment

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"whorl/tracer"
)

// TestAFlippedBitIsNoticed flips bits in all parts of the file of a short trace: its numbers, its text and whoever verifies it notice each.
func TestAFlippedBitIsNoticed(t *testing.T) {
	r := Defaults("pascal")
	r.Args = []string{"8"}
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.whorl")
	rec, err := CreateTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), rec, nil); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func(*Trace) error{
		"stats":  func(trace *Trace) error { _, err := Summarise(trace); return err },
		"dump":   func(trace *Trace) error { return tracer.WriteText(io.Discard, trace) },
		"verify": (*Trace).Verify,
	}
	read := func() map[string]bool {
		noticed := map[string]bool{}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		trace, err := Open(path)
		for name, way := range ways {
			noticed[name] = err != nil || trace.Missing != "" || way(trace) != nil
		}
		if err == nil {
			trace.Close()
		}
		return noticed
	}
	for i := 0; i < len(data); i += 1 + len(data)/300 {
		data[i] ^= 1 << (i % 8)
		for name, noticed := range read() {
			if !noticed {
				t.Errorf("bit %d of byte %d flipped: %s does not notice", i%8, i, name)
			}
		}
		data[i] ^= 1 << (i % 8)
	}
	for name, noticed := range read() {
		if noticed {
			t.Errorf("%s notices damage where there is none", name)
		}
	}
}
