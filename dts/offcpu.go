package dts

import (
	"math"
	"runtime"

	"whorl/tracer"
)

// A meter detects intervals in which a PE had no core although its thread could go on: there are more PEs than cores,
// other processes use the cores, or the thread waits outside Go. In such an interval the processor time of the
// operating system's thread falls behind the clock. The trace records it as Idle of the thread, and it belongs to
// none of the thread's run times. Reading the processor time takes half a microsecond, so it is read only after a gap
// between two events.
//
// Goroutines share the threads of the operating system. So a PE locks its goroutine to its thread
// (runtime.LockOSThread) while it runs the program, and unlocks it before anything for which goroutines switch:
// sleeping, looking for work, handing over the PE. Switching away from a locked goroutine takes some microseconds in
// place of some hundred nanoseconds.
type meter struct {
	runs bool  // the PE runs the program and is locked to its thread
	gap  int64 // minimum gap in ns at which the processor time is read
	wall int64 // time of pin
	used int64 // processor time of the thread at pin
	lost int64 // time without a core recorded since pin, in ns
}

const (
	longGap   = 100_000 // ns
	leastLost = 20_000  // shortest interval without a core that is recorded, in ns
	mostOwn   = 256     // maximum number of PEs with threads of their own
)

// init enables the meter if the system has the clock and there are not too many PEs.
func (m *meter) init(pes int) {
	m.gap = math.MaxInt64
	if _, ok := threadTime(); ok && pes <= mostOwn {
		m.gap = longGap
	}
}

// pin is called when a PE begins to run the program or resumes it.
func (w *Worker) pin() {
	m := &w.meter
	if m.gap != longGap {
		return
	}
	runtime.LockOSThread()
	m.wall = w.now()
	m.used, _ = threadTime()
	m.runs, m.lost = true, 0
}

// unpin is called before a PE does something else.
func (w *Worker) unpin() {
	if w.meter.runs {
		w.meter.runs = false
		runtime.UnlockOSThread()
	}
}

// now returns the time of the next event.
func (w *Worker) now() int64 {
	now := w.clock.now()
	if uint64(now-w.last) > uint64(w.meter.gap) {
		now = w.late(now)
	}
	w.last = now
	return now
}

// late records how long the PE had no core since its last event. The exact interval is unknown; the trace places it
// just before now. Between two threads a PE does nothing that takes long. Clocks of two PEs may differ by some ns,
// but time never decreases.
//
//go:noinline
func (w *Worker) late(now int64) int64 {
	m := &w.meter
	lost, task := now-w.last, uint64(0)
	if lost < 0 {
		return w.last
	}
	if w.stream != nil {
		w.handOn()
	}
	switch {
	case m.runs:
		used, _ := threadTime()
		if lost, task = min(lost, now-m.wall-(used-m.used)-m.lost), w.task; lost < leastLost {
			return now
		}
		m.lost += lost
	case w.idle || !w.worked:
		return now
	}
	*w.stream.Slot() = tracer.Event{Time: now - lost, Kind: tracer.Idle, PE: w.number, Peer: tracer.None, Task: task, Code: w.sys.book.why[reasonOffCPU]}
	*w.stream.Slot() = tracer.Event{Time: now, Kind: tracer.Busy, PE: w.number, Peer: tracer.None, Task: task}
	return now
}
