package benchmarks

import (
	"fmt"
	"math/big"
	"strings"
)

var dtsFibonacci = &Benchmark{
	Name: "dts/fibonacci",
	Doc: "Two threads for almost no work: the cost of forks and joins. A tree of threads for each of the first Fibonacci numbers, one after the " +
		"other; by default 729 threads, as in the DTS paper.",
	Params: []Param{{Name: "n", Default: 12, Min: 0, Max: 28, Doc: "numbers, from fib(0) on"}},
	Program: DTS{
		File: "fibonacci.go",
		// fib(i) of the paper is F(i+1) and makes 2F(i+1) - 1 calls. It forks all of them except the first. The first n Fibonacci numbers add up
		// to F(n+2) - 1.
		Threads: func(p []int64) int64 { return 1 + 2*(fibonacciNumber(p[0]+2)-1) - 2*p[0] },
	},
	Check: func(p []int64, answer string) error {
		numbers := make([]string, p[0])
		for i := range numbers {
			numbers[i] = fmt.Sprint(fibonacciNumber(int64(i) + 1))
		}
		return equalWords(answer, strings.Join(numbers, " "))
	},
}

// fibonacciNumber returns F(n), with F(1) = F(2) = 1, by doubling: F(2k) and F(2k+1) from F(k) and F(k+1), for the bits of n from the highest.
func fibonacciNumber(n int64) int64 {
	a, b := int64(0), int64(1)
	for i := big.NewInt(n).BitLen() - 1; i >= 0; i-- {
		a, b = a*(2*b-a), a*a+b*b
		if n>>i&1 == 1 {
			a, b = b, a+b
		}
	}
	return a
}
