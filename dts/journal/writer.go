package journal

import (
	"fmt"
	"math"
	"sync/atomic"

	"whorl/dts/clock"
	"whorl/tracer"
)

// A Writer writes the events of a PE. Without a journal, its methods for events do nothing.
type Writer struct {
	Task  uint64 // id of the running thread
	PE    int32  // number in the trace
	Clock clock.Clock
	Meter clock.Meter

	journal *Journal
	names   [16]known
	stream  *tracer.Stream // nil until the first event
	local   int32          // number of the PE in the run
	worked  bool           // the trace has an Init event of this PE
	idle    bool           // the last event of this PE was Idle
	last    int64          // time of the last event
	handed  int64          // time of the last HandOn; the maximum if the trace is not watched
	ids     uint64         // the ids left to give are ids+1 to idsEnd
	idsEnd  uint64
}

// Init prepares the Writer for PE number pe. The number of PE 0 in the trace is first. The journal is nil for a
// run without a trace. The events of a watched run are handed on several times a second.
func (w *Writer) Init(j *Journal, meter clock.Meter, pe, first int, watched bool) {
	w.journal, w.local, w.PE = j, int32(pe), int32(pe+first)
	if j != nil {
		w.Clock = j.Clock
		w.Meter = meter
		if !watched {
			w.handed = math.MaxInt64
		}
	}
}

// idBlock is the number of ids that a PE reserves at a time.
const idBlock = 4096

// NextID returns the id of a new thread. The PEs of a run reserve blocks of ids from one counter.
func (w *Writer) NextID(counter *atomic.Uint64) uint64 {
	if w.ids == w.idsEnd {
		w.idsEnd = counter.Add(idBlock)
		w.ids = w.idsEnd - idBlock
	}
	w.ids++
	return w.ids
}

// Begun reports whether the PE has an event in the trace.
func (w *Writer) Begun() bool { return w.stream != nil }

// Last returns the time of the last event.
func (w *Writer) Last() int64 { return w.last }

// event appends an event with time and PE filled in.
func (w *Writer) event(k tracer.Kind) *tracer.Event {
	now := w.now()
	e := w.stream.Slot()
	*e = tracer.Event{Time: now, Kind: k, PE: w.PE, Peer: tracer.None}
	return e
}

// Begin records that the PE works, for the first time or after a pause.
func (w *Writer) Begin() {
	j := w.journal
	if j == nil {
		return
	}
	if w.stream == nil {
		w.stream = j.rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", w.local), Clock: tracer.Monotonic})
	}
	if !w.worked {
		w.event(tracer.Init).Code = j.host
		w.event(tracer.Busy)
		w.worked = true
	} else if w.idle {
		w.event(tracer.Busy)
	}
	w.idle = false
}

// Fork records a fork to the PE with number peer in the trace.
func (w *Writer) Fork(id, parent uint64, peer int32, code uintptr, bytes int64) {
	if w.journal != nil {
		e := w.event(tracer.Fork)
		e.Task, e.Ref, e.Peer, e.Code, e.Value = id, parent, peer, w.journal.Symbols.Function(code), bytes
	}
}

// A known is a cached dictionary entry of a function.
type known struct {
	code uintptr
	name uint32
}

// Name returns the cached dictionary entry of the function with the given entry point, 0 without a trace.
func (w *Writer) Name(code uintptr) uint32 {
	if w.journal == nil {
		return 0
	}
	k := &w.names[code>>5%uintptr(len(w.names))]
	if k.code != code {
		*k = known{code, w.journal.Symbols.Function(code)}
	}
	return k.name
}

// Start records that a thread starts which the PE with number peer in the trace has forked. The attempt is counted from 1.
func (w *Writer) Start(id uint64, peer int32, code uintptr, attempt int64) {
	if w.journal == nil {
		return
	}
	w.Pin()
	e := w.event(tracer.Start)
	e.Task, e.Peer, e.Code, e.Value = id, peer, w.journal.Symbols.Function(code), attempt
	w.handOn() // readers on other hosts see at once that the thread runs
}

// End records that a thread has ended with a status.
func (w *Writer) End(id uint64, code uintptr, status int64) {
	if w.journal != nil {
		e := w.event(tracer.End)
		e.Task, e.Code, e.Value = id, w.journal.Symbols.Function(code), status
		w.Meter.Unlock()
	}
}

// Note records a fork on this PE, or the start or end of a thread on the stack of its joiner. The trace has an event of
// the PE already.
func (w *Writer) Note(kind tracer.Kind, id, ref uint64, peer int32, name uint32, value int64) {
	c := &w.Clock
	now := c.Counted() // w.now, inlined by hand
	if !c.Counts() {
		now = c.Now()
	}
	if w.Meter.Late(now - w.last) {
		now = w.late(now)
	}
	w.last = now
	e := w.stream.Slot()
	e.Time, e.Value, e.Task, e.Ref = now, value, id, ref
	e.PE, e.Peer, e.Code, e.Kind = w.PE, peer, name, kind
}

// JoinBegin records that the running thread waits for another, in a call of Join at pc. The PE with number peer in the
// trace has ended the other thread, tracer.None if it has not ended.
func (w *Writer) JoinBegin(id uint64, peer int32, pc uintptr) {
	if w.journal != nil {
		w.join(tracer.JoinBegin, id, peer, pc)
		w.Meter.Unlock()
		w.handOn()
	}
}

// JoinEnd records that the running thread goes on after JoinBegin.
func (w *Writer) JoinEnd(id uint64, peer int32, pc uintptr) {
	if w.journal != nil {
		w.Begin()
		w.Pin()
		w.join(tracer.JoinEnd, id, peer, pc)
	}
}

// Joined records a join that did not wait.
func (w *Writer) Joined(id uint64, peer int32, pc uintptr) {
	if w.journal != nil {
		w.join(tracer.JoinBegin, id, peer, pc)
		w.join(tracer.JoinEnd, id, peer, pc)
	}
}

func (w *Writer) join(k tracer.Kind, id uint64, peer int32, pc uintptr) {
	e := w.event(k)
	e.Task, e.Ref, e.Code, e.Peer = w.Task, id, w.journal.Symbols.Line(pc), peer
}

// Move records that a thread has come from the PE with number from in the trace.
func (w *Writer) Move(id uint64, from int32, why Reason, bytes int64) {
	if j := w.journal; j != nil {
		w.Begin()
		e := w.event(tracer.Move)
		e.Task, e.Peer, e.Code, e.Value = id, from, j.why[why], bytes
	}
}

// Rest records that the PE has no work.
func (w *Writer) Rest() {
	if j := w.journal; j != nil && w.worked && !w.idle {
		w.event(tracer.Idle).Code = j.why[NoWork]
		w.idle = true
		w.handOn()
	}
}

// Exit completes the trace of the PE at the given time.
func (w *Writer) Exit(over int64, outcome tracer.Outcome) {
	if w.worked {
		w.last = max(w.last, over)
		*w.stream.Slot() = tracer.Event{Time: w.last, Kind: tracer.Exit, PE: w.PE, Peer: tracer.None, Code: w.journal.host, Value: int64(outcome)}
		w.stream.Sync()
	}
}

// handEvery is the interval in ns at which a watched run hands its events on.
const handEvery = 50_000_000

// handOn is called where a PE has time to spare.
func (w *Writer) handOn() {
	w.stream.Sync()
	if w.last-w.handed > handEvery {
		w.handed = w.last
		w.stream.HandOn()
	}
}

// Pin is called when a PE begins to run the program or resumes it.
func (w *Writer) Pin() {
	if w.Meter.Lock() {
		w.Meter.Start(w.now())
	}
}

// now returns the time of the next event.
func (w *Writer) now() int64 {
	now := w.Clock.Now()
	if w.Meter.Late(now - w.last) {
		now = w.late(now)
	}
	w.last = now
	return now
}

// late records how long the PE had no core since its last event, as Idle of its thread, which belongs to none of the
// thread's run times. The exact interval is unknown; the trace places it just before now. Between two threads a PE does
// nothing that takes long. Clocks of two PEs may differ by some ns, but time never decreases.
//
//go:noinline
func (w *Writer) late(now int64) int64 {
	lost, task := now-w.last, uint64(0)
	if lost < 0 {
		return w.last
	}
	if w.stream != nil {
		w.handOn()
	}
	switch {
	case w.Meter.Running():
		if lost, task = w.Meter.Lost(lost, now), w.Task; lost == 0 {
			return now
		}
	case w.idle || !w.worked:
		return now
	}
	*w.stream.Slot() = tracer.Event{Time: now - lost, Kind: tracer.Idle, PE: w.PE, Peer: tracer.None, Task: task, Code: w.journal.why[OffCPU]}
	*w.stream.Slot() = tracer.Event{Time: now, Kind: tracer.Busy, PE: w.PE, Peer: tracer.None, Task: task}
	return now
}
