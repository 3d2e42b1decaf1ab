package benchmarks

import (
	_ "embed"
	"fmt"
	"math/bits"
)

//go:embed fghc/hanoi.fghc
var hanoiSource string

var hanoi = &Benchmark{
	Name:   "fghc/hanoi",
	Doc:    "A perfectly balanced binary tree that makes one long list, without either half waiting for the other.",
	Params: []Param{{Name: "n", Default: 10, Min: 0, Max: 18, Doc: "discs"}},
	Program: FGHC{File: "hanoi.fghc", Source: hanoiSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+list(discMoves(int(p[0]))))
	},
}

// discMoves returns the moves of n discs from a to b without recursion: move i is made by the disc d that is the number of zeros at the end
// of i, which goes round the pegs in one direction, the largest disc and every second from it to the right (a, b, c), the others to the left.
func discMoves(n int) []string {
	const pegs = "abc"
	at := make([]int, n)
	var out []string
	for i := uint(1); i < 1<<n; i++ {
		d := bits.TrailingZeros(i)
		step := 1 + (n-1-d)%2
		to := (at[d] + step) % 3
		out = append(out, fmt.Sprintf("%c-%c", pegs[at[d]], pegs[to]))
		at[d] = to
	}
	return out
}
