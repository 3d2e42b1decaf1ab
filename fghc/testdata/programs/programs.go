// Package programs holds programs that the tests and benchmarks of several engines run.
package programs

// NRev reverses lists: main(K,N,R) reverses a list of N elements K times.
const NRev = `
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

// QSort sorts with difference lists: qsort(Xs,Ys), the program of Figure 2 of the paper on VISTA.
const QSort = `
qsort(Xs, Ys) :- qsort(Xs, Ys, []).
qsort([], Ys, Zs) :- Ys = Zs.
qsort([P|Xs], Ys, Zs) :- part(Xs, P, S, L), qsort(S, Ys, [P|Ms]), qsort(L, Ms, Zs).
part([], _, S, L) :- S = [], L = [].
part([X|Xs], P, S, L) :- X =< P | S = [X|S1], part(Xs, P, S1, L).
part([X|Xs], P, S, L) :- X > P | L = [X|L1], part(Xs, P, S, L1).
`

// Fib computes Fibonacci numbers, with an addition in a goal of its own (fib) or in the body (fib2).
const Fib = `
fib(N,R) :- N < 2 | R = N.
fib(N,R) :- N >= 2 | N1 := N-1, N2 := N-2, fib(N1,R1), fib(N2,R2), add(R1,R2,R).
add(X,Y,Z) :- Z := X+Y.
fib2(N,R) :- N < 2 | R = N.
fib2(N,R) :- N >= 2 | N1 := N-1, N2 := N-2, fib2(N1,R1), fib2(N2,R2), R := R1+R2.
`

// Primes sieves the primes up to a number.
const Primes = `
primes(Max,Ps) :- gen(2,Max,Ns), sift(Ns,Ps).
gen(N,Max,Ns) :- N =< Max | Ns = [N|Ns1], N1 := N+1, gen(N1,Max,Ns1).
gen(N,Max,Ns) :- N > Max | Ns = [].
sift([],Zs) :- Zs = [].
sift([P|Xs],Zs) :- Zs = [P|Zs1], filter(P,Xs,Ys), sift(Ys,Zs1).
filter(_,[],Ys) :- Ys = [].
filter(P,[X|Xs],Ys) :- X mod P =:= 0 | filter(P,Xs,Ys).
filter(P,[X|Xs],Ys) :- X mod P =\= 0 | Ys = [X|Ys1], filter(P,Xs,Ys1).
`

// Endless returns the N-th prime of a producer with low priority, which its readers stop in the end. At the same
// priority the producer would run ahead of them.
const Endless = `
main(Nth, P) :- gen(Stop, 2, Ns)@lower_priority, sift(Ns, Ps), pick(Ps, Nth, Stop, P).
gen(stop, _, Ns) :- Ns = [].
alternatively.
gen(Stop, N, Ns) :- Ns = [N|Ns1], gen(Stop, ~(N + 1), Ns1).
sift([], Ps) :- Ps = [].
sift([P|Ns], Ps) :- Ps = [P|Ps1], filter(P, Ns, Ms), sift(Ms, Ps1).
filter(_, [], Ms) :- Ms = [].
filter(P, [N|Ns], Ms) :- N mod P =\= 0 | Ms = [N|Ms1], filter(P, Ns, Ms1).
filter(P, [N|Ns], Ms) :- N mod P =:= 0 | filter(P, Ns, Ms).
pick([P|_], 1, Stop, Q) :- Q = P, Stop = stop.
pick([_|Ps], N, Stop, Q) :- N > 1 | pick(Ps, ~(N - 1), Stop, Q).
`
