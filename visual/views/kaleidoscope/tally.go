package kaleidoscope

import (
	"runtime"
	"sync"
)

// each calls f for the parts of 0, ..., n-1, one for each processor, and waits for all.
func each(n int, f func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/100_000+1)
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { f(n*p/parts, n*(p+1)/parts) })
	}
	f(0, n/parts)
	wg.Wait()
}
