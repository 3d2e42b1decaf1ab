package benchmarks

import (
	"slices"

	"whorl/benchmarks/threads"
)

var dtsBubbleSort = &Benchmark{
	Name: "dts/bubblesort",
	Doc: "Divide and conquer in which the leaves do nearly all the work and the merges above them become longer and fewer. The default is the size of " +
		"the DTS paper: 1,024 threads and 100,000 integers.",
	Params: []Param{
		{Name: "n", Default: 100_000, Min: 0, Max: 1_000_000, Doc: "integers"},
		{Name: "levels", Default: 10, Min: 1, Max: 16, Doc: "levels of the tree of threads"},
	},
	Program: DTS{
		File:    "bubblesort.go",
		Threads: func(p []int64) int64 { return power(2, p[1]) },
	},
	Check: checkSorted,
}

// checkSorted compares an answer with the numbers sorted by package slices.
func checkSorted(p []int64, answer string) error {
	return equal(answer, threads.Digest(slices.Sorted(slices.Values(threads.Numbers(p[0])))))
}
