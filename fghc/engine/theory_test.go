package engine

import (
	"fmt"
	"testing"
)

// TestCountsOfTheory compares the number of reductions with theory: naive reverse of n elements takes (n+1)(n+2)/2 and
// doubly recursive Fibonacci 2F(n+1)-1, on every machine.
func TestCountsOfTheory(t *testing.T) {
	const program = `
nrev([], Ys) :- Ys = [].
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
append([], Ys, Zs) :- Zs = Ys.
append([X|Xs], Ys, Zs) :- Zs = [X|Zs1], append(Xs, Ys, Zs1).
fib(N, F) :- N < 2 | F = N.
fib(N, F) :- N >= 2 | M := N - 1, L := N - 2, fib(M, A), fib(L, B), F := A + B.
`
	setups := []setup{
		onePE,
		{pes: 7, policy: "random", net: "bus", seed: 1},
		{pes: 16, policy: "on-demand", net: "all", seed: 2},
		{pes: 5, policy: "breadth-first", net: "mesh2d"},
	}
	fibonacci := []int64{0, 1}
	for len(fibonacci) < 20 {
		fibonacci = append(fibonacci, fibonacci[len(fibonacci)-1]+fibonacci[len(fibonacci)-2])
	}
	for _, s := range setups {
		list := "[]"
		for n := int64(0); n <= 12; n += 3 {
			if r := run(t, program, fmt.Sprintf("nrev(%s, X)", list), s); r.err != nil || r.stats.Reductions != (n+1)*(n+2)/2 {
				t.Errorf("%v: naive reverse of %d: %d reductions, %v", s, n, r.stats.Reductions, r.err)
			}
			list = fmt.Sprintf("[%d,b,c|%s]", n, list)
		}
		for n := 0; n < 18; n += 4 {
			r := run(t, program, fmt.Sprintf("fib(%d, X)", n), s)
			if want := fmt.Sprint("X = ", fibonacci[n]); r.err != nil || r.stats.Reductions != 2*fibonacci[n+1]-1 || r.answer != want {
				t.Errorf("%v: fib(%d): %s, %d reductions, %v", s, n, r.answer, r.stats.Reductions, r.err)
			}
		}
	}
}
