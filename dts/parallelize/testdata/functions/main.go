// The functions that the tests rewrite and compare. What is expected of a call stands behind it: forked, or left with a part of the reason.
package main

import (
	"fmt"
	"math"
	"strings"
)

// fib is the usual one, with variables.
//
//dts:fork if n > 5
func fib(n int) int {
	if n < 2 {
		return n // a leaf
	}
	// The first of the two calls is forked.
	a := fib(n - 1) // forked
	b := fib(n - 2) // left: nothing is computed between it and the use of b
	/* the sum */ return a + b
}

// lucas forks within an expression, and its last call is made in place.
//
//dts:fork
func lucas(n int) int {
	if n < 2 {
		return 2 - n
	}
	return lucas(n-1) + lucas(n-2) // forked // left: while the other threads
}

// binomial has two arguments.
//
//dts:fork
func binomial(n, k int) (ways int) {
	if k == 0 || k == n {
		return 1
	}
	ways = binomial(n-1, k-1) // forked
	other := binomial(n-1, k) // left: nothing is computed
	ways += other
	return
}

// minmax has two results.
//
//dts:fork
func minmax(xs []int, lo, hi int) (int, int) {
	if hi-lo == 1 {
		return xs[lo], xs[lo]
	}
	mid := (lo + hi) / 2
	a, b := minmax(xs, lo, mid) // forked
	c, d := minmax(xs, mid, hi) // left: nothing is computed
	return min(a, c), max(b, d)
}

type number interface{ ~int | ~float64 }

// add is generic.
//
//dts:fork
func add[T number](xs []T) T {
	if len(xs) == 1 {
		return xs[0]
	}
	m := len(xs) / 2
	left := add(xs[:m])
	right := add[T](xs[m:])
	return left + right
}

// longest is variadic.
//
//dts:fork if len(words) > 1
func longest(words ...string) string {
	if len(words) == 1 {
		return words[0]
	}
	var a string = longest(words[:len(words)/2]...)
	b := longest(words[len(words)/2:]...)
	if len(b) > len(a) {
		return b
	}
	return a
}

type tree struct {
	left, right *tree
	value       int
}

// grow makes memory, and returns it.
//
//dts:fork
func grow(depth, value int) *tree {
	if depth == 0 {
		return nil
	}
	l, r := grow(depth-1, 2*value), grow(depth-1, 2*value+1)
	t := &tree{left: l, right: r}
	t.value = value
	return t
}

// sum is a method of a pointer that only reads.
//
//dts:fork
func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	left := t.left.sum()
	right := t.right.sum()
	return left + t.value + right
}

// sorted copies, and writes to the copy.
//
//dts:fork
func sorted(xs []int) []int {
	if len(xs) < 2 {
		return append([]int(nil), xs...)
	}
	a := sorted(xs[:len(xs)/2])
	b := sorted(xs[len(xs)/2:])
	out := make([]int, 0, len(xs))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// quick takes the list apart into memory of its own.
//
//dts:fork
func quick(xs []int) []int {
	if len(xs) < 2 {
		return xs
	}
	var small, large []int
	for _, x := range xs[1:] {
		if x < xs[0] {
			small = append(small, x)
		} else {
			large = append(large, x)
		}
	}
	low, high := quick(small), quick(large)
	return append(append(append([]int{}, low...), xs[0]), high...)
}

// queens counts in a loop that may skip a choice.
//
//dts:fork if n > 1
func queens(n int, row, columns, up, down uint) int {
	if n == 0 {
		return 1
	}
	count := 0
	for free := ^(columns | up | down) & row; free != 0; {
		bit := free & -free
		free &^= bit
		if bit == 0 {
			continue
		}
		count += queens(n-1, row, columns|bit, (up|bit)<<1, (down|bit)>>1)
	}
	return count
}

type point struct{ x, y float64 }

// area is a method of a value. It sums floats in the order of the loop.
//
//dts:fork
func (p point) area(depth int) float64 {
	total := p.x * p.y
	if depth > 0 {
		for i := 1; i <= 3; i++ {
			q := point{math.Sqrt(p.x + float64(i)), p.y / float64(i)}
			total += q.area(depth-1) / 7
		}
	}
	return total
}

// determinant takes minors, each a copy.
//
//dts:fork
func determinant(m [4][4]float64, n int) float64 {
	if n == 1 {
		return m[0][0]
	}
	det, sign := 0.0, 1.0
	for c := range n {
		var minor [4][4]float64
		for i := 1; i < n; i++ {
			k := 0
			for j := range n {
				if j != c {
					minor[i-1][k] = m[i][j]
					k++
				}
			}
		}
		term := m[0][c] * sign
		d := determinant(minor, n-1)
		det += term * d
		sign = -sign
	}
	return det
}

// steps is no recursion: its callers fork it.
//
//dts:fork
func steps(n int) int {
	count := 0
	for ; n != 1; count++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return count
}

// collatz puts results into the element of the round.
func collatz(n int) []int {
	out := make([]int, n)
	for i := 0; i < n; i++ {
		start := i + 1
		out[i] = steps(start)
	}
	return out
}

// flights stores each result in the element of its round and does nothing else: a dts.For.
func flights(starts []int) []int {
	out := make([]int, len(starts))
	for i := range starts {
		out[i] = steps(starts[i]) // forked
	}
	return out
}

// drawn calls more than the marked function in each round, in order.
func drawn(starts []int) []int {
	out := make([]int, len(starts))
	seed := 0
	draw := func() int { seed++; return seed }
	for i := range out {
		out[i] = steps(draw())
	}
	return out
}

// worst keeps the largest.
func worst(n int) (most int) {
	for i := range n {
		most = max(most, steps(i+1))
	}
	return most
}

// lengths appends.
func lengths(texts []string) (all []int) {
	for _, t := range texts {
		all = append(all, vowels(t))
	}
	return all
}

// vowels calls a function of another package.
//
//dts:fork
func vowels(text string) int {
	if len(text) < 3 {
		return strings.Count(text, "a") + strings.Count(text, "e")
	}
	m := len(text) / 2
	return vowels(text[:m]) + vowels(text[m:])
}

// power calls another marked function, and is called in arguments of one.
//
//dts:fork
func power(base, n int) int {
	if n == 0 {
		return 1
	}
	half := power(base, n/2)
	odd := steps(n)%2 + n%2 - steps(n)%2
	if odd == 1 {
		return half * half * base
	}
	return half * half
}

func main() {
	fmt.Println("fib", fib(15), "lucas", lucas(12), "binomial", binomial(12, 5))
	xs := []int{5, 3, 9, -2, 8, 7, 7, 0, 4, 11, 6}
	fmt.Println(minmax(xs, 0, len(xs)))
	fmt.Println(add(xs), add([]float64{0.1, 0.2, 0.3, 1e17, -1e17, 4}))
	fmt.Println(longest("a", "list", "of", "words", "of", "some", "length"))
	t := grow(6, 1)
	fmt.Println(t.sum(), sorted(xs), quick(xs))
	fmt.Println(queens(6, 63, 0, 0, 0), point{2, 3}.area(4))
	fmt.Println(determinant([4][4]float64{{4, 3, 2, 1}, {0, 1, 5, -2}, {7, 7, 1, 3}, {2, -9, 4, 4}}, 4))
	fmt.Println(collatz(30), worst(100), lengths([]string{"alphabet", "beta", "gamma"}))
	fmt.Println(flights(collatz(40)[1:]), drawn(collatz(9)))
	first := power(3, 13)
	second := fib(steps(27) / 10)
	if fib(10)+fib(11) == fib(12) {
		fmt.Println("as it should be", first, second)
	}
	switch steps(97) - steps(871) {
	case 0:
		fmt.Println("never")
	default:
		fmt.Println("two threads in the head of a switch")
	}
}
