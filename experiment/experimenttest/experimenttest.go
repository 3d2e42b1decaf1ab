// Package experimenttest makes traces for tests.
package experimenttest

import (
	"path/filepath"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
)

// File runs a program on so many simulated PEs, as its defaults say, and returns the path of its trace, a file called name.whorl. It is there
// until the test ends.
func File(t testing.TB, name, program string, pes int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".whorl")
	w, err := experiment.CreateTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	r := experiment.Defaults(program)
	r.PEs = pes
	record(t, &r, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Trace is what a run records, in memory.
func Trace(t testing.TB, r experiment.Run) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	record(t, &r, m)
	return m
}

func record(t testing.TB, r *experiment.Run, rec tracer.Recorder) {
	t.Helper()
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), rec, nil); err != nil {
		t.Fatal(err)
	}
}
