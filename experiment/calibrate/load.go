package calibrate

import (
	"runtime"
	"sync"
	"time"
)

const (
	watched = 50 * time.Millisecond  // how long the cores are watched
	longest = 200 * time.Microsecond // a longer time between two readings of the clock means that something else ran
)

// lostShare returns the share of a number of cores that other programs use. A goroutine for each core reads the clock without a pause; times when one
// could not are lost.
func lostShare(cores int) float64 {
	lost := make([]time.Duration, cores)
	var all sync.WaitGroup
	for i := range cores {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			began := time.Now()
			for last := began; last.Sub(began) < watched; {
				now := time.Now()
				if d := now.Sub(last); d > longest {
					lost[i] += d
				}
				last = now
			}
		})
	}
	began := time.Now()
	all.Wait()
	sum := time.Duration(0)
	for _, d := range lost {
		sum += d
	}
	return min(1, float64(sum)/float64(cores)/float64(max(watched, time.Since(began))))
}
