package dts

// For calls body for each i from lo to hi-1 and returns when all calls have returned. It halves the range until at most
// grain indices are left. With a grain below 1, For chooses the size.
//
// Halving a range does not fork yet. A live PE remembers the second halves and forks the largest of them when it has no
// other thread for thieves; the others it runs itself, without a thread, so that a small grain costs little (E. Mohr,
// D. Kranz, R. Halstead, "Lazy Task Creation: A Technique for Increasing the Granularity of Parallel Programs", 1991;
// A. Tzannes, G. Caragea, R. Barua, U. Vishkin, "Lazy Binary-Splitting: A Run-Time Adaptive Work-Stealing Scheduler",
// 2010). The number of threads then depends on the schedule. Simulated, on several hosts, and under policies with
// queues, each half is a thread, and with a grain below 1 there are about eight threads for each PE.
func For(w *Worker, lo, hi, grain int, body func(w *Worker, i int)) {
	if hi <= lo {
		return
	}
	over(w, lo, hi, grain, func(w *Worker, lo, hi int) (none struct{}) {
		for i := lo; i < hi; i++ {
			body(w, i)
		}
		return none
	}, func(none, _ struct{}) struct{} { return none })
}

// Map returns the results of f for the elements of xs, in order. It divides xs like For.
func Map[A, R any](w *Worker, xs []A, grain int, f func(w *Worker, x A) R) []R {
	out := make([]R, len(xs))
	For(w, 0, len(xs), grain, func(w *Worker, i int) { out[i] = f(w, xs[i]) })
	return out
}

// Reduce joins the results of f for the elements of xs. It divides xs like For. The function join must be associative;
// it joins neighbours, the left one first. Which neighbours it joins depends only on len(xs), the grain, and the number
// of PEs if that is above 128: sums of floats are the same in every run. Reduce of no elements is the zero value.
func Reduce[A, R any](w *Worker, xs []A, grain int, f func(w *Worker, x A) R, join func(a, b R) R) (none R) {
	if len(xs) == 0 {
		return none
	}
	return over(w, 0, len(xs), grain, func(w *Worker, lo, hi int) R {
		r := f(w, xs[lo])
		for _, x := range xs[lo+1 : hi] {
			r = join(r, f(w, x))
		}
		return r
	}, join)
}

// Numbers of parts of a range with a grain below 1.
const (
	leaves       = 1024 // ranges that are not halved
	leavesPerPE  = 8    // the same on many PEs
	threadsPerPE = 8    // threads, where each half is one
)

// A span is a range of a parallel loop.
type span[R any] struct {
	lo, hi int
	*parts[R]
}

// parts say how a loop is divided. All its threads share them.
type parts[R any] struct {
	grain int // indices of a range that is not halved
	small int // indices of a range that is no thread, where each half is one
	leaf  func(w *Worker, lo, hi int) R
	join  func(a, b R) R
}

// over runs a loop over a range that is not empty.
func over[R any](w *Worker, lo, hi, grain int, leaf func(w *Worker, lo, hi int) R, join func(a, b R) R) R {
	p := &parts[R]{grain: grain, small: 1, leaf: leaf, join: join}
	if grain < 1 {
		p.grain = max(1, (hi-lo)/max(leaves, leavesPerPE*w.sys.PEs))
		p.small = max(1, (hi-lo)/(threadsPerPE*w.sys.PEs))
	}
	return loop(w, span[R]{lo, hi, p})
}

// loop is the function of the threads of a loop.
func loop[R any](w *Worker, s span[R]) R {
	d := division[R]{parts: s.parts}
	return d.run(w, s.lo, s.hi)
}

// A division is the way of a thread through its range.
type division[R any] struct {
	*parts[R]
	halves []half[R] // the second halves of the ranges around the present one, the largest first
	forked int       // number of halves that are threads
}

// A half is the second half of a range.
type half[R any] struct {
	lo, hi int
	h      Handle[R] // if it is a thread
}

func (d *division[R]) run(w *Worker, lo, hi int) R {
	if hi-lo <= d.grain {
		return d.leaf(w, lo, hi)
	}
	middle := lo + (hi-lo)/2
	n := len(d.halves)
	d.halves = append(d.halves, half[R]{lo: middle, hi: hi})
	if x := &d.halves[d.forked]; w.wants(x.hi-x.lo, d.small) {
		x.h = Fork(w, loop[R], span[R]{x.lo, x.hi, d.parts})
		d.forked++
	}
	a := d.run(w, lo, middle)
	h := d.halves[n].h
	d.halves = d.halves[:n]
	if d.forked > n {
		d.forked = n
		return d.join(a, h.Join(w))
	}
	return d.join(a, d.run(w, middle, hi))
}

// wants reports whether a loop should fork a range of n indices: a live PE that serves thieves has no other thread for
// them, or the range is not small.
func (w *Worker) wants(n, small int) bool {
	e := w.sys.stacked
	switch {
	case e == nil:
		return n >= small
	case w.deque.Vacant():
		return true
	case w.deque.Requested():
		e.attend(w, false)
	}
	return false
}
