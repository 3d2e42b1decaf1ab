package emulator

import (
	"testing"

	"whorl/fghc/testdata/programs"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A builtin whose operands goals of the same body compute is called behind them. In textual order it never waits and
// leaves no event.
func TestDeferredBuiltins(t *testing.T) {
	const text = `
first(N,R) :- N < 2 | R = N.
first(N,R) :- N >= 2 | R := A + B, N1 := N-1, N2 := N-2, first(N1,A), first(N2,B).
chain([],R) :- R := 0.
chain([X|Xs],R) :- chain(Xs,A), B := A * X, C := B + 1, R := C mod 1000.
wide(N,R) :- id(N,A), id(N,B), id(N,C), id(N,D), id(N,E), R := A+B+C+D+E.
id(X,Y) :- Y = X.
`
	for _, c := range []struct{ text, goal, want string }{
		{programs.Fib, "fib2(12,R)", "R = 144"},
		{text, "first(12,R)", "R = 144"},
		{text, "chain([3,1,4,1,5],R)", "R = 31"},
		{text, "wide(7,R)", "R = 35"},
	} {
		for _, o := range []Options{{}, {Poll: 1}, {Collect: true}} {
			prog, q := prepare(t, c.text, c.goal)
			mem := tracer.NewMemory()
			o.Recorder = mem
			m := must.Get(New(prog, q, o))(t)
			must.Do(t, m.Run(t.Context()))
			mem.Close()
			if n := m.Stats().Suspensions; n != 0 || answerOf(m) != c.want {
				t.Errorf("%s: %d suspensions, %s; want none, %s", c.goal, n, answerOf(m), c.want)
			}
			must.Do(t, mem.Scan(tracer.Kinds(tracer.Suspend, tracer.Resume, tracer.End), func(events []tracer.Event) error {
				for _, e := range events {
					t.Errorf("%s: %+v", c.goal, e)
				}
				return nil
			}))
		}
	}
}

// A deferred builtin that has to wait all the same is recorded from then on, with an id of its own.
func TestDeferredBuiltinsThatWait(t *testing.T) {
	const text = `
p(X,Y,R) :- q(X,A), q(Y,B), R := A + B, S := A * B, r(S).
q(X,Y) :- wait(X) | Y = X.
r(_).
set(X,Y) :- X = Y.
`
	prog, q := prepare(t, text, "p(X,Y,R), set(X,3), set(Y,4)")
	mem := tracer.NewMemory()
	m := must.Get(New(prog, q, Options{Recorder: mem}))(t)
	must.Do(t, m.Run(t.Context()))
	mem.Close()
	got := map[tracer.Kind]map[uint64]int{tracer.Suspend: {}, tracer.Resume: {}, tracer.End: {}, tracer.Reduce: {}}
	must.Do(t, mem.Scan(tracer.AllKinds, func(events []tracer.Event) error {
		for _, e := range events {
			if n := got[e.Kind]; n != nil {
				n[e.Task]++
			}
		}
		return nil
	}))
	if len(got[tracer.Suspend]) != 4 || len(got[tracer.Resume]) != 4 || len(got[tracer.End]) != 2 || len(got[tracer.Reduce]) != 6 {
		t.Errorf("%v: want 4 tasks that suspend and resume, 2 of which end, and 6 that reduce", got)
	}
	if got[tracer.Suspend][0]+got[tracer.Reduce][0] > 0 {
		t.Errorf("%v: a task without an id", got)
	}
	if a := answerOf(m); a != "X = 3\nY = 4\nR = 7" {
		t.Error(a)
	}
}
