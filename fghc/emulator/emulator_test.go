package emulator

import (
	"context"
	"fmt"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
)

func prepare(t testing.TB, text, goal string) (*compile.Program, *compile.Query) {
	t.Helper()
	return prepareFile(t, "p.fghc", text, goal)
}

func prepareFile(t testing.TB, name, text, goal string) (*compile.Program, *compile.Query) {
	t.Helper()
	files, errs := check.Read([]check.Source{{Name: name, Text: text}})
	if errs.Failed() {
		t.Fatal(errs)
	}
	goals, errs := files.Query("goal", goal)
	if errs.Failed() {
		t.Fatal(errs)
	}
	prog, errs := compile.Compile(files...)
	if errs.Failed() {
		t.Fatal(errs)
	}
	q, errs := prog.Query(goals)
	if errs.Failed() {
		t.Fatal(errs)
	}
	return prog, q
}

func runProgram(t testing.TB, text, goal string, o Options) *Machine {
	t.Helper()
	prog, q := prepare(t, text, goal)
	m, err := New(prog, q, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return m
}

const nrev = `
nrev([],R) :- R = [].
nrev([X|Xs],R) :- nrev(Xs,Y), append(Y,[X],R).
append([],Y,Z) :- Z = Y.
append([X|Xs],Y,Z) :- Z = [X|Z1], append(Xs,Y,Z1).
gen(0,L) :- L = [].
gen(N,L) :- N > 0 | L = [N|L1], N1 := N-1, gen(N1,L1).
many(0,_,R) :- R = done.
many(N,L,R) :- N > 0 | nrev(L,X), next(X,N,L,R).
next([_|_],N,L,R) :- N1 := N-1, many(N1,L,R).
main(K,N,R) :- gen(N,L), many(K,L,R).
`

const fib = `
fib(N,R) :- N < 2 | R = N.
fib(N,R) :- N >= 2 | N1 := N-1, N2 := N-2, fib(N1,R1), fib(N2,R2), add(R1,R2,R).
add(X,Y,Z) :- Z := X+Y.
fib2(N,R) :- N < 2 | R = N.
fib2(N,R) :- N >= 2 | N1 := N-1, N2 := N-2, fib2(N1,R1), fib2(N2,R2), R := R1+R2.
`

const primes = `
primes(Max,Ps) :- gen(2,Max,Ns), sift(Ns,Ps).
gen(N,Max,Ns) :- N =< Max | Ns = [N|Ns1], N1 := N+1, gen(N1,Max,Ns1).
gen(N,Max,Ns) :- N > Max | Ns = [].
sift([],Zs) :- Zs = [].
sift([P|Xs],Zs) :- Zs = [P|Zs1], filter(P,Xs,Ys), sift(Ys,Zs1).
filter(_,[],Ys) :- Ys = [].
filter(P,[X|Xs],Ys) :- X mod P =:= 0 | filter(P,Xs,Ys).
filter(P,[X|Xs],Ys) :- X mod P =\= 0 | Ys = [X|Ys1], filter(P,Xs,Ys1).
`

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ text, goal, want string }{
		{nrev, "main(3,5,R)", "[{R done}]"},
		{nrev, "nrev([1,2,3],R)", "[{R [3,2,1]}]"},
		{fib, "fib(12,R)", "[{R 144}]"},
		{fib, "fib2(12,R)", "[{R 144}]"},
		{primes, "primes(50,R)", "[{R [2,3,5,7,11,13,17,19,23,29,31,37,41,43,47]}]"},
	} {
		for _, o := range []Options{{}, {Collect: true}} {
			m := runProgram(t, c.text, c.goal, o)
			if got := fmt.Sprint(m.Answer()); got != c.want {
				t.Errorf("%s: %s, want %s", c.goal, got, c.want)
			}
		}
	}
}

// streams are programs of as many reductions as one likes, of which little is alive at a time.
const streams = primes + `
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
