package benchmarks

import (
	_ "embed"
	"fmt"
	"slices"
)

//go:embed fghc/qsort.fghc
var qsortSource string

var quicksort = &Benchmark{
	Name:   "fghc/qsort",
	Doc:    "Divide and conquer of uneven parts: how far work can be shared out depends on where the pivots happen to fall.",
	Params: []Param{{Name: "n", Default: 400, Min: 0, Max: 100_000, Doc: "numbers to sort, from the program's own generator"}},
	Program: FGHC{File: "qsort.fghc", Source: qsortSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		xs := random(p[0])
		slices.Sort(xs)
		return equal(answer, "X = "+list(xs))
	},
}

// random returns n numbers of the generator that the program has, a 31-bit one with the multiplier of ANSI C's example.
func random(n int64) []int64 {
	xs := make([]int64, n)
	seed := uint32(1)
	for i := range xs {
		seed = (seed*1103515245 + 12345) & (1<<31 - 1)
		xs[i] = int64(seed >> 16 % 1000)
	}
	return xs
}
