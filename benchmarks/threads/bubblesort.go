package threads

import (
	"slices"

	"whorl/dts"
)

// A Portion is a part of the numbers to be sorted, and its number of levels of threads.
type Portion struct {
	Xs     []int64
	Levels int64
}

// BubbleMergeSort is the program of figure 5 of the DTS paper: each thread splits its numbers in two and merges the results of two further
// threads, which sort the halves; threads of the last level sort by exchanging neighbours.
func BubbleMergeSort(e *Env) Program {
	var sort dts.Func[Portion, []int64]
	sort = dts.Register(e.Funcs, "sort", func(w *dts.Worker, part Portion) []int64 {
		if part.Levels <= 1 {
			sorted := slices.Clone(part.Xs)
			e.spend(w, bubble(sorted))
			return sorted
		}
		middle := len(part.Xs) / 2
		e.spend(w, 10)
		left := sort.Fork(w, Portion{part.Xs[:middle], part.Levels - 1})
		right := sort.Fork(w, Portion{part.Xs[middle:], part.Levels - 1})
		a := left.Join(w)
		b := right.Join(w)
		e.spend(w, 5*int64(len(part.Xs)))
		return merge(a, b)
	})

	numbers := &input[[]int64]{from: func(p []int64) []int64 { return Numbers(p[0]) }}
	return e.program(func(w *dts.Worker, p []int64) string {
		xs := numbers.get(p)
		root := sort.Fork(w, Portion{xs, p[1]})
		return Digest(root.Join(w))
	}, numbers.prepare)
}

// bubble sorts by exchanging neighbours until there is nothing to exchange. It returns its cost: 4 instructions for each comparison and 4 for
// each exchange.
func bubble(xs []int64) (instructions int64) {
	for end := len(xs); end > 1; {
		last := 0
		for i := 1; i < end; i++ {
			instructions += 4
			if xs[i-1] > xs[i] {
				xs[i-1], xs[i] = xs[i], xs[i-1]
				instructions += 4
				last = i
			}
		}
		end = last // the elements after the last exchange are in place
	}
	return instructions
}

// merge merges two sorted lists.
func merge(a, b []int64) []int64 {
	out := make([]int64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}
