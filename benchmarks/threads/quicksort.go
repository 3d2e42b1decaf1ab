package threads

import (
	"slices"

	"whorl/dts"
)

// A List is what is to be sorted, and how long it has to be to be worth a thread.
type List struct {
	Xs    []int64
	Grain int64
}

// Quicksort forks a thread for what is smaller than the first element, and sorts what is larger itself.
func Quicksort(e *Env) Main {
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

	return func(p []int64) func(*dts.Worker) string {
		xs := Numbers(p[0])
		return func(w *dts.Worker) string {
			return Digest(sort.Call(w, List{xs, p[1]}))
		}
	}
}

// log2 is the logarithm, rounded up.
func log2(n int64) (bits int64) {
	for ; n > 1<<bits; bits++ {
	}
	return bits
}
