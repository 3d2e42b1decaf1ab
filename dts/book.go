package dts

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"whorl/tracer"
)

// A book writes the trace of a live run.
type book struct {
	sys   *system
	clock clock
	rec   tracer.Recorder
	host  uint32
	why   [numReasons]uint32
	codes sync.Map // uintptr: uint32, dictionary entries of functions
	lines sync.Map // uintptr: uint32, dictionary entries of calls
	mu    sync.Mutex
	files map[string]string // paths of source files, by their name in the dictionary
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
	b := &book{sys: s, rec: rec, files: map[string]string{}}
	d := rec.Dict()
	for r, name := range [numReasons]string{reasonNoWork: "no work", reasonSteal: "steal", reasonPlace: "place", reasonOffCPU: "off cpu"} {
		b.why[r] = d.Add(tracer.Code{Type: tracer.Reason, Name: name})
	}
	if s.Mode == Live {
		b.clock = newClock()
		s.began = b.clock.began
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

// meta returns the header of a live trace.
func (b *book) meta() tracer.Meta {
	s := b.sys
	m := tracer.Meta{
		Substrate: "dts", Mode: s.Mode, Policy: s.Policy, Network: s.Network, Seed: s.Seed, PEs: s.PEs, Clock: tracer.Monotonic,
	}
	b.describe(&m)
	return m
}

// describe fills in the part of the header that live and simulated traces share.
func (b *book) describe(m *tracer.Meta) {
	m.Program, m.Args, m.Substrate = b.sys.Program, b.sys.Args, "dts"
	m.Source = slices.Clone(b.sys.Sources)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		path := b.files[name]
		if b.source(name) >= 0 {
			continue
		}
		if text, err := os.ReadFile(path); err == nil && len(text) < 1<<20 {
			m.Source = append(m.Source, tracer.SourceFile{Name: name, Text: string(text)})
		}
	}
}

// function returns the dictionary entry of the function with the given entry point.
func (b *book) function(code uintptr) uint32 {
	if id, ok := b.codes.Load(code); ok {
		return id.(uint32)
	}
	c := tracer.Code{Type: tracer.Function, Name: functionName(code)}
	if name := b.sys.Funcs.nameOf(code); name != "" {
		c.Name = name
	}
	if f := runtime.FuncForPC(code); f != nil {
		file, line := f.FileLine(code)
		c.File, c.Line = b.file(file), int32(line)
	}
	id := b.rec.Dict().Add(c)
	b.codes.Store(code, id)
	return id
}

// line returns the dictionary entry of the line of a call.
func (b *book) line(pc uintptr) uint32 {
	if id, ok := b.lines.Load(pc); ok {
		return id.(uint32)
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	c := tracer.Code{Type: tracer.Line, File: b.file(f.File), Line: int32(f.Line)}
	if f.Func != nil {
		c.Parent = b.function(f.Func.Entry())
	}
	id := b.rec.Dict().Add(c)
	b.lines.Store(pc, id)
	return id
}

// file returns the name of a source file in the trace.
func (b *book) file(path string) string {
	if i := b.source(path); i >= 0 {
		return b.sys.Sources[i].Name
	}
	name := path
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		} else {
			name = filepath.Base(path)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.files[name]; !ok {
		b.files[name] = path
	}
	return name
}

// source returns the index of a file in Options.Sources, -1 if it is missing.
func (b *book) source(path string) int {
	base := filepath.Base(path)
	return slices.IndexFunc(b.sys.Sources, func(f tracer.SourceFile) bool { return filepath.Base(f.Name) == base })
}

// callPC returns the program counter of the call into this package.
func callPC() uintptr {
	var buffer [16]uintptr
	pcs := buffer[:runtime.Callers(2, buffer[:])]
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "whorl/dts.") {
			return f.PC + 1
		}
		if !more {
			return 0
		}
	}
}

// own initializes what a PE needs to record events.
func (w *Worker) own(b *book) {
	w.number = w.pe + int32(w.sys.FirstPE)
	if b != nil {
		w.clock = b.clock
		w.meter.init(w.sys.PEs)
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
		e.Task, e.Ref, e.Peer, e.Code, e.Value = t.id, t.parent, to, b.function(t.code), int64(t.bytes)
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
		*k = known{code, w.sys.book.function(code)}
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
	e.Task, e.Peer, e.Code, e.Value = t.id, t.from, b.function(t.code), 1
	if t.far != nil && t.far.attempt > 1 {
		e.Value = int64(t.far.attempt)
	}
	w.handOn() // readers on other hosts see at once that the thread runs
}

func (w *Worker) end(t *thread, status int64) {
	if b := w.sys.book; b != nil {
		e := w.event(tracer.End)
		e.Task, e.Code, e.Value = t.id, b.function(t.code), status
		w.unpin()
	}
}

// note records a fork on this PE, or the start or end of a thread on the stack of its joiner.
func (w *Worker) note(kind tracer.Kind, id, ref uint64, peer int32, name uint32, value int64) {
	c := &w.clock
	now := elapsed(c.first, c.rate) // w.now, inlined by hand
	if c.rate == 0 {
		now = c.now()
	}
	if uint64(now-w.last) > uint64(w.meter.gap) {
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
		w.unpin()
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
	e.Task, e.Ref, e.Code = w.task, t.id, w.sys.book.line(pc)
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
func (b *book) end(over, status int64) {
	for i := range b.sys.workers {
		if w := &b.sys.workers[i]; w.worked {
			w.last = max(w.last, over)
			*w.stream.Slot() = tracer.Event{Time: w.last, Kind: tracer.Exit, PE: w.number, Peer: tracer.None, Code: b.host, Value: status}
			w.stream.Sync()
		}
	}
	if len(b.files) > 0 {
		b.rec.SetMeta(b.meta())
	}
}
