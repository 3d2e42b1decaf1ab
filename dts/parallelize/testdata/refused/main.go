// Functions and calls that have to stay as they are. The reason expected stands behind each.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
)

var (
	counter int
	table   = map[int]int{}
	hook    = func(n int) int { return n }
)

//dts:fork
func counts(n int) int { // left: it writes to the variable counter
	counter += n
	return counter
}

//dts:fork
func remembers(n int) int { // left: it writes to the variable table
	if v, ok := table[n]; ok {
		return v
	}
	table[n] = n * n
	return n * n
}

//dts:fork
func partition(xs []int) int {
	xs[0], xs[len(xs)-1] = xs[len(xs)-1], xs[0]
	return xs[0]
}

//dts:fork
func extends(xs []int) []int {
	return append(xs, 1)
}

//dts:fork
func through(xs []int) int {
	return partition(xs) // left: its result is returned at once
}

type cell struct{ v int }

//dts:fork
func (c *cell) bump() int { // left: it writes to the field v
	c.v++
	return c.v
}

//dts:fork
func prints(n int) int { // left: it calls fmt.Println, whose effects are unknown
	fmt.Println(n)
	return n
}

//dts:fork
func asks(s fmt.Stringer) string { // left: it calls String through an interface
	return s.String()
}

//dts:fork
func applies(f func(int) int, n int) int { // left: it calls a function value
	return f(n)
}

//dts:fork
func hooked(n int) int { // left: it calls a function value
	return hook(n)
}

//dts:fork
func receives(c chan int) int { // left: it receives from a channel
	return <-c
}

//dts:fork
func sends(c chan int) int { // left: it sends on a channel
	c <- 1
	return 1
}

//dts:fork
func starts(n int) int { // left: it starts a goroutine
	go counts(n) // not marked in the end, so nothing is to be said
	return n
}

//dts:fork
func defers(n int) int { // left: it defers a call
	defer fmt.Print()
	return n
}

//dts:fork
func sorts(xs []int) []int { // left: it calls sort.Ints
	ys := append([]int(nil), xs...)
	sort.Ints(ys)
	return ys
}

//dts:fork
func nothing(n int) { // left: it has no result
	_ = n
}

type list[T any] struct{ xs []T }

//dts:fork
func (l list[T]) length(n int) int { // left: a method of a generic type
	return len(l.xs) + n
}

//dts:fork
func pure(n int) int {
	if n < 1 {
		return 1
	}
	return 2 * pure(n-1) // left: its result is returned at once
}

//dts:fork
func looks(xs []int) int {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	return sum
}

//dts:fork
func divides(a, b int) int {
	return a / b
}

func literals() int {
	f := func() int { return pure(3) } // left: it is in a function literal
	go pure(1)                         // left: it is part of a go statement
	defer pure(2)                      // left: it is part of a defer statement
	return f()
}

func conditions(n int) bool {
	if x := pure(n); x > 3 { // left: it is in the head of an if
		return true
	} else if pure(n) > pure(n+1) { // left: head of an else if // left: head of an else if
		return false
	}
	for i := 0; i < pure(2); i++ { // left: it is in the head of a loop
		n++
	}
	switch {
	case pure(n) > 2: // left: it is in a case
		return n > 0 && pure(n) == 3 // left: it is evaluated only if the operand before &&
	}
	return false
}

func addresses(n int) int {
	a := pure(n) // left: the address of a is taken
	p := &a
	b := pure(n + 1) // left: a function literal uses it
	f := func() int { return b }
	fmt.Println("work")
	return *p + f()
}

func memory(n int, c *cell, xs []int) {
	c.v = pure(n) // left: its result goes to memory (c.v)
	fmt.Println("work")
	xs[0] = pure(n) // left: its result goes to memory (xs[0])
	fmt.Println("work")
	counter = pure(n) // left: its result goes to counter
	fmt.Println("work")
	pure(n) // left: its result is not kept
}

func barriers(n int, xs []int) (int, error) {
	a := looks(xs)  // left: what runs beside it writes to an element of xs
	xs[0] = pure(n) // left: its result goes to memory
	if a > 3 {
		return a, nil
	}
	b := divides(a, n) // left: divides may panic, and what runs beside it calls fmt.Println
	fmt.Println("seen only where the division went well")
	c := pure(n) // left: where control may leave the block
	if n > 3 {
		return 0, errors.New("c is not needed here")
	}
	d := pure(n) + counter // left: uses counter, which others may change
	fmt.Println("work")
	n2 := n
	e := pure(n) * n2 // left: which changes what its statement needs
	n2++
	return a + b + c + d + e + n2, nil
}

func loops(n int, xs []int) int {
	sum, last := 0, 0
	for i := range n {
		sum += pure(i) // left: the loop also uses sum elsewhere
		if sum > 10 {
			last = i
		}
	}
	for i := range n {
		sum += i * pure(i) // left: i changes from round to round
	}
	for i := range n {
		sum += pure(i) // left: the loop may end in the middle
		if i == 7 {
			return 0
		}
	}
	for i := range xs {
		xs[i] = pure(i) // left: others may read xs
	}
	out := make([]int, n)
	for i := range n {
		if i%2 == 0 {
			continue
		}
		out[i] = pure(i) // left: not every round reaches
	}
	for range n {
		last += pure(last) // left: its arguments need last of the previous round
	}
	for i := range n {
		out[i] = pure(out[0]) // left: its arguments need elements of out
	}
	for i := 1; i < n; i++ {
		out[i] = pure(i) // left: i does not count the rounds from 0
	}
	for i := range xs {
		xs[i] = i
		sum += looks(xs) // left: what runs beside it writes to an element of xs
	}
	return sum + last
}

const scale = 3

func names(n int) int {
	a := pure(n) * scale // left: nothing is computed between it and line
	scale := pure(n + 1) // left: the use of scale
	fmt.Println(scale)
	b := 7 / pure(n) // left: the same expression contains 7 / pure(n), which may panic
	fmt.Println("work")
	sum := 0
	for i := range n {
		const scale = 2
		sum += scale * pure(i) // left: scale is declared in the loop
	}
	return a + b + sum
}

func two(n int) (int, int) { return n, n + 1 }

func spread(n int) int {
	a := divides(two(n)) // left: it is called with all the results of another call
	fmt.Println("work")
	return a
}

func falls(n int) (a int) {
	switch {
	case n > 3:
		a = pure(n) // left: nothing is computed between it and line
		fallthrough
	case n > 2:
		for {
			a = pure(n) // left: the loop may end in the middle
			if n++; n > 9 {
				return 1
			}
		}
	}
	a = pure(n) // left: where control may leave the block
	panic("a is not needed")
}

func jumps(n int) int {
	a := pure(n) // left: jumps has a goto
again:
	b := pure(n) // left: jumps has a goto
	if n++; n < 3 {
		goto again
	}
	return a + b
}

func mixes(n int) int {
	return pure(n) + counts(n) + pure(n+1) // left: the same statement calls counts // left: the same statement calls counts
}

func init() {
	a := pure(3) // left: an init function has no worker
	fmt.Println("work")
	counter = a
}

// The functions up to panicking may panic where it is easy to miss.

//dts:fork
func room(n int) int {
	return cap(make([]int, 0, n))
}

//dts:fork
func buffers(n int) int {
	return cap(make(chan int, n))
}

//dts:fork
func whole(p *[3]int) int {
	return len(p[:])
}

//dts:fork
func stores(n int) int {
	var p *int
	if n > 0 {
		p = new(int)
	}
	*p = n
	return *p
}

type key struct {
	n int
	v any
}

//dts:fork
func same(a, b key) bool { return a == b }

//dts:fork
func equal(a, b [2]any) bool { return a == b }

//dts:fork
func finds(k any) int {
	m := map[any]int{1: 1}
	return m[k]
}

//dts:fork
func makes(k any) int {
	m := map[any]int{}
	m[k] = 1
	return len(m)
}

//dts:fork
func drops(k any) int {
	m := map[any]int{1: 1}
	delete(m, k)
	return len(m)
}

func panicking(n int, k any) {
	v0 := room(n) // left: room may panic
	fmt.Println("work")
	v1 := buffers(n) // left: buffers may panic
	fmt.Println("work")
	v2 := whole(nil) // left: whole may panic
	fmt.Println("work")
	v3 := stores(n) // left: stores may panic
	fmt.Println("work")
	v4 := same(key{1, k}, key{2, k}) // left: same may panic
	fmt.Println("work")
	v5 := equal([2]any{k}, [2]any{n}) // left: equal may panic
	fmt.Println("work")
	v6 := finds(k) // left: finds may panic
	fmt.Println("work")
	v7 := makes(k) // left: makes may panic
	fmt.Println("work")
	v8 := drops(k) // left: drops may panic
	fmt.Println("work")
	fmt.Println(v0, v1, v2, v3, v4, v5, v6, v7, v8)
}

func main() {
	if len(os.Args) > 5 {
		literals()
		conditions(1)
		addresses(1)
		panicking(1, 2)
	}
}
