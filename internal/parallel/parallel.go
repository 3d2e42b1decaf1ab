// Package parallel divides a computation among goroutines and waits for all of them.
//
// The caller's goroutine works too, so that a division into one part costs nothing. A panic in another goroutine ends the
// program. Results do not depend on the division if each call writes only to its own part.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Range calls f for pieces of the indices 0 to n-1. A piece has the indices from first to end-1. All pieces have the given size except the last,
// which may be smaller. Up to workers goroutines call f concurrently. Each takes the next piece when it has finished one. Calls with the same
// worker, a number from 0 to workers-1, are never concurrent, so that f can keep memory for each worker.
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
