package benchmarks

import (
	"slices"
)

var quicksort = &Benchmark{
	Name:    "fghc/qsort",
	Doc:     "Divide and conquer with uneven parts: how well work can be shared depends on the pivots.",
	Params:  []Param{{Name: "n", Default: 400, Min: 0, Max: 100_000, Doc: "numbers to sort, from the program's generator"}},
	Program: fghcProgram("qsort.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		xs := random(p[0])
		slices.Sort(xs)
		return equal(answer, "X = "+list(xs))
	},
}

// random returns n numbers of the program's generator, a 31-bit one with the multiplier of the example in ANSI C.
func random(n int64) []int64 {
	xs := make([]int64, n)
	seed := uint32(1)
	for i := range xs {
		seed = (seed*1103515245 + 12345) & (1<<31 - 1)
		xs[i] = int64(seed >> 16 % 1000)
	}
	return xs
}
