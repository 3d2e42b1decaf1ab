package benchmarks

import (
	"fmt"

	"whorl/benchmarks/threads"
)

var dtsMatMul = &Benchmark{
	Name: "dts/matmul",
	Doc: "Eight equal threads from each thread, with large arguments: without shared memory the transfers determine the time. Compare --net bus with " +
		"--net ring.",
	Params: []Param{
		{Name: "block", Default: 16, Min: 1, Max: 256, Doc: "rows of the matrices at the last level"},
		{Name: "levels", Default: 2, Min: 0, Max: 4, Doc: "levels of threads; the matrices have block x 2^levels rows"},
	},
	Program: DTS{
		File:    "matmul.go",
		Threads: func(p []int64) int64 { return (power(8, p[1]+1) - 1) / 7 },
	},
	Check: func(p []int64, answer string) error {
		// The answer is three products vector * A * B * vector. Here each matrix is multiplied with its vector first.
		n := p[0] << p[1]
		a, b := threads.Matrices(n)
		var forms [3]int64
		for kind := range forms {
			left, right := make([]int64, n), make([]int64, n)
			for i := range n {
				for j := range n {
					left[j] += threads.Weight(int64(kind), i) * a[i*n+j]
					right[i] += b[i*n+j] * threads.Weight(int64(kind), j+1)
				}
			}
			for i := range left {
				forms[kind] += left[i] * right[i]
			}
		}
		return equalWords(answer, fmt.Sprint(forms[0], forms[1], forms[2]))
	},
}
