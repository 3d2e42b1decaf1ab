package kaleidoscope

import (
	"runtime"
	"sync"
)

// each divides the range 0..n-1 among the processors, calls f for each part and waits for all.
func each(n int, f func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/100_000+1)
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { f(n*p/parts, n*(p+1)/parts) })
	}
	f(0, n/parts)
	wg.Wait()
}
