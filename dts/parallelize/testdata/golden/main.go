// Command golden shows what becomes of a program.
package main

import "fmt"

// fib is the Fibonacci numbers, by the formula. It says so itself when it has to.
//
//dts:fork
func fib(n int) int {
	if n < 2 {
		return n // a leaf
	}
	a := fib(n - 1) // the larger half
	b := fib(n - 2)
	// Both are there now.
	return a + b
}

// sums adds some of them up.
func sums(n int) (total int) {
	/* from the first on */
	for i := range n {
		// The even ones only.
		if i%2 == 0 {
			total += fib(i) // in each round
		}
	}
	return total
}

// main prints.
func main() {
	fmt.Println(sums(20)) // 2,583 and all before
}
