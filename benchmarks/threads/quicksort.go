package threads

import (
	"slices"

	"whorl/dts"
)

// A List is a list to be sorted, and the maximum length of a list that is sorted by one thread.
type List struct {
	Xs    []int64
	Grain int64
}

// Quicksort forks a thread for the elements less than the first one, and sorts the others itself.
func Quicksort(e *Env) Program {
	var sort dts.Func[List, []int64]
	sort = dts.Register(e.Funcs, "sort", func(w *dts.Worker, l List) []int64 {
		n := int64(len(l.Xs))
		if n <= l.Grain || n < 2 {
			sorted := slices.Clone(l.Xs)
			slices.Sort(sorted)
			e.spend(w, 5*n*log2(n))
			return sorted
		}
		var small, large []int64
		for _, x := range l.Xs[1:] {
			if x < l.Xs[0] {
				small = append(small, x)
			} else {
				large = append(large, x)
			}
		}
		e.spend(w, 5*n)
		below := sort.Fork(w, List{small, l.Grain})
		above := sort.Call(w, List{large, l.Grain})
		sorted := append(below.Join(w), l.Xs[0])
		e.spend(w, n)
		return append(sorted, above...)
	})

	numbers := &input[[]int64]{from: func(p []int64) []int64 { return Numbers(p[0]) }}
	return e.program(func(w *dts.Worker, p []int64) string {
		xs := numbers.get(p)
		return Digest(sort.Call(w, List{xs, p[1]}))
	}, numbers.prepare)
}

// log2 returns the logarithm, rounded up.
func log2(n int64) (bits int64) {
	for ; n > 1<<bits; bits++ {
	}
	return bits
}
