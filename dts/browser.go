package dts

import (
	"runtime"
	"time"
)

// inBrowser reports whether all goroutines share one thread with the page, which handles messages only while no
// goroutine runs.
const inBrowser = runtime.GOOS == "js"

// breathe yields to the page now and then, so that a message can stop the run.
func (s *system) breathe() {
	const often = 20 * time.Millisecond
	if !inBrowser || time.Since(s.breathed) < often {
		return
	}
	time.Sleep(time.Microsecond)
	s.breathed = time.Now()
}
