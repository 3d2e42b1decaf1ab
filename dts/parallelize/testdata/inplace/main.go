// Functions that work in place. What is expected of a call stands behind it: forked, or left with a part of the reason.
package main

import "fmt"

// quick sorts the elements from lo to hi, which are both included.
//
//dts:fork
func quick(xs []int, lo, hi int) {
	if lo >= hi {
		return
	}
	p := partition(xs, lo, hi)
	quick(xs, lo, p-1) // forked
	quick(xs, p+1, hi) // left: the end of its block
}

// partition moves the small elements before the large ones.
func partition(xs []int, lo, hi int) int {
	pivot := xs[hi]
	i := lo
	for j := lo; j < hi; j++ {
		if xs[j] < pivot {
			xs[i], xs[j] = xs[j], xs[i]
			i++
		}
	}
	xs[i], xs[hi] = xs[hi], xs[i]
	return i
}

// hoare sorts a slice from both ends.
//
//dts:fork
func hoare(xs []int) {
	if len(xs) < 2 {
		return
	}
	pivot := xs[len(xs)/2]
	i, j := 0, len(xs)-1
	for i <= j {
		for xs[i] < pivot {
			i++
		}
		for xs[j] > pivot {
			j--
		}
		if i <= j {
			xs[i], xs[j] = xs[j], xs[i]
			i++
			j--
		}
	}
	hoare(xs[:j+1]) // forked
	hoare(xs[i:])   // left: the end of its block
}

// parts sorts the parts around an element that partition has put into its place.
//
//dts:fork
func parts(xs []int) {
	if len(xs) < 2 {
		return
	}
	p := partition(xs, 0, len(xs)-1)
	parts(xs[:p])   // forked
	parts(xs[p+1:]) // left: the end of its block
}

// mergeSort sorts with scratch.
//
//dts:fork
func mergeSort(xs, scratch []int) {
	if len(xs) < 2 {
		return
	}
	mid := len(xs) / 2
	mergeSort(xs[:mid], scratch[:mid]) // forked
	mergeSort(xs[mid:], scratch[mid:]) // left: before which it has to end
	merge(xs[:mid], xs[mid:], scratch)
	copy(xs, scratch)
}

func merge(a, b, out []int) {
	i, j := 0, 0
	for k := range out {
		if j == len(b) || i < len(a) && a[i] <= b[j] {
			out[k] = a[i]
			i++
		} else {
			out[k] = b[j]
			j++
		}
	}
}

// between sorts the elements from lo to hi-1. That mergeBetween stays between them depends on sums, which are not compared.
//
//dts:fork
func between(xs, scratch []int, lo, hi int) {
	if hi-lo < 2 {
		return
	}
	mid := (lo + hi) / 2
	between(xs, scratch, lo, mid) // left: may use the memory of what runs beside it
	between(xs, scratch, mid, hi) // left: before which it has to end
	mergeBetween(xs, scratch, lo, mid, hi)
}

func mergeBetween(xs, scratch []int, lo, mid, hi int) {
	i, j := lo, mid
	for k := lo; k < hi; k++ {
		if j >= hi || i < mid && xs[i] <= xs[j] {
			scratch[k] = xs[i]
			i++
		} else {
			scratch[k] = xs[j]
			j++
		}
	}
	for k := lo; k < hi; k++ {
		xs[k] = scratch[k]
	}
}

// halves sorts with slices and scratch of its own, and counts the inversions.
//
//dts:fork
func halves(xs []int) int {
	if len(xs) < 2 {
		return 0
	}
	mid := len(xs) / 2
	a := halves(xs[:mid]) // forked
	b := halves(xs[mid:]) // left: the use of b
	out := make([]int, 0, len(xs))
	i, j, n := 0, mid, a+b
	for i < mid || j < len(xs) {
		if j == len(xs) || i < mid && xs[i] <= xs[j] {
			out = append(out, xs[i])
			i++
		} else {
			n += mid - i
			out = append(out, xs[j])
			j++
		}
	}
	copy(xs, out)
	return n
}

// fill is called on slices that may be the same.
//
//dts:fork if len(xs) > 2
func fill(xs []int, v int) {
	for i := range xs {
		xs[i] = xs[i]*3 + v
	}
}

func both(a, b []int) {
	fill(a, 1) // forked
	fill(b, 2) // left: the end of its block
}

// perhaps passes a part that may not exist.
func perhaps(a, b []int, k int) {
	fill(a, 1) // left: may use the memory
	if k < len(b) {
		fill(b[k:], 2) // left: the end of its block
	}
}

// steps reads in rounds what the next ones write.
func steps(xs []int) (sum int) {
	for i := 1; i < len(xs); i++ {
		sum += looks(xs[i : i+1]) // left: the use of sum
		fill(xs[i-1:i], sum)      // left: the end of its block
	}
	return sum
}

// overlap passes parts that share an element.
func overlap(xs []int, k int) {
	fill(xs[:k+1], 1) // forked
	fill(xs[k:], 2)   // left: the end of its block
}

// grow appends, which writes beyond the length.
//
//dts:fork
func grow(xs []int, n int) { // left: it calls grow, which appends to the memory that xs refers to
	if n > 0 {
		grow(append(xs, n)[1:], n-1)
	}
}

func extends(xs []int, k int) {
	grow(xs[:k], 3)
	fill(xs[k:], 1) // left: the end of its block
}

// prints works beside output.
func prints(xs []int) {
	fill(xs, 1) // left: works in place, and what runs beside it calls fmt.Println
	fmt.Println("beside")
	fill(xs, 2) // left: before which it has to end
	sum := 0
	for _, x := range xs {
		sum += x
	}
	fmt.Println(sum)
}

// looks reads what others write.
//
//dts:fork
func looks(xs []int) (sum int) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

func reads(xs, ys []int) int {
	a := looks(xs[:3]) // forked
	fill(xs[3:], 2)    // forked
	b := looks(ys)     // left: which may use the same memory
	fill(xs, 3)        // left: where control may leave
	return a + b
}

// smooth works on a row.
//
//dts:fork if len(row) > 1
func smooth(row []float64, k float64) {
	for i := 1; i < len(row); i++ {
		row[i] = (row[i-1] + k*row[i]) / (1 + k)
	}
}

// rows smooths each row. Two rows may share memory.
func rows(grid [][]float64) {
	for _, row := range grid {
		smooth(row, 2) // forked
	}
	for i := range grid {
		smooth(grid[i], 3) // forked
	}
	for i := 0; i < len(grid); i++ {
		smooth(grid[i][1:], float64(i)) // forked
	}
	for i, row := range grid {
		smooth(row, 4)                   // forked
		smooth(grid[(i+1)%len(grid)], 5) // left: a round may write to memory that others use
	}
	sum := 0.0
	for _, row := range grid {
		smooth(row, sum) // left: sum changes from round to round
		sum += row[0]
	}
}

// step computes rows from rows of another field.
//
//dts:fork
func step(out, above, row, below []float64) {
	for j := 1; j+1 < len(out); j++ {
		out[j] = (above[j] + below[j] + row[j-1] + row[j+1]) / 4
	}
}

func field(next, now [][]float64, weights []float64) {
	for i := range next {
		above, below := now[max(i-1, 0)], now[min(i+1, len(now)-1)]
		step(next[i], above, now[i], below)      // forked
		step(next[i], weights, weights, weights) // forked
	}
}

// matrix works on rows of a matrix in one slice.
func matrix(m []float64, w int, counts []int) {
	for i := 0; i < len(counts); i++ {
		smooth(m[i*w:(i+1)*w], 2) // forked
		counts[i]++
	}
	for i := range counts {
		smooth(m[i*w:i*w+w], 3) // forked
	}
	for i := range counts {
		smooth(m[i*w:(i+1)*w+1], 3) // left: other rounds may use the memory
	}
}

var total int

// swaps exchanges rows meanwhile, or counts.
func swaps(grid [][]float64) {
	for i := range grid {
		grid[i] = grid[0]
		smooth(grid[i], 2) // left: a round may write to memory that others use
	}
	for i := range grid {
		smooth(grid[i], 2) // left: each round writes to the variable total
		total++
	}
	for i := range grid {
		if i == 3 {
			break
		}
		smooth(grid[i], 2) // left: the loop may end in the middle
	}
}

func mesh(n, m int) [][]float64 {
	grid := make([][]float64, n)
	for i := range grid {
		grid[i] = make([]float64, m)
		for j := range grid[i] {
			grid[i][j] = float64((i*37 + j*101) % 97)
		}
	}
	return grid
}

func weigh(grid [][]float64) (sum float64) {
	for i, row := range grid {
		for j, x := range row {
			sum += x * float64(i*j%7+1)
		}
	}
	return sum
}

func numbers(n, seed int) []int {
	xs := make([]int, n)
	for i := range xs {
		seed = (seed*1103515245 + 12345) & (1<<31 - 1)
		xs[i] = seed % 1000
	}
	return xs
}

func digest(xs []int) (d int) {
	for i, x := range xs {
		d = (d*31 + x*i) % 1000003
	}
	return d
}

func main() {
	for seed := range 5 {
		n := 400 + 50*seed
		a := numbers(n, seed)
		quick(a, 0, len(a)-1) // forked
		b := numbers(n, seed)
		hoare(b) // forked
		c := numbers(n, seed)
		parts(c) // forked
		d := numbers(n, seed)
		mergeSort(d, make([]int, n)) // forked
		e := numbers(n, seed)
		between(e, make([]int, n), 1, n-1) // left: each round calls fmt.Println
		inversions := halves(e)            // left: each round calls fmt.Println
		fmt.Println(digest(a), digest(b), digest(c), digest(d), digest(e), inversions)
		s := numbers(n, seed)
		mergeSort(s, s) // left: each round calls fmt.Println
		both(a, b)
		both(a, a)
		both(a[:20], a[10:])
		perhaps(a, b, 7)
		perhaps(a, b, 7000)
		overlap(a, 7)
		fmt.Println(steps(a))
		extends(b, 9)
		prints(c)
		fmt.Println(digest(s), digest(a), digest(b), reads(c, d), reads(d, d), digest(d))
	}

	a, b := mesh(30, 20), mesh(30, 20)
	rows(a)
	field(b, a, a[3])
	fmt.Println(weigh(a), weigh(b))
	field(a, a, b[2]) // rows of itself
	b[7] = b[8][:10]  // two rows with common elements
	rows(b)
	field(b, a, b[4])
	fmt.Println(weigh(a), weigh(b))
	m, counts := make([]float64, 121), make([]int, 12)
	for i := range m {
		m[i] = float64(i * i % 13)
	}
	matrix(m, 10, counts)
	swaps(a)
	fmt.Println(weigh([][]float64{m}), counts, weigh(a), total)
}
