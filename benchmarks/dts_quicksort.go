package benchmarks

import "whorl/benchmarks/threads"

var dtsQuicksort = &Benchmark{
	Name: "dts/quicksort",
	Doc: "Divide and conquer in which the sequential division comes first: half of the time passes before there is work for two PEs. The tree is " +
		"as unbalanced as the random pivots make it.",
	Params: []Param{
		{Name: "n", Default: 10_000, Min: 0, Max: 1_000_000, Doc: "integers"},
		{Name: "grain", Default: 64, Min: 1, Max: 1_000_000, Doc: "maximum number of integers that one thread sorts"},
	},
	Program: DTS{
		File:    "quicksort.go",
		Threads: func(p []int64) int64 { return 1 + splits(threads.Numbers(p[0]), p[1]) },
	},
	Check: checkSorted,
}

// splits returns the number of lists longer than the grain. They correspond to subtrees of the binary search tree into which the numbers are
// inserted in order: its nodes are the elements that split lists.
func splits(xs []int64, grain int64) (n int64) {
	type node struct {
		x           int64
		size        int64
		left, right *node
	}
	var root *node
	var nodes []*node
	for _, x := range xs {
		link := &root
		for *link != nil {
			(*link).size++
			if x < (*link).x {
				link = &(*link).left
			} else {
				link = &(*link).right
			}
		}
		*link = &node{x: x, size: 1}
		nodes = append(nodes, *link)
	}
	for _, t := range nodes {
		if t.size > grain && t.size > 1 {
			n++
		}
	}
	return n
}
