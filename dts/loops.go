package dts

// For calls body for each i from lo to hi-1. It halves the range until at most grain indices are left, with a thread
// for each half, and returns when all calls have returned. A grain below 1 counts as 1.
func For(w *Worker, lo, hi, grain int, body func(w *Worker, i int)) {
	if hi <= lo {
		return
	}
	loop(w, span[struct{}]{lo: lo, hi: hi, grain: max(1, grain), leaf: func(w *Worker, lo, hi int) (none struct{}) {
		for i := lo; i < hi; i++ {
			body(w, i)
		}
		return none
	}, join: func(none, _ struct{}) struct{} { return none }})
}

// Map returns the results of f for the elements of xs, in order. Each thread computes at most grain elements.
func Map[A, R any](w *Worker, xs []A, grain int, f func(w *Worker, x A) R) []R {
	out := make([]R, len(xs))
	For(w, 0, len(xs), grain, func(w *Worker, i int) { out[i] = f(w, xs[i]) })
	return out
}

// Reduce joins the results of f for the elements of xs. The function join must be associative; it joins neighbours,
// the left one first. Each thread has at most grain elements. Reduce of no elements is the zero value.
func Reduce[A, R any](w *Worker, xs []A, grain int, f func(w *Worker, x A) R, join func(a, b R) R) (none R) {
	if len(xs) == 0 {
		return none
	}
	return loop(w, span[R]{lo: 0, hi: len(xs), grain: max(1, grain), leaf: func(w *Worker, lo, hi int) R {
		r := f(w, xs[lo])
		for _, x := range xs[lo+1 : hi] {
			r = join(r, f(w, x))
		}
		return r
	}, join: join})
}

// A span is a range of a parallel loop.
type span[R any] struct {
	lo, hi, grain int
	leaf          func(w *Worker, lo, hi int) R
	join          func(a, b R) R
}

func loop[R any](w *Worker, s span[R]) R {
	if s.hi-s.lo <= s.grain {
		return s.leaf(w, s.lo, s.hi)
	}
	left, right := s, s
	left.hi = s.lo + (s.hi-s.lo)/2
	right.lo = left.hi
	h := Fork(w, loop[R], right)
	a := loop(w, left)
	return s.join(a, h.Join(w))
}
