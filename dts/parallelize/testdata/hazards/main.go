// Functions and calls whose effects are easy to miss. What is expected of a call stands behind it: forked, or left with a part of the
// reason.
package main

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// pure uses nothing but its argument.
//
//dts:fork
func pure(n int) int {
	sum := 0
	for i := range 2000 {
		sum += i * n % 7
	}
	return sum
}

// looks reads a slice.
//
//dts:fork
func looks(xs []int) (sum int) {
	for range 200 {
		for _, x := range xs {
			sum = (sum*3 + x) % 1000003
		}
	}
	return sum
}

// entries reads how many entries a map has.
//
//dts:fork
func entries(m map[int]int) int { return pure(len(m)) - pure(0) + len(m) } // forked // left: while the other threads

func counted(m map[int]int) int {
	n := entries(m) // left: entries reads
	m[len(m)] = 1
	fmt.Println("beside")
	return n
}

// text converts bytes to a string, which reads them.
//
//dts:fork
func text(b []byte) string { return string(b) }

func converted(b []byte) string {
	s := text(b) // left: text reads
	b[0]++
	fmt.Println("beside")
	return s
}

// converts does the same for any type of bytes.
//
//dts:fork
func converts[T ~[]byte | ~string](b T) string { return string(b) }

func anyConverted(b []byte) string {
	s := converts(b) // left: converts reads
	b[0]++
	fmt.Println("beside")
	return s
}

// lookup reads a map whose type is a parameter.
//
//dts:fork
func lookup[M ~map[int]int](m M) int { return m[1] }

func looked(m map[int]int) int {
	n := lookup(m) // left: lookup reads
	m[1]++
	fmt.Println("beside")
	return n
}

// total visits a map whose type is a parameter.
//
//dts:fork
func total[M ~map[int]int](m M) (sum int) {
	for _, v := range m {
		sum += v
	}
	return sum
}

func totalled(m map[int]int) int {
	n := total(m) // left: total reads
	m[1]++
	fmt.Println("beside")
	return n
}

// queued reads how many values a channel holds.
//
//dts:fork
func queued(c chan int) int { return len(c) + cap(c) }

func queues(c chan int) int {
	n := queued(c) // left: queued reads
	c <- 1
	fmt.Println("beside")
	return n
}

// digits writes to the memory of b.
//
//dts:fork
func digits(b []byte, n int) int { // left: strconv.AppendInt
	return len(strconv.AppendInt(b[:0], int64(n), 10))
}

// encodes writes to the memory of b.
//
//dts:fork
func encodes(b []byte, r rune) int { // left: utf8.EncodeRune
	return utf8.EncodeRune(b, r)
}

// appends may write to the memory of b.
//
//dts:fork
func appends(b []byte, r rune) int { // left: utf8.AppendRune
	return len(utf8.AppendRune(b[:0], r))
}

// appended grows a slice whose memory another one uses.
func appended(base []int) []int {
	xs := base[:2]
	xs = append(xs, pure(5)) // left: others may use
	for _, x := range base {
		fmt.Println(x)
	}
	return xs
}

// copied may copy what another slice changes.
func copied(xs []int) []int {
	ys := xs
	ys = append(ys, pure(5)) // left: others may use
	xs[0]++
	fmt.Println("beside")
	return ys
}

// rounds does both in a loop.
func rounds(base []int) []int {
	xs := base[:0]
	for i := range base {
		xs = append(xs, pure(i)) // left: others may use
		fmt.Println(base[i])
	}
	return xs
}

// itself returns its argument.
//
//dts:fork
func itself(b []byte) []byte { return b }

//dts:fork
func elements(xs []int) []int { return xs }

//dts:fork
func table(m map[int]int) map[int]int { return m }

func later(b []byte, xs []int, m map[int]int) (int, string) {
	s := string(itself(b)) // left: others may use the memory
	b[0]++
	fmt.Println("beside")
	var all []int
	all = append(all, elements(xs)...) // left: others may use the memory
	xs[0]++
	fmt.Println("beside")
	n := len(table(m)) // left: others may use the memory
	m[-1] = 1
	fmt.Println("beside")
	a := [2]int(elements(xs)) // left: others may use the memory
	xs[0]++
	fmt.Println("beside")
	return n + all[0] + a[0], s
}

// arguments changes memory for each call.
func arguments(buffer []int) (sum int) {
	for i := range 50 {
		sum += looks(append(buffer[:0], i, 2*i)) // left: what runs beside it appends
	}
	return sum
}

func set(xs []int, i int) []int {
	xs[i] = i
	return xs
}

func prepared(xs []int) (sum int) {
	for i := range xs {
		sum += looks(set(xs, i)) // left: what runs beside it calls set
	}
	return sum
}

// gathered and its like use memory that no one else refers to.
func gathered(n int) (all []int) {
	for i := range n {
		all = append(all, pure(i)) // forked
	}
	return all
}

// squares returns memory of its own.
//
//dts:fork
func squares(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = pure(i) // forked
	}
	return out
}

func joined(n int) ([]int, int) {
	var all []int
	all = append(append([]int(nil), all...), squares(n)...) // forked
	beside := 0
	for i := range n {
		beside += i
	}
	return all, beside
}

func main() {
	fmt.Println(gathered(30))
	fmt.Println(joined(4))
	m := map[int]int{1: 2, 2: 3}
	b := []byte("text")
	fmt.Println(counted(m), converted(b), anyConverted(b), looked(m), totalled(m), queues(make(chan int, 3)))
	fmt.Println(digits(b, 12), string(b), encodes(b, 'é'), string(b), appends(b, 'ß'), string(b))
	fmt.Println(appended([]int{1, 2, 3, 4}), copied([]int{1, 2}), rounds(make([]int, 20)))
	fmt.Println(later(b, []int{7, 8}, m))
	fmt.Println(arguments(make([]int, 4)), prepared(make([]int, 90)))
}
