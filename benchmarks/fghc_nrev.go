package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/nrev.fghc
var nrevSource string

var naiveReverse = &Benchmark{
	Name:   "fghc/nrev",
	Doc:    "A pipeline of list appends: quadratic work, but each stage starts on the first element that the one before it passes on.",
	Params: []Param{{Name: "n", Default: 100, Min: 0, Max: 10_000, Doc: "length of the list"}},
	Program: FGHC{File: "nrev.fghc", Source: nrevSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		xs := make([]int64, p[0])
		for i := range xs {
			xs[i] = p[0] - int64(i)
		}
		return equal(answer, "X = "+list(xs))
	},
}
