package engine

import (
	"fmt"
	"testing"

	"whorl/fghc/testdata/programs"
)

// TestCountsOfTheory compares the number of reductions with theory: naive reverse of n elements takes (n+1)(n+2)/2 and
// doubly recursive Fibonacci 2F(n+1)-1, on every machine.
func TestCountsOfTheory(t *testing.T) {
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
			if r := run(t, programs.NRev, fmt.Sprintf("nrev(%s, X)", list), s); r.err != nil || r.stats.Reductions != (n+1)*(n+2)/2 {
				t.Errorf("%v: naive reverse of %d: %d reductions, %v", s, n, r.stats.Reductions, r.err)
			}
			list = fmt.Sprintf("[%d,b,c|%s]", n, list)
		}
		for n := 0; n < 18; n += 4 {
			r := run(t, programs.Fib, fmt.Sprintf("fib2(%d, X)", n), s)
			if want := fmt.Sprint("X = ", fibonacci[n]); r.err != nil || r.stats.Reductions != 2*fibonacci[n+1]-1 || r.answer != want {
				t.Errorf("%v: fib(%d): %s, %d reductions, %v", s, n, r.answer, r.stats.Reductions, r.err)
			}
		}
	}
}
