package emulator

import (
	"context"
	"testing"
	"time"
)

// A run can be stopped after any reduction and goes on as if it had not been, also where PEs wait for more while others collect.
func TestAdvance(t *testing.T) {
	prog, q := prepare(t, fib, "fib(15,R)")
	for _, o := range []Options{{}, {PEs: 3, Policy: named(t, "steal")}, {PEs: 3, Policy: named(t, "breadth-first")}, {PEs: 4, Policy: named(t, "random"), Collect: true}} {
		m, err := New(prog, q, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Start(); err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for step := int64(1); m.Advance(t.Context(), step, time.Minute); step++ {
			if n += step; m.Reductions() != n {
				t.Fatalf("%d PEs: %d reductions after %d", o.PEs, m.Reductions(), n)
			}
		}
		if m.Err() != nil || answerOf(m) != "R = 610" {
			t.Errorf("%d PEs: %v, %s", o.PEs, m.Err(), answerOf(m))
		}
	}
}

// What has no end ends with its context, or when somebody stops it.
func TestEnds(t *testing.T) {
	prog, q := prepare(t, "loop(N) :- M := N+1, loop(M).", "loop(0)")
	m, err := New(prog, q, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := m.Run(ctx); err == nil || m.Reductions() == 0 {
		t.Errorf("%v after %d reductions", err, m.Reductions())
	}
}

// Goals that wait for what nobody can bind any more are found while the program runs, those that wait for each other too.
func TestPerpetualSuspension(t *testing.T) {
	text := `
main(N) :- a(X,Y), b(Y,X), loop(N).
a(1,Y) :- Y = 1.
b(1,X) :- X = 1.
loop(0).
loop(N) :- N > 0 | M := N-1, waste([1,2,3,4,5,6,7,8],M).
waste([_|_],N) :- loop(N).
`
	prog, q := prepare(t, text, "main(200000)")
	found := 0
	m, err := New(prog, q, Options{Lost: nil})
	if err != nil {
		t.Fatal(err)
	}
	_ = found
	if err := m.Run(t.Context()); err == nil {
		t.Error("two goals wait for each other, and nothing is said")
	} else {
		t.Log(err)
	}
	if m.losses != 2 {
		t.Errorf("%d goals found before the end, want 2", m.losses)
	}
}
