package threadgraph

import (
	"errors"
	"math"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
	"whorl/tracer/taskindex"
)

// kinds are the kinds of events that a graph is made from.
var kinds = tracer.Kinds(tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd,
	tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume, tracer.Wait, tracer.Wake)

var errTooMany = errors.New("the trace has more than 2,147,483,646 nodes, the most that a graph can hold")

const most = math.MaxInt32 - 1

// Build derives the graph of a trace: one scan, then a few passes over arrays. It returns errors of the scan, and an error if the trace has more
// nodes than an int32 can count.
func Build(src tracer.Source) (*Graph, error) { return Grow(src, nil, nil) }

// Grow is like Build. prev, which may be nil, is the graph of an earlier part of the same trace: Grow then reads only the later events, and makes
// new arrays. The result does not depend on prev. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Graph, tick func(done, total int64) error) (*Graph, error) {
	var b *builder
	var err error
	if streams, ok := tracer.ProcessTimes(src); ok {
		b = &builder{sharing: &sharing{nodes: make([]host, len(streams.Streams()))}}
		err = b.scanStreams(streams, tick)
	} else {
		rest := src
		if prev != nil {
			b, rest = prev.next.Resume(src)
		}
		if b == nil {
			b, rest = &builder{}, src
		}
		err = onward.Scan(rest, kinds, tick, b.event)
	}
	if err != nil {
		return nil, err
	}
	var g *Graph
	if !b.full {
		g, _ = b.graph()
	}
	if g == nil {
		return nil, errTooMany
	}
	if b.sharing == nil {
		g.next = onward.Keep(src, b)
	}
	return g, nil
}

// A builder collects threads and nodes in the order of the trace.
type builder struct {
	index   taskindex.Index // of the threads
	threads list[thread]
	records list[record]
	last    int64 // time of the last event
	ignored int64
	full    bool

	costs   [][]int64 // by record, in pages like those of the records; nil for a page without costs
	off     map[int32]offCPU
	pes     []processor
	waits   bool // threads wait and are woken
	wakes   list[woken]
	goals            // empty without goals
	sharing *sharing // nil if the times of the trace are those of threads

	condensed bool // records have virtual times
}

// A thread holds the known facts of a thread.
type thread struct {
	task                   uint64
	parent                 int32 // -1 for none
	code                   uint32
	pe                     int32
	nodes                  int32
	last                   int32 // record of the last node, -1
	goal                   bool
	forked, started, ended bool
}

// A record is a node.
type record struct {
	time    int64
	virtual int64 // of a condensed graph
	thread  int32
	ref     int32
	pe      int32
	code    uint32
	kind    Kind
}

// thread returns the number of a task's thread, -1 for no task. It adds a new thread.
func (b *builder) thread(task uint64) int32 {
	if task == 0 || b.isGoal(task) {
		return -1
	}
	if t, ok := b.index.Get(task); ok {
		return t
	}
	t := b.enter(thread{task: task, parent: -1, pe: tracer.None, last: -1})
	if t >= 0 {
		b.index.Put(task, t)
	}
	return t
}

// enter adds a thread and returns its number, -1 if there are too many.
func (b *builder) enter(t thread) int32 {
	n := b.threads.add(t)
	b.full = b.full || n < 0
	return n
}

// node adds a node to a thread's chain and returns its record, -1 without a thread.
func (b *builder) node(r record) int32 {
	if r.thread < 0 {
		return -1
	}
	n := b.records.add(r)
	if n < 0 {
		b.full = true
		return -1
	}
	t := b.threads.get(r.thread)
	t.nodes++
	t.last = n
	switch {
	case b.sharing != nil:
		b.setCost(n, b.sharing.node(&r))
		return n
	case len(b.off) > 0:
		b.back(n, &r)
	}
	if r.pe == tracer.None {
		return n
	}
	if p := bounds.Entry(&b.pes, r.pe); p != nil {
		if r.kind != End && r.kind != BJoin {
			p.runs = r.thread + 1
		} else if p.runs == r.thread+1 {
			p.runs = 0
		}
	}
	return n
}

// A processor holds two threads of a PE, each + 1; 0 for none.
type processor struct {
	runs    int32 // the thread that runs, or ran until the PE turned to other work
	stopped int32 // the thread that ran when the PE turned to other work
}

// An offCPU holds the time without a core since a thread's last node, and the time at which the thread lost its core if it has none.
type offCPU struct {
	lost, since int64
	now         bool
}

// state records that a runnable thread loses its core, or has one again: the thread that the event names, and the thread that a PE runs while the
// PE has overhead.
func (b *builder) state(e *tracer.Event) {
	if b.sharing != nil {
		return
	}
	own, named := b.index.Get(e.Task)
	if p := bounds.Entry(&b.pes, e.PE); p != nil {
		switch {
		case e.Kind != tracer.Overhead:
			if p.stopped > 0 {
				b.halt(p.stopped-1, e.Time, false)
				p.stopped = 0
			}
		case named && (b.waits || p.runs == 0):
			p.stopped = own + 1
			b.halt(own, e.Time, true)
		case p.stopped == 0 && p.runs > 0:
			p.stopped = p.runs
			b.halt(p.runs-1, e.Time, true)
		}
	}
	if named && e.Kind != tracer.Overhead {
		b.halt(own, e.Time, e.Kind == tracer.Idle)
	}
	if named && b.waits && e.Kind == tracer.Busy {
		b.dispatch(e, own)
	}
}

// halt records that a thread has no core from an instant on, or has one again.
func (b *builder) halt(own int32, at int64, now bool) {
	if b.off == nil {
		b.off = map[int32]offCPU{}
	}
	o := b.off[own]
	if o.now {
		o.lost += between(o.since, at)
	}
	o.since, o.now = at, now
	b.off[own] = o
}

// back subtracts the time without a core before a node from the run time.
func (b *builder) back(n int32, r *record) {
	if lost := b.lost(r); lost > 0 {
		b.setCost(n, lost)
	}
	if b.off[r.thread].now {
		b.off[r.thread] = offCPU{since: r.time, now: true}
	} else {
		delete(b.off, r.thread)
	}
}

func (b *builder) lost(r *record) int64 {
	o := b.off[r.thread]
	if o.now {
		o.lost += between(o.since, r.time)
	}
	return o.lost
}

func (b *builder) setCost(n int32, cost int64) {
	page := int(n >> pageBits)
	for page >= len(b.costs) {
		b.costs = append(b.costs, nil)
	}
	if b.costs[page] == nil {
		b.costs[page] = make([]int64, pageLen)
	}
	b.costs[page][n&(pageLen-1)] = cost
}

// cost returns the cost of a record: of the try of a goal, or the share of a thread up to the record; 0 for none.
func (b *builder) cost(n int32) int64 {
	if page := int(n >> pageBits); page < len(b.costs) && b.costs[page] != nil {
		return b.costs[page][n&(pageLen-1)]
	}
	return 0
}

func (b *builder) event(e *tracer.Event) {
	b.last = max(b.last, e.Time)
	if e.Kind == tracer.Busy || e.Kind == tracer.Idle || e.Kind == tracer.Overhead {
		b.state(e)
		return
	}
	if e.Task == 0 {
		b.ignored++
		return
	}
	if e.Kind >= tracer.Reduce && e.Kind <= tracer.Resume || b.isGoal(e.Task) {
		b.goalEvent(e)
		return
	}
	own := b.thread(e.Task)
	if own < 0 {
		return
	}
	at := record{time: e.Time, thread: own, ref: -1, pe: e.PE, code: e.Code}
	switch e.Kind {
	case tracer.Fork:
		b.fork(e, own, at)
	case tracer.Start:
		b.start(e, own, at)
	case tracer.End:
		at.kind = End
		t := b.threads.get(own)
		if t.code == 0 {
			t.code = e.Code
		}
		t.ended = true
		b.node(at)
		if e.Peer == tracer.Inline {
			b.inline(AJoin, own, e.Ref, at)
		}
	case tracer.JoinBegin:
		at.kind, at.ref = BJoin, b.thread(e.Ref)
		b.node(at)
	case tracer.JoinEnd:
		at.kind, at.ref = AJoin, b.thread(e.Ref)
		b.node(at)
	case tracer.Wait:
		b.waits = true
		at.kind = BJoin
		b.node(at)
		if b.sharing == nil {
			b.halt(own, e.Time, true) // another node may come before it is woken, such as that of a fork in its name
		}
	case tracer.Wake:
		b.wake(e, at)
	}
}

func (b *builder) fork(e *tracer.Event, own int32, at record) {
	parent := b.thread(e.Ref)
	t := b.threads.get(own)
	at.kind, at.thread, at.ref = Fork, parent, own
	if t.forked { // forked again by a restarted parent
		b.ignored++
		at.ref = -1
	}
	b.node(at)
	if t.forked {
		return
	}
	t.forked, t.parent = true, parent
	if t.code == 0 {
		t.code = e.Code
	}
	if t.pe == tracer.None {
		if t.pe = e.Peer; t.pe < 0 {
			t.pe = e.PE
		}
	}
}

func (b *builder) start(e *tracer.Event, own int32, at record) {
	if e.Peer == tracer.Inline {
		b.inline(BJoin, own, e.Ref, at)
	}
	t := b.threads.get(own)
	t.ended = false // it starts again elsewhere
	at.kind = Start
	b.node(at)
	if !t.started {
		t.started, t.pe = true, e.PE
	}
	if e.Code != 0 {
		t.code = e.Code
	}
}

// inline adds the implied join of a thread that begins or ends on the stack of its joiner: its parent, or the thread named by the event.
func (b *builder) inline(kind Kind, own int32, joiner uint64, at record) {
	p := b.threads.get(own).parent
	if joiner != 0 {
		p = b.thread(joiner)
	}
	if p >= 0 {
		b.node(record{time: at.time, thread: p, ref: own, pe: at.pe, kind: kind})
	}
}
