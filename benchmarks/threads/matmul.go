package threads

import (
	"fmt"

	"whorl/dts"
)

// A Pair is two square matrices of N rows in row-major order, to be multiplied with the given number of levels of threads.
type Pair struct {
	A, B      []int64
	N, Levels int64
}

// MatMul multiplies matrices by quarters: eight products of half the size, each in a thread.
func MatMul(e *Env) Program {
	var multiply dts.Func[Pair, []int64]
	multiply = dts.Register(e.Funcs, "multiply", func(w *dts.Worker, m Pair) []int64 {
		n := m.N
		c := make([]int64, n*n)
		if m.Levels == 0 {
			for i := range n {
				for k := range n {
					for j := range n {
						c[i*n+j] += m.A[i*n+k] * m.B[k*n+j]
					}
				}
			}
			e.spend(w, 6*n*n*n)
			return c
		}
		half := n / 2
		var products [8]dts.Handle[[]int64]
		for q := range products { // i, j and k are the bits of q
			i, j, k := int64(q>>2), int64(q>>1&1), int64(q&1)
			a, b := quarter(m.A, n, i, k), quarter(m.B, n, k, j)
			e.spend(w, 4*half*half)
			products[q] = multiply.Fork(w, Pair{a, b, half, m.Levels - 1})
		}
		for q, h := range products {
			i, j := int64(q>>2), int64(q>>1&1)
			for at, v := range h.Join(w) {
				row, column := int64(at)/half, int64(at)%half
				c[(i*half+row)*n+j*half+column] += v
			}
			e.spend(w, 4*half*half)
		}
		return c
	})

	factors := &input[Pair]{from: func(p []int64) Pair {
		n := p[0] << p[1]
		a, b := Matrices(n)
		return Pair{a, b, n, p[1]}
	}}
	return e.program(func(w *dts.Worker, p []int64) string {
		m := factors.get(p)
		n, c := m.N, multiply.Call(w, m)
		return fmt.Sprint(Form(c, n, 0), Form(c, n, 1), Form(c, n, 2))
	}, factors.prepare)
}

// quarter copies a quarter of a matrix of n rows.
func quarter(m []int64, n, row, column int64) []int64 {
	half := n / 2
	out := make([]int64, 0, half*half)
	for i := range half {
		from := (row*half+i)*n + column*half
		out = append(out, m[from:from+half]...)
	}
	return out
}

// Matrices returns the two matrices to be multiplied, with small integers.
func Matrices(n int64) (a, b []int64) {
	random := Random(n)
	a, b = make([]int64, n*n), make([]int64, n*n)
	for i := range a {
		a[i], b[i] = random.Int64N(19)-9, random.Int64N(19)-9
	}
	return a, b
}

// Weight returns coordinate i of the vector of the given kind.
func Weight(kind, i int64) int64 { return []int64{1, i%7 - 3, i*i%11 - 5}[kind] }

// Form returns vector times matrix times vector, a number to which the elements contribute with different weights.
func Form(c []int64, n, kind int64) (sum int64) {
	for i := range n {
		for j := range n {
			sum += Weight(kind, i) * c[i*n+j] * Weight(kind, j+1)
		}
	}
	return sum
}
