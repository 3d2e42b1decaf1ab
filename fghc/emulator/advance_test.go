package emulator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"whorl/fghc/report"
	"whorl/fghc/testdata/programs"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// A run can be stopped after any reduction without an effect on its results, also while PEs wait at the limit and
// others collect.
func TestAdvance(t *testing.T) {
	prog, q := prepare(t, programs.Fib, "fib(15,R)")
	for _, o := range []Options{{}, {PEs: 3, Policy: named(t, "steal")}, {PEs: 3, Policy: named(t, "breadth-first")}, {PEs: 4, Policy: named(t, "random"), Collect: true}} {
		m := must.Get(New(prog, q, o))(t)
		must.Do(t, m.Start())
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

// An endless run ends with its context.
func TestEnds(t *testing.T) {
	prog, q := prepare(t, "loop(N) :- M := N+1, loop(M).", "loop(0)")
	for long := 50 * time.Millisecond; ; long *= 2 { // until the time suffices for a reduction
		m, err := New(prog, q, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), long)
		err = m.Run(ctx)
		cancel()
		if err == nil {
			t.Errorf("no error after %d reductions", m.Reductions())
		}
		if err == nil || m.Reductions() > 0 {
			break
		}
	}
}

// Goals that wait for variables that can never be bound are found while the program runs, also if they wait for each
// other. A goal is not lost as long as a goal that may reduce knows its variable.
func TestPerpetualSuspension(t *testing.T) {
	const text = `
main(N) :- a(X,Y), b(Y,X), loop(N,1).
safe(N) :- a(X,Y), b(Y,X), loop(N,X).
a(1,Y) :- Y = 1.
b(1,X) :- X = 1.
loop(0,X) :- end(X).
loop(N,X) :- N > 0 | M := N-1, waste([1,2,3,4,5,6,7,8],M,X).
waste([_|_],N,X) :- loop(N,X).
end(X) :- X = 1.
`
	n, options := 200_000, []Options{{PEs: 3, Policy: named(t, "random")}, {PEs: 2, Policy: named(t, "steal")}, {}}
	if testenv.Race { // one PE has no races
		n, options = 100_000, options[:2]
	}
	for _, o := range options {
		o.MaxWords = 1 << 16 // a small arena, so that all words are collected before the end
		var told []report.Pending
		o.Lost = func(some []report.Pending, n int) { told = append(told, some[:n]...) }
		prog, q := prepare(t, text, fmt.Sprintf("main(%d)", n))
		m := must.Get(New(prog, q, o))(t)
		must.Do(t, m.Start())
		for len(told) == 0 && m.Advance(t.Context(), 10_000, time.Minute) {
		}
		if len(told) != 2 || m.Err() != nil {
			t.Errorf("%d PEs: %d goals found before the end, want 2; %v", o.PEs, len(told), m.Err())
		}
		for m.Advance(t.Context(), 1<<40, time.Minute) {
		}
		const want = `deadlock: 2 goals wait forever
p.fghc:2:12: a(X,Y) waits for X
    main(N) :- a(X,Y), b(Y,X), loop(N,1).
               ^
p.fghc:2:20: b(Y,X) waits for Y
    main(N) :- a(X,Y), b(Y,X), loop(N,1).
                       ^`
		if m.Err() == nil || m.Err().Error() != want {
			t.Errorf("%d PEs: %v\nexpected %s", o.PEs, m.Err(), want)
		}
		o.Lost = func(some []report.Pending, n int) { t.Errorf("%d PEs: %d goals are lost: %v", o.PEs, n, some) }
		if m := runProgram(t, text, fmt.Sprintf("safe(%d)", n), o); m.Stats().Collections == 0 {
			t.Errorf("%d PEs: %d collections", o.PEs, m.Stats().Collections)
		}
	}
}

// Producers and consumers of streams run in bounded memory.
func TestPipelinesInBoundedMemory(t *testing.T) {
	const most = 1 << 22
	for _, c := range []struct {
		goal string
		n    int
		want string
	}{{"count", 30_000, "N = 3245"}, {"server", 1_000_000, "N = done"}} {
		if testenv.Race {
			c.n, c.want = c.n/25, map[string]string{"count": "N = 196", "server": c.want}[c.goal]
		}
		for _, o := range []Options{{}, {PEs: 2, Policy: named(t, "on-demand")}} {
			o.MaxWords = most
			m := runProgram(t, streams, fmt.Sprintf("%s(%d,N)", c.goal, c.n), o)
			if s := m.Stats(); !testenv.Race && (s.Reductions < 3_000_000 || s.Collections < 5) {
				t.Errorf("%s, %d PEs: %d reductions, %d collections", c.goal, o.PEs, s.Reductions, s.Collections)
			}
			if got := answerOf(m); got != c.want {
				t.Errorf("%s, %d PEs: %s, expected %s", c.goal, o.PEs, got, c.want)
			}
		}
	}
}
