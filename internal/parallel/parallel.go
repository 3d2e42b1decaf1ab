// Package parallel divides a computation among goroutines and waits for all of them.
//
// The caller's goroutine works too, so that a division into one part costs nothing. A panic in another goroutine ends the
// program. Results do not depend on the division if each call writes only what belongs to its part.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Range divides the indices 0 to n-1 into pieces of the given size, the last of which may be smaller, and calls f for each piece, from first to
// end-1. Up to the given number of workers call f concurrently; each takes the next piece when it has finished one. The worker, from 0, selects
// memory of its own for each of them.
func Range(n, piece, workers int, f func(worker, first, end int)) {
	piece = max(piece, 1)
	workers = min(workers, (n+piece-1)/piece)
	if workers <= 1 {
		for first := 0; first < n; first += piece {
			f(0, first, min(first+piece, n))
		}
		return
	}
	var taken atomic.Int64
	work := func(worker int) {
		for {
			end := int(taken.Add(int64(piece)))
			if end-piece >= n {
				return
			}
			f(worker, end-piece, min(end, n))
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
}

// Both calls f and g concurrently, g on the caller's goroutine, and returns when both have returned.
func Both(f, g func()) {
	var other sync.WaitGroup
	other.Go(f)
	g()
	other.Wait()
}
