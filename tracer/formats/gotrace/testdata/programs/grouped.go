//go:build go1.25

package programs

import (
	"bytes"
	"io"
	"runtime/trace"
	"sync"
	"time"
)

// Generations returns a trace with a new generation after each run, and the dump of a flight recorder at the end.
func Generations(runs ...func()) (whole, dump []byte) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	if err := r.Start(); err != nil {
		panic(err)
	}
	defer r.Stop()
	var b, last bytes.Buffer
	whole = Record(func() {
		for i, run := range runs {
			run()
			w := io.Writer(&b)
			if i == len(runs)-1 {
				w = &last
			}
			if _, err := r.WriteTo(w); err != nil {
				panic(err)
			}
		}
	})
	return whole, last.Bytes()
}

// Grouped starts goroutines by sync.WaitGroup.Go.
func Grouped() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 4 {
		wg.Go(func() {
			c := make(chan int)
			go func() { c <- 1 }()
			<-c
			mu.Lock()
			spin(10, i)
			time.Sleep(200 * time.Microsecond)
			mu.Unlock()
		})
	}
	wg.Wait()
}
