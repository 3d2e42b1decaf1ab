package experiment

import (
	"context"
	"strings"
	"testing"

	"whorl/tracer"
)

// run carries a description out and returns how it ended and its trace.
func run(t *testing.T, r Run) (*Result, *tracer.Memory) {
	t.Helper()
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	trace := tracer.NewMemory()
	result, err := p.Run(context.Background(), trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Close(); err != nil {
		t.Fatal(err)
	}
	return result, trace
}

func TestPascal(t *testing.T) {
	r := Defaults("pascal")
	r.PEs = 5
	result, trace := run(t, r)
	if result.Outcome != Done {
		t.Fatalf("%v: %v", result.Outcome, result.Err)
	}
	if !strings.HasPrefix(result.Answer, "X = [[1,0],[35,0],[595,0],") {
		t.Errorf("answer %.60s", result.Answer)
	}
	s, err := Summarise(trace)
	if err != nil {
		t.Fatal(err)
	}
	if s.Reductions != 2235 || s.Height == nil || *s.Height != 56 {
		t.Errorf("%d reductions, height %v", s.Reductions, s.Height)
	}
	var b strings.Builder
	s.WriteTable(&b)
	t.Log("\n" + b.String())
}
