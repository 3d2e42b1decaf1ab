package benchmarks

import (
	"fmt"
	"math/bits"
)

var hanoi = &Benchmark{
	Name:    "fghc/hanoi",
	Doc:     "A perfectly balanced binary tree that builds one long list; neither half waits for the other.",
	Params:  []Param{{Name: "n", Default: 10, Min: 0, Max: 18, Doc: "discs"}},
	Program: fghcProgram("hanoi.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+list(discMoves(int(p[0]))))
	},
}

// discMoves returns the moves of n discs from a to b without recursion. Move i is made by disc d, the number of trailing zeros of i. Each disc
// cycles over the pegs in one direction: the largest and every second one from it in the order a, b, c, the others in the opposite order.
func discMoves(n int) []string {
	const pegs = "abc"
	position := make([]int, n)
	var out []string
	for i := uint(1); i < 1<<n; i++ {
		d := bits.TrailingZeros(i)
		step := 1 + (n-1-d)%2
		to := (position[d] + step) % 3
		out = append(out, fmt.Sprintf("%c-%c", pegs[position[d]], pegs[to]))
		position[d] = to
	}
	return out
}
