package dts

import (
	"runtime"
	"time"
)

// inBrowser says that all goroutines share one thread with the page's messages, which come in only while no goroutine runs.
const inBrowser = runtime.GOOS == "js"

// breathe lets messages come in now and then: without that nobody could stop a run in a browser.
func (s *system) breathe() {
	const often = 20 * time.Millisecond
	if !inBrowser || time.Since(s.breathed) < often {
		return
	}
	time.Sleep(time.Microsecond)
	s.breathed = time.Now()
}
