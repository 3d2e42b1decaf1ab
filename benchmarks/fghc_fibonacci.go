package benchmarks

import (
	"fmt"
)

var fibonacci = &Benchmark{
	Name:    "fghc/fibonacci",
	Doc:     "A nearly balanced binary tree without waiting on the way down: the best case for a scheduling policy.",
	Params:  []Param{{Name: "n", Default: 16, Min: 0, Max: 40, Doc: "index of the Fibonacci number"}},
	Program: fghcProgram("fibonacci.fghc", "fib(%d, X)"),
	Check: func(p []int64, answer string) error {
		a, b := int64(0), int64(1)
		for range p[0] {
			a, b = b, a+b
		}
		return equal(answer, fmt.Sprintf("X = %d", a))
	},
}
