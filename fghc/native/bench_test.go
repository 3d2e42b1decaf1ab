package native_test

import (
	"testing"
	"time"

	"whorl/fghc/testdata/nativetest"
)

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

// BenchmarkNative alternates runs of functions and of bytecode on one PE. It reports reductions per second of processor time, and the ratio of
// the times.
func BenchmarkNative(b *testing.B) {
	names, texts := []string{"nrev", "primes", "fib"}, []string{nrev, primes, fib}
	goals := []string{"main(20,1000,R)", "primes(20000,R)", "fib(27,R)"}
	binary := nativetest.Build(b, texts)
	for i, name := range names {
		for k, how := range []string{"", "-traced"} {
			b.Run(name+how, func(b *testing.B) {
				n, took := int64(0), [2]time.Duration{}
				for b.Loop() {
					for j, bytecode := range []bool{false, true} {
						r := binary.Run(b, nativetest.Run{Program: i, Goal: goals[i], Bytecode: bytecode, Traced: k == 1, Timed: true})
						if r.Err != "" {
							b.Fatal(r.Err)
						}
						n += r.Reductions
						took[j] += r.Processor
					}
				}
				b.ReportMetric(float64(n/2)/took[0].Seconds()/1e6, "Mred/cpu-s")
				b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "times-as-fast")
			})
		}
	}
}
