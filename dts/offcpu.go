package dts

import (
	"math"
	"runtime"

	"whorl/tracer"
)

// A meter finds out when a PE whose thread could go on had no core, because there are more PEs than cores, other processes want them, or the
// thread waits for something outside: the processor time of the operating system's thread falls behind the clock then. Such a stretch is
// recorded as Idle of the thread, and belongs to none of its run times. It is a gap between two events, and so the processor time, which takes
// half a microsecond to read, is read where there is a gap, and costs an event nothing.
//
// Go's goroutines take turns on the threads of the operating system, and no clock tells them apart. So a PE has its thread to itself while it
// carries out what the program does, and gives it up before it does anything for which goroutines take turns: to sleep, to look for work, to
// hand itself over. A goroutine that held on to its thread then would be waited for some microseconds, in place of some hundred nanoseconds.
type meter struct {
	runs bool  // the PE carries out what the program does, and has its thread to itself
	gap  int64 // in ns, after which the processor time is read
	wall int64 // when the PE got its thread
	used int64 // the processor time of the thread then
	told int64 // how long it had no core since, as far as the trace says it
}

const (
	longGap   = 100_000 // ns
	leastLost = 20_000  // ns without a core that are told
	mostOwn   = 256     // PEs, of which each has a thread of the operating system to itself
)

// init has the PE measured, where that is possible.
func (m *meter) init(pes int) {
	m.gap = math.MaxInt64
	if _, ok := threadTime(); ok && pes <= mostOwn {
		m.gap = longGap
	}
}

// pin is called when a PE begins to carry out what the program does, or goes on with it.
func (w *Worker) pin() {
	m := &w.meter
	if m.gap != longGap {
		return
	}
	runtime.LockOSThread()
	m.wall = w.now()
	m.used, _ = threadTime()
	m.runs, m.told = true, 0
}

// unpin is called before a PE does something else.
func (w *Worker) unpin() {
	if w.meter.runs {
		w.meter.runs = false
		runtime.UnlockOSThread()
	}
}

// now is the time of the next event.
func (w *Worker) now() int64 {
	now := w.clock.now()
	if uint64(now-w.last) > uint64(w.meter.gap) {
		now = w.late(now)
	}
	w.last = now
	return now
}

// late records how long the PE has had no core since its last event. When exactly, nobody knows; the trace says, just before now. Between
// two threads a PE does nothing that takes long. Clocks of two PEs may differ by some ns, and time never falls.
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
		if lost, task = min(lost, now-m.wall-(used-m.used)-m.told), w.task; lost < leastLost {
			return now
		}
		m.told += lost
	case w.idle || !w.worked:
		return now
	}
	*w.stream.Slot() = tracer.Event{Time: now - lost, Kind: tracer.Idle, PE: w.number, Peer: tracer.None, Task: task, Code: w.sys.book.why[reasonOffCPU]}
	*w.stream.Slot() = tracer.Event{Time: now, Kind: tracer.Busy, PE: w.number, Peer: tracer.None, Task: task}
	return now
}
