package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/matmul.fghc
var matmulSource string

var matmul = &Benchmark{
	Name:   "fghc/matmul",
	Doc:    "Many equal pieces, all there from the start: what is lost here is lost in handing work out, not in waiting for data.",
	Params: []Param{{Name: "n", Default: 16, Min: 0, Max: 200, Doc: "rows and columns"}},
	Program: FGHC{File: "matmul.fghc", Source: matmulSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		n := p[0]
		product := make([][]int64, n)
		for i := range n {
			product[i] = make([]int64, n)
			for j := range n {
				for k := range n {
					product[i][j] += (3*i + 5*k + 1) % 11 * ((2*j + 7*k + 1) % 11)
				}
			}
		}
		return equal(answer, "X = "+lists(product))
	},
}
