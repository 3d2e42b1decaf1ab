package benchmarks

var naiveReverse = &Benchmark{
	Name:    "fghc/nrev",
	Doc:     "A pipeline of list appends: quadratic work, but each stage starts with the first element that the previous one passes on.",
	Params:  []Param{{Name: "n", Default: 100, Min: 0, Max: 10_000, Doc: "length of the list"}},
	Program: fghcProgram("nrev.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		xs := make([]int64, p[0])
		for i := range xs {
			xs[i] = p[0] - int64(i)
		}
		return equal(answer, "X = "+list(xs))
	},
}
