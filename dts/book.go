package dts

import (
	"fmt"
	"math"
	"os"

	"whorl/dts/clock"
	"whorl/dts/symbol"
	"whorl/tracer"
)

// A book writes the trace of a live run.
type book struct {
	sys     *system
	clock   clock.Clock
	rec     tracer.Recorder
	symbols *symbol.Table
	host    uint32 // dictionary entry
	why     [numReasons]uint32
}

type reason uint8

const (
	reasonNoWork reason = iota
	reasonSteal
	reasonPlace
	reasonOffCPU
	numReasons
)

func newBook(s *system, rec tracer.Recorder) *book {
	d := rec.Dict()
	b := &book{sys: s, rec: rec, symbols: symbol.NewTable(d, s.Sources, s.Funcs.nameOf)}
	for r, name := range [numReasons]string{reasonNoWork: "no work", reasonSteal: "steal", reasonPlace: "place", reasonOffCPU: "off cpu"} {
		b.why[r] = d.Add(tracer.Code{Type: tracer.Reason, Name: name})
	}
	if s.Mode == Live {
		b.clock = clock.New()
		s.began = b.clock.Began()
		host, err := os.Hostname()
		if err != nil {
			host = "localhost"
		}
		b.host = d.Add(tracer.Code{Type: tracer.Host, Name: host})
		rec.SetMeta(b.meta())
	}
	s.nextID.Store(s.FirstTask)
	return b
}

// meta returns the metadata of a live trace.
func (b *book) meta() tracer.Meta {
	s := b.sys
	m := tracer.Meta{
		Mode: s.Mode, Policy: s.Policy, Network: s.Network, Seed: s.Seed, PEs: s.PEs, Clock: tracer.Monotonic,
	}
	b.describe(&m)
	return m
}

// describe fills in the metadata that live and simulated traces share.
func (b *book) describe(m *tracer.Meta) {
	m.Program, m.Args, m.Substrate, m.Source = b.sys.Program, b.sys.Args, "dts", b.symbols.Sources()
}

// own initializes what a PE needs to record events.
func (w *Worker) own(b *book) {
	w.number = w.pe + int32(w.sys.FirstPE)
	if b != nil {
		w.clock = b.clock
		w.meter = clock.NewMeter(w.sys.PEs)
		if !w.sys.Watched {
			w.handed = math.MaxInt64
		}
	}
}

// idBlock is the number of ids that a PE reserves at a time.
const idBlock = 4096

// identify gives a thread its id.
func (w *Worker) identify(t *thread) {
	if w.ids == w.idsEnd {
		w.idsEnd = w.sys.nextID.Add(idBlock)
		w.ids = w.idsEnd - idBlock
	}
	w.ids++
	t.id = w.ids
}

// event appends an event with time and PE filled in.
func (w *Worker) event(k tracer.Kind) *tracer.Event {
	now := w.now()
	e := w.stream.Slot()
	*e = tracer.Event{Time: now, Kind: k, PE: w.number, Peer: tracer.None}
	return e
}

// begin records that the PE works, for the first time or after a pause.
func (w *Worker) begin() {
	b := w.sys.book
	if w.stream == nil {
		w.stream = b.rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", w.pe), Clock: tracer.Monotonic})
	}
	if !w.worked {
		w.event(tracer.Init).Code = b.host
		w.event(tracer.Busy)
		w.worked = true
	} else if w.idle {
		w.event(tracer.Busy)
	}
	w.idle = false
}

func (w *Worker) forked(t *thread, to int32) {
	if b := w.sys.book; b != nil {
		e := w.event(tracer.Fork)
		e.Task, e.Ref, e.Peer, e.Code, e.Value = t.id, t.parent, to, b.symbols.Function(t.code), int64(t.bytes)
	}
}

// A known is a cached dictionary entry of a function.
type known struct {
	code uintptr
	name uint32
}

// nameOf returns the dictionary entry of the function of a thread, 0 without a trace.
func (w *Worker) nameOf(t *thread) uint32 {
	if w.sys.book == nil {
		return 0
	}
	return w.name(t.code)
}

// name returns the cached dictionary entry of the function with the given entry point.
func (w *Worker) name(code uintptr) uint32 {
	k := &w.names[code>>5%uintptr(len(w.names))]
	if k.code != code {
		*k = known{code, w.sys.book.symbols.Function(code)}
	}
	return k.name
}

func (w *Worker) start(t *thread) {
	b := w.sys.book
	if b == nil {
		return
	}
	w.begin()
	if t.id == 0 { // a main thread has no Fork event
		w.identify(t)
		w.task = t.id
		t.from = tracer.None
	}
	w.pin()
	e := w.event(tracer.Start)
	e.Task, e.Peer, e.Code, e.Value = t.id, t.from, b.symbols.Function(t.code), 1
	if t.far != nil && t.far.attempt > 1 {
		e.Value = int64(t.far.attempt)
	}
	w.handOn() // readers on other hosts see at once that the thread runs
}

func (w *Worker) end(t *thread, status int64) {
	if b := w.sys.book; b != nil {
		e := w.event(tracer.End)
		e.Task, e.Code, e.Value = t.id, b.symbols.Function(t.code), status
		w.meter.Unlock()
	}
}

// note records a fork on this PE, or the start or end of a thread on the stack of its joiner.
func (w *Worker) note(kind tracer.Kind, id, ref uint64, peer int32, name uint32, value int64) {
	c := &w.clock
	now := c.Counted() // w.now, inlined by hand
	if !c.Counts() {
		now = c.Now()
	}
	if w.meter.Late(now - w.last) {
		now = w.late(now)
	}
	w.last = now
	e := w.stream.Slot()
	e.Time, e.Value, e.Task, e.Ref = now, value, id, ref
	e.PE, e.Peer, e.Code, e.Kind = w.number, peer, name, kind
}

func (w *Worker) joinBegin(t *thread, pc uintptr) {
	if w.sys.book != nil {
		w.join(tracer.JoinBegin, t, pc)
		w.meter.Unlock()
		w.handOn()
	}
}

func (w *Worker) joinEnd(t *thread, pc uintptr) {
	if w.sys.book != nil {
		w.begin()
		w.pin()
		w.join(tracer.JoinEnd, t, pc)
	}
}

// joined records a join that did not wait.
func (w *Worker) joined(t *thread, pc uintptr) {
	if w.sys.book != nil {
		w.join(tracer.JoinBegin, t, pc)
		w.join(tracer.JoinEnd, t, pc)
	}
}

func (w *Worker) join(k tracer.Kind, t *thread, pc uintptr) {
	e := w.event(k)
	e.Task, e.Ref, e.Code = w.task, t.id, w.sys.book.symbols.Line(pc)
	if t.ended() {
		e.Peer = t.endedOn
	}
}

func (w *Worker) moved(t *thread, from int32, why reason) {
	if b := w.sys.book; b != nil {
		w.begin()
		e := w.event(tracer.Move)
		e.Task, e.Peer, e.Code, e.Value = t.id, from, b.why[why], int64(t.bytes)
	}
}

// rest records that the PE has no work.
func (w *Worker) rest() {
	if b := w.sys.book; b != nil && w.worked && !w.idle {
		w.event(tracer.Idle).Code = b.why[reasonNoWork]
		w.idle = true
		w.handOn()
	}
}

// handEvery is the interval in ns at which a watched run hands its events on.
const handEvery = 50_000_000

// handOn is called where a PE has time to spare.
func (w *Worker) handOn() {
	w.stream.Sync()
	if w.last-w.handed > handEvery {
		w.handed = w.last
		w.stream.HandOn()
	}
}

// end completes the trace at the given time.
func (b *book) end(over int64, outcome tracer.Outcome) {
	for i := range b.sys.workers {
		if w := &b.sys.workers[i]; w.worked {
			w.last = max(w.last, over)
			*w.stream.Slot() = tracer.Event{Time: w.last, Kind: tracer.Exit, PE: w.number, Peer: tracer.None, Code: b.host, Value: int64(outcome)}
			w.stream.Sync()
		}
	}
	if meta := b.meta(); len(meta.Source) > len(b.sys.Sources) {
		b.rec.SetMeta(meta)
	}
}

// pin is called when a PE begins to run the program or resumes it.
func (w *Worker) pin() {
	if w.meter.Lock() {
		w.meter.Start(w.now())
	}
}

// now returns the time of the next event.
func (w *Worker) now() int64 {
	now := w.clock.Now()
	if w.meter.Late(now - w.last) {
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
func (w *Worker) late(now int64) int64 {
	lost, task := now-w.last, uint64(0)
	if lost < 0 {
		return w.last
	}
	if w.stream != nil {
		w.handOn()
	}
	switch {
	case w.meter.Running():
		if lost, task = w.meter.Lost(lost, now), w.task; lost == 0 {
			return now
		}
	case w.idle || !w.worked:
		return now
	}
	*w.stream.Slot() = tracer.Event{Time: now - lost, Kind: tracer.Idle, PE: w.number, Peer: tracer.None, Task: task, Code: w.sys.book.why[reasonOffCPU]}
	*w.stream.Slot() = tracer.Event{Time: now, Kind: tracer.Busy, PE: w.number, Peer: tracer.None, Task: task}
	return now
}
