package benchmarks

import "whorl/benchmarks/threads"

var dtsQuicksort = &Benchmark{
	Name: "dts/quicksort",
	Doc: "Divide and conquer in which the dividing comes first and is sequential: half of the time is over before there is work for two. The tree is " +
		"as crooked as chance makes it.",
	Params: []Param{
		{Name: "n", Default: 10_000, Min: 0, Max: 1_000_000, Doc: "integers"},
		{Name: "grain", Default: 64, Min: 1, Max: 1_000_000, Doc: "integers that one thread sorts"},
	},
	Program: DTS{
		File: "quicksort.go", Make: threads.Quicksort,
		Threads: func(p []int64) int64 { return 1 + splits(threads.Numbers(p[0]), p[1]) },
	},
	Check: checkSorted,
}

// splits are the lists that are longer than the grain. They are the subtrees of the search tree that grows when the numbers are put in one
// after the other: its nodes are the elements by which lists are split.
func splits(xs []int64, grain int64) (n int64) {
	type node struct {
		x           int64
		size        int64
		left, right *node
	}
	var root *node
	var nodes []*node
	for _, x := range xs {
		at := &root
		for *at != nil {
			(*at).size++
			if x < (*at).x {
				at = &(*at).left
			} else {
				at = &(*at).right
			}
		}
		*at = &node{x: x, size: 1}
		nodes = append(nodes, *at)
	}
	for _, t := range nodes {
		if t.size > grain && t.size > 1 {
			n++
		}
	}
	return n
}
