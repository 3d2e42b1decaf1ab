package clock

import (
	"math"
	"runtime"
)

// A Meter detects intervals when a PE had no core although its program could go on: there are more PEs than cores,
// other processes use the cores, or the program waits outside Go. In such an interval the processor time of the
// operating system's thread falls behind the Clock. Reading the processor time takes half a microsecond, so it is
// worth reading only after a gap between two events.
//
// Goroutines share the threads of the operating system. So a PE locks its goroutine to its thread
// (runtime.LockOSThread) while it runs the program, and unlocks it before anything that makes goroutines switch:
// sleeping, looking for work, handing over the PE. Switching away from a locked goroutine takes some microseconds in
// place of some hundred nanoseconds.
//
// The zero Meter measures nothing.
type Meter struct {
	runs bool  // the PE runs the program and is locked to its thread
	gap  int64 // minimum gap in ns at which the processor time is read
	wall int64 // time of Start
	used int64 // processor time of the thread at Start
	lost int64 // time without a core reported since Start, in ns
}

const (
	longGap   = 100_000 // ns
	leastLost = 20_000  // shortest interval without a core that is reported, in ns
	mostOwn   = 256     // maximum number of PEs with threads of their own
)

// NewMeter returns the Meter of one of the given number of PEs. It measures if the system has the clock and there are
// not too many PEs.
func NewMeter(pes int) Meter {
	if _, ok := threadTime(); ok && pes <= mostOwn {
		return Meter{gap: longGap}
	}
	return Unmetered()
}

// Unmetered returns a Meter that measures nothing.
func Unmetered() Meter { return Meter{gap: math.MaxInt64} }

// Late reports whether an interval between two events is so long, or negative, that the caller has to ask Lost.
func (m *Meter) Late(interval int64) bool { return uint64(interval) > uint64(m.gap) }

// Lock locks the goroutine to its thread before the PE runs the program or resumes it. It returns false if the Meter
// measures nothing. Otherwise Start has to follow.
func (m *Meter) Lock() bool {
	if m.gap != longGap {
		return false
	}
	runtime.LockOSThread()
	return true
}

// Start begins to measure at the given time.
func (m *Meter) Start(now int64) {
	m.wall = now
	m.used, _ = threadTime()
	m.runs, m.lost = true, 0
}

// Unlock ends the measurement, if one goes on, before the PE does something else.
func (m *Meter) Unlock() {
	if m.runs {
		m.runs = false
		runtime.UnlockOSThread()
	}
}

// Running reports whether the Meter measures: Start was called, and Unlock was not.
func (m *Meter) Running() bool { return m.runs }

// Lost returns how much of the interval that ends now the thread had no core, 0 if that is too short to report.
func (m *Meter) Lost(interval, now int64) int64 {
	used, _ := threadTime()
	lost := min(interval, now-m.wall-(used-m.used)-m.lost)
	if lost < leastLost {
		return 0
	}
	m.lost += lost
	return lost
}
