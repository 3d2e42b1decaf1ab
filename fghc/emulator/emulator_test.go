package emulator

import (
	"context"
	"fmt"
	"testing"

	"whorl/fghc/compile"
	"whorl/fghc/testdata/fghctest"
	"whorl/fghc/testdata/programs"
	"whorl/testdata/must"
)

func prepare(t testing.TB, text, goal string) (*compile.Program, *compile.Query) {
	t.Helper()
	return fghctest.Query(t, "p.fghc", text, goal)
}

func runProgram(t testing.TB, text, goal string, o Options) *Machine {
	t.Helper()
	prog, q := prepare(t, text, goal)
	m := must.Get(New(prog, q, o))(t)
	must.Do(t, m.Run(context.Background()))
	return m
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ text, goal, want string }{
		{programs.NRev, "main(3,5,R)", "[{R done}]"},
		{programs.NRev, "nrev([1,2,3],R)", "[{R [3,2,1]}]"},
		{programs.Fib, "fib(12,R)", "[{R 144}]"},
		{programs.Fib, "fib2(12,R)", "[{R 144}]"},
		{programs.Primes, "primes(50,R)", "[{R [2,3,5,7,11,13,17,19,23,29,31,37,41,43,47]}]"},
	} {
		for _, o := range []Options{{}, {Collect: true}} {
			m := runProgram(t, c.text, c.goal, o)
			if got := fmt.Sprint(m.Answer()); got != c.want {
				t.Errorf("%s: %s, want %s", c.goal, got, c.want)
			}
		}
	}
}

// streams has programs with any number of reductions and little live data.
const streams = programs.Primes + `
count(Max,N) :- primes(Max,Ps), length(Ps,0,N).
length([],K,N) :- N = K.
length([_|Ps],K,N) :- K1 := K+1, length(Ps,K1,N).
server(K,N) :- ask(K,S,N), serve(S,0).
ask(0,S,N) :- S = [], N = done.
ask(K,S,N) :- K > 0 | S = [add(K,R)|S1], K1 := K-1, next(R,K1,S1,N).
next(R,K,S,N) :- wait(R) | ask(K,S,N).
serve([],_).
serve([add(X,R)|S],Sum) :- R = Sum, T := Sum + X, serve(S,T).
`
