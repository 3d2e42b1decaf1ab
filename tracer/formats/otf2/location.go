package otf2

import (
	"whorl/tracer"
)

// A location is a thread of the program, or a source of metrics, with its file of events.
type location struct {
	window
	place place
	pe    int32
	maps  [numMaps]ids
	timer timer
	s     *tracer.Stream

	kind       uint8 // of the event
	body       cursor
	time       int64
	timed      bool // it has had a time
	records    int64
	attributes int64
	fell       int64
	unbegun    int64
	crossed    int64
	deep       int64
	damaged    int64 // chunks

	mutexes  map[uint32]bool // attributes that are addresses of mutexes
	mutex    uint64          // such an attribute of the event, or of the one whose region locks it
	seen     bool            // it has had an event
	recorded int64           // time of the last End or part in the stream
	main     *task
	task     *task // the task that runs
	state    uint8 // of the PE
	since    int64 // beginning of the part
	part     []tracer.Event
	wait     wait // of the part

	gathers  bool // in a collective operation
	gathered int64
	counts   map[uint32]uint32 // collective operations by communicator
	requests map[uint64]int64
	transfer map[uint64]transfer
	team     *team
	outer    []membership // in the teams around team
	forked   []*team      // teams that have not been joined
	empty    []*team      // of these, those that may have no members yet
	implicit *task        // of the thread in its team
	barriers int          // that it has come to in the team
	near     [64]near     // regions that were entered last
}

// States of a PE.
const (
	none = iota
	busy
	communicates
)

// A near is the region of a local identifier.
type near struct {
	id   uint32
	info *regionInfo
}

// A task is a thread of control.
type task struct {
	id        uint64
	code      uint32
	stack     []frame
	bare      uint32 // context outside all regions
	began     bool
	waits     bool  // it has left its PE in a Wait
	first     int64 // time of its first event
	by        *task // the task that forked it, nil if unknown
	byPE      int32
	forked    int64
	completes bool
	ended     int64
	done      bool
	pe        int32
	kids      *finished
	deep      map[*regionInfo]int // the frames of each region in stack[shallow:]
}

// shallow is the number of outermost frames that last looks at one by one.
const shallow = 64

// below counts a frame of a region that is not among the outermost ones, or its end.
func (t *task) below(k *regionInfo, n int) {
	if t.deep == nil {
		t.deep = map[*regionInfo]int{}
	}
	if t.deep[k] += n; t.deep[k] == 0 {
		delete(t.deep, k)
	}
}

// last returns the place of the innermost frame of a region, -1 for none.
func (t *task) last(k *regionInfo) int {
	n := len(t.stack) - 1
	if n >= shallow && t.deep[k] == 0 {
		n = shallow - 1
	}
	for n >= 0 && t.stack[n].region != k {
		n--
	}
	return n
}

// A frame is a region that a task is in.
type frame struct {
	region  *regionInfo
	context uint32 // of the writer
}

// mostFrames bounds the regions that a task is in.
const mostFrames = 1 << 16

// A wait describes the wait in a part of a location.
type wait struct {
	is       bool
	from, to int64
	after    int // the event of the part after which the task is woken, -1 if it follows from its time
	reason   uint32
	wakes    uint32 // reason of the Wake
	by       uint64
	pe       int32
	sent     int64 // when the message was sent
}

// top returns the innermost region of a task, nil for none.
func (t *task) top() *regionInfo {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1].region
	}
	return nil
}

// context returns the calling context of a task.
func (t *task) context() uint32 {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1].context
	}
	return t.bare
}

func (l *location) name(r *reader) string { return r.d.name(l.place.name) }

// add adds an event to the part, before those with later times.
func (l *location) add(e tracer.Event) {
	e.Time = max(e.Time, l.since)
	l.part = append(l.part, e)
	i := len(l.part) - 1
	for ; i > 0 && l.part[i-1].Time > e.Time; i-- {
		l.part[i] = l.part[i-1]
	}
	l.part[i] = e
	if l.wait.is && l.wait.after >= i && i < len(l.part)-1 {
		l.wait.after++
	}
}

// mostInPart bounds the events of a part that wait for its end.
const mostInPart = 1 << 12

// close ends the part of a location at a time and records its events.
func (r *reader) close(l *location, at int64) {
	t := l.task
	if t == nil {
		return
	}
	top := t.top()
	state := uint8(busy)
	if top != nil && top.talks {
		state = communicates
	}
	w := &l.wait
	if w.is && w.to <= w.from {
		w.is = false
	}
	if at == l.since && len(l.part) == 0 {
		return
	}
	if state != l.state && !(w.is && w.from == l.since) {
		r.turn(l, state, l.since)
	}
	context := uint64(0)
	if len(t.stack) > 0 {
		context = uint64(t.context())
		if at > l.since {
			r.w.Sampled++
			*l.s.Slot() = tracer.Event{Kind: tracer.Sample, Time: l.since, Task: t.id, Ref: context, PE: l.pe, Peer: tracer.None, Code: r.codes.time, Value: at - l.since}
		}
	}
	rest := l.part
	if w.is {
		rest = r.pause(l, context)
		r.turn(l, busy, w.to)
		if state != busy && at > w.to {
			r.turn(l, state, w.to)
		}
		w.is = false
	}
	for i := range rest {
		*l.s.Slot() = rest[i]
	}
	l.part, l.since, l.recorded = l.part[:0], at, at
}

// pause records the wait of a part and the events until its end. It returns the events after that.
func (r *reader) pause(l *location, context uint64) (rest []tracer.Event) {
	w, i := &l.wait, 0
	for ; i < len(l.part) && l.part[i].Time <= w.from && i != w.after; i++ {
		*l.s.Slot() = l.part[i]
	}
	*l.s.Slot() = tracer.Event{Kind: tracer.Wait, Time: w.from, Task: l.task.id, Ref: context, PE: l.pe, Peer: tracer.None, Code: w.reason}
	*l.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: w.from, PE: l.pe, Peer: tracer.None, Code: w.reason}
	for ; i < len(l.part) && (i <= w.after || w.after < 0 && l.part[i].Time <= w.to); i++ {
		*l.s.Slot() = l.part[i]
	}
	*l.s.Slot() = tracer.Event{Kind: tracer.Wake, Time: w.to, Task: l.task.id, Ref: w.by, PE: w.pe, Peer: tracer.None, Code: w.wakes}
	*l.s.Slot() = tracer.Event{Kind: tracer.Sample, Time: w.to, Task: l.task.id, Ref: context, PE: l.pe, Peer: tracer.None, Code: r.codes.waiting, Value: w.to - w.from}
	return l.part[i:]
}

// turn records a state of the PE of a location.
func (r *reader) turn(l *location, state uint8, at int64) {
	l.state = state
	e := tracer.Event{Kind: tracer.Busy, Time: at, Task: l.task.id, PE: l.pe, Peer: tracer.None, Code: l.task.code}
	if state == communicates {
		e.Kind, e.Code = tracer.Overhead, r.codes.message
	}
	*l.s.Slot() = e
}

// begin begins the task of a location at its first event, if that has not happened: its function is a region.
func (r *reader) begin(l *location, code uint32) {
	t := l.task
	if t.began {
		return
	}
	t.began = true
	t.code = code
	at := t.first
	fork := tracer.Event{Kind: tracer.Fork, Time: at, Task: t.id, PE: l.pe, Peer: l.pe, Code: code}
	if t.by != nil {
		fork.Ref, fork.PE, fork.Time = t.by.id, t.byPE, max(t.forked, l.recorded)
	}
	*l.s.Slot() = fork
	*l.s.Slot() = tracer.Event{Kind: tracer.Start, Time: at, Task: t.id, PE: l.pe, Peer: l.pe, Code: code, Value: 1}
	r.turn(l, busy, at)
}

// newTask returns a task that has not begun.
func (r *reader) newTask(pe int32) *task {
	r.lastTask++
	return &task{id: r.lastTask, pe: pe}
}

// end ends the main task of a location after its last event.
func (r *reader) end(l *location) {
	if !l.seen || l.task == nil {
		return
	}
	if l.task != l.main { // the archive ends within a task
		r.leaveTask(l, l.time)
		r.resume(l, l.main)
	}
	if t := l.task; !t.began && t.by == nil && l.recorded > 0 && len(l.part) == 0 { // the thread only worked in teams
		return
	}
	if !l.task.began {
		r.begin(l, r.function(l.name(r), "", 0))
	}
	r.close(l, l.time)
	r.stop(l, l.main, l.time)
	if l.place.kind != locationMetric {
		*l.s.Slot() = tracer.Event{Kind: tracer.Exit, Time: l.time, PE: l.pe, Peer: tracer.None}
	}
}

// stop records the end of the task of a location.
func (r *reader) stop(l *location, t *task, at int64) {
	*l.s.Slot() = tracer.Event{Kind: tracer.End, Time: at, Task: t.id, PE: l.pe, Peer: tracer.None, Code: t.code}
	t.done, t.ended, t.pe = true, at, l.pe
	l.state = none
}

// function returns the code of a function.
func (r *reader) function(name, file string, line uint32) uint32 {
	if name == "" {
		name = "[unknown]"
	}
	return r.dict.Add(tracer.Code{Type: tracer.Function, Name: name, File: file, Line: int32(min(line, 1<<30))})
}
