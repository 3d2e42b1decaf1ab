package benchmarks

var matmul = &Benchmark{
	Name:    "fghc/matmul",
	Doc:     "Many equal pieces, all available from the start: the only losses come from distributing work, not from waiting for data.",
	Params:  []Param{{Name: "n", Default: 16, Min: 0, Max: 200, Doc: "rows and columns"}},
	Program: fghcProgram("matmul.fghc", "go(%d, X)"),
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
