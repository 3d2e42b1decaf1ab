// Package experimenttest makes traces for tests.
package experimenttest

import (
	"path/filepath"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/open"
)

// File runs a program with its defaults on a number of simulated PEs and returns the path of its trace, a file called name.whorl in a
// temporary folder of the test.
func File(t testing.TB, name, program string, pes int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".whorl")
	w, err := open.Create(path)
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

// Trace returns the trace of a run, in memory.
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
