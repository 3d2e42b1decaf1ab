package threads

import (
	"fmt"

	"whorl/dts"
)

// Some is elements of the semigroup to be multiplied with each generator. An element is a vector over Brandt's semigroup B2, whose five
// elements are 0 and the 2 x 2 matrices with a single 1: 1, 2, 3 and 4 stand for a 1 at (0,1), (1,0), (0,0) and (1,1).
type Some struct{ Elements, Generators [][]byte }

// product contains the product of x and y at index 5*x+y.
var product = func() (table [25]byte) {
	place := [5][2]int{{}, {0, 1}, {1, 0}, {0, 0}, {1, 1}}
	for x := 1; x < 5; x++ {
		for y := 1; y < 5; y++ {
			for z := 1; z < 5; z++ {
				if place[x][1] == place[y][0] && place[z] == [2]int{place[x][0], place[y][1]} {
					table[5*x+y] = byte(z)
				}
			}
		}
	}
	return table
}()

// Semigroup multiplies new elements with all generators until there are no new products. Threads share the elements of a generation; the main
// thread keeps the elements found.
func Semigroup(e *Env) Program {
	multiply := dts.Register(e.Funcs, "multiply", func(w *dts.Worker, s Some) [][]byte {
		var out [][]byte
		for _, x := range s.Elements {
			for _, g := range s.Generators {
				v := make([]byte, len(x))
				for i := range v {
					v[i] = product[5*x[i]+g[i]]
				}
				out = append(out, v)
				e.spend(w, 10+4*int64(len(v)))
			}
		}
		return out
	})

	return e.program(func(w *dts.Worker, p []int64) string {
		generators := Generators(p[0], p[1])
		grain := int(p[2])
		found := map[string]bool{}
		keys := 0
		fresh := func(vs [][]byte) (out [][]byte) {
			for _, v := range vs {
				if !found[string(v)] {
					found[string(v)] = true
					keys += Key5(v)
					out = append(out, v)
				}
				e.spend(w, 20+4*int64(len(v))) // the lookup in a table
			}
			return out
		}
		for generation := fresh(generators); len(generation) > 0; {
			var products []dts.Handle[[][]byte]
			for from := 0; from < len(generation); from += grain {
				to := min(from+grain, len(generation))
				products = append(products, multiply.Fork(w, Some{generation[from:to], generators}))
			}
			generation = nil
			for _, h := range products {
				generation = append(generation, fresh(h.Join(w))...)
			}
		}
		return fmt.Sprintf("members(%d, %d)", len(found), keys)
	}, nil)
}

// Generators returns vectors whose coordinates together take all combinations of values other than 0.
func Generators(n, width int64) [][]byte {
	out := make([][]byte, n)
	for j := range out {
		out[j] = make([]byte, width)
		for i := range out[j] {
			out[j][i] = [4]byte{3, 1, 2, 4}[i>>(2*j)&3]
		}
	}
	return out
}

// Key5 returns a hash of a vector: its digits in base 5, modulo a prime.
func Key5(v []byte) int {
	h := 0
	for _, c := range v {
		h = (5*h + int(c)) % 1021
	}
	return h
}
