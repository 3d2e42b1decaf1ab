package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/fibonacci.fghc
var fibonacciSource string

var fibonacci = &Benchmark{
	Name:   "fghc/fibonacci",
	Doc:    "A nearly balanced binary tree without waiting on the way down: what a scheduling policy can do at its best.",
	Params: []Param{{Name: "n", Default: 16, Min: 0, Max: 40, Doc: "which Fibonacci number"}},
	Program: FGHC{File: "fibonacci.fghc", Source: fibonacciSource, Goal: func(p []int64) string {
		return fmt.Sprintf("fib(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		a, b := int64(0), int64(1)
		for range p[0] {
			a, b = b, a+b
		}
		return equal(answer, fmt.Sprintf("X = %d", a))
	},
}
