package viewtest

import (
	"container/heap"
	"math/rand/v2"

	"whorl/tracer"
)

// Codes of Served.
const (
	ServedMain uint32 = iota + 1
	ServedAccept
	ServedHandle
	ServedLog
	ServedLock
	ServedSleep
	ServedNetwork
	ServedChannel
	ServedWaiting
	ServedForks
	ServedIdle
	ServedPreempted
	ServedCall
	ServedCollector
	ServedInferred
)

// Served returns the trace of a server with a goroutine for each of n requests, as the reader of Go execution traces makes it. A request works,
// takes a lock for too long, and hands a line to the goroutine that writes the log. It is deterministic.
func Served(n, pes int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "server", Substrate: "gotrace", Mode: "live", PEs: pes, Clock: tracer.Aligned})
	for _, c := range []tracer.Code{
		{Type: tracer.Function, Name: "main.main", File: "server.go", Line: 10},
		{Type: tracer.Function, Name: "main.(*server).accept", File: "server.go", Line: 30},
		{Type: tracer.Function, Name: "main.(*server).handle", File: "server.go", Line: 50},
		{Type: tracer.Function, Name: "main.(*log).write", File: "log.go", Line: 12},
		{Type: tracer.Reason, Name: "mutex"},
		{Type: tracer.Reason, Name: "sleep"},
		{Type: tracer.Reason, Name: "network"},
		{Type: tracer.Reason, Name: "channel receive"},
		{Type: tracer.Metric, Name: "waiting", Unit: "ns"},
		{Type: tracer.Metric, Name: "forks"},
		{Type: tracer.Reason, Name: "no work"},
		{Type: tracer.Reason, Name: "preempted"},
		{Type: tracer.Reason, Name: "system call"},
		{Type: tracer.Reason, Name: "gc"},
		{Type: tracer.Reason, Name: "inferred"},
	} {
		m.Dict().Add(c)
	}
	s := &served{out: m.Stream(tracer.StreamInfo{}), pes: make([]uint64, pes), tasks: map[uint64]*goroutine{}, random: rand.New(rand.NewPCG(1, 2))}
	s.fork(0, ServedMain, func(g *goroutine) {
		s.run(g, 5000, func() { s.fork(1, ServedAccept, s.accept(n)); s.fork(1, ServedLog, s.log); s.wait(g, ServedSleep) })
	})
	for len(s.events) > 0 {
		e := heap.Pop(&s.events).(later)
		s.now = e.offset
		e.do()
	}
	_ = m.Close() // of a trace in memory
	return m
}

// served is a machine with a queue of goroutines that can run.
type served struct {
	out    *tracer.Stream
	now    int64
	events agenda
	count  int
	pes    []uint64 // by PE: the goroutine, 0 for none
	queue  []*goroutine
	tasks  map[uint64]*goroutine
	next   uint64
	random *rand.Rand

	holder  *goroutine
	lockers []*goroutine
	lines   int
	logger  *goroutine
}

type goroutine struct {
	id      uint64
	code    uint32
	pe      int
	started bool
	then    func() // when it gets a PE
}

type later struct {
	offset, n int64
	do        func()
}

type agenda []later

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].offset < a[j].offset || a[i].offset == a[j].offset && a[i].n < a[j].n
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(later)) }
func (a *agenda) Pop() any {
	x := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return x
}

func (s *served) after(ns int64, do func()) {
	s.count++
	heap.Push(&s.events, later{s.now + ns, int64(s.count), do})
}

func (s *served) event(e tracer.Event) {
	e.Time, e.Peer = s.now, tracer.None
	*s.out.Slot() = e
}

func (s *served) fork(parent uint64, code uint32, body func(g *goroutine)) {
	s.next++
	g := &goroutine{id: s.next, code: code, pe: -1}
	s.tasks[g.id] = g
	g.then = func() { body(g) }
	pe := 0
	if p := s.tasks[parent]; p != nil {
		pe = max(p.pe, 0)
	}
	s.event(tracer.Event{Kind: tracer.Fork, Task: g.id, Ref: parent, PE: int32(pe), Code: code})
	s.ready(g)
}

// ready puts a goroutine on a free PE or into the queue.
func (s *served) ready(g *goroutine) {
	for pe, on := range s.pes {
		if on == 0 {
			s.place(g, pe)
			return
		}
	}
	s.queue = append(s.queue, g)
}

func (s *served) place(g *goroutine, pe int) {
	s.pes[pe], g.pe = g.id, pe
	s.after(200, func() {
		s.event(tracer.Event{Kind: tracer.Busy, Task: g.id, PE: int32(pe), Code: g.code})
		if !g.started {
			g.started = true
			s.event(tracer.Event{Kind: tracer.Start, Task: g.id, PE: int32(pe), Code: g.code, Value: 1})
		}
		g.then()
	})
}

// free takes a goroutine off its PE.
func (s *served) free(g *goroutine) {
	pe := g.pe
	g.pe, s.pes[pe] = -1, 0
	if len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.place(next, pe)
		return
	}
	s.event(tracer.Event{Kind: tracer.Idle, PE: int32(pe), Code: ServedIdle})
}

const slice = 10_000

// run runs a goroutine for some time, and then goes on.
func (s *served) run(g *goroutine, ns int64, then func()) {
	if ns <= slice || len(s.queue) == 0 {
		s.after(ns, then)
		return
	}
	s.after(slice, func() {
		s.event(tracer.Event{Kind: tracer.Idle, Task: g.id, PE: int32(g.pe), Code: ServedPreempted})
		g.then = func() { s.run(g, ns-slice, then) }
		s.free(g)
		s.ready(g)
	})
}

// call runs a goroutine in the kernel.
func (s *served) call(g *goroutine, reason uint32, ns int64, then func()) {
	s.event(tracer.Event{Kind: tracer.Overhead, Task: g.id, PE: int32(g.pe), Code: reason})
	s.after(ns, func() {
		s.event(tracer.Event{Kind: tracer.Busy, Task: g.id, PE: int32(g.pe), Code: g.code})
		then()
	})
}

func (s *served) wait(g *goroutine, reason uint32) {
	s.event(tracer.Event{Kind: tracer.Wait, Task: g.id, PE: int32(g.pe), Code: reason})
	s.free(g)
}

func (s *served) wake(g *goroutine, by *goroutine, reason uint32, then func()) {
	e := tracer.Event{Kind: tracer.Wake, Task: g.id, PE: tracer.None, Code: reason}
	if by != nil {
		e.Ref, e.PE = by.id, int32(by.pe)
	}
	s.event(e)
	g.then = then
	s.ready(g)
}

func (s *served) end(g *goroutine) {
	s.event(tracer.Event{Kind: tracer.End, Task: g.id, PE: int32(g.pe), Code: g.code})
	s.free(g)
}

// accept takes n requests.
func (s *served) accept(n int) func(g *goroutine) {
	return func(g *goroutine) {
		left := n
		var next func()
		next = func() {
			if left == 0 {
				s.end(g)
				return
			}
			left--
			s.fork(g.id, ServedHandle, s.handle)
			s.run(g, 1500, func() {
				s.wait(g, ServedNetwork)
				s.after(2000+s.random.Int64N(12_000), func() { s.wake(g, nil, ServedNetwork, next) })
			})
		}
		next()
	}
}

// handle is a request.
func (s *served) handle(g *goroutine) {
	s.run(g, 4000+s.random.Int64N(20_000), func() {
		s.lock(g, func() {
			s.run(g, 9000+s.random.Int64N(3000), func() {
				s.unlock(g)
				s.call(g, ServedCall, 1000+s.random.Int64N(2000), func() {
					if s.random.IntN(4) == 0 {
						s.call(g, ServedCollector, 3000, func() { s.put(g) })
						return
					}
					s.put(g)
				})
			})
		})
	})
}

func (s *served) lock(g *goroutine, then func()) {
	if s.holder == nil {
		s.holder = g
		then()
		return
	}
	g.then = then
	s.lockers = append(s.lockers, g)
	s.wait(g, ServedLock)
}

func (s *served) unlock(g *goroutine) {
	s.holder = nil
	if len(s.lockers) > 0 {
		next := s.lockers[0]
		s.lockers = s.lockers[1:]
		s.holder = next
		s.wake(next, g, 0, next.then)
	}
}

// put hands a line to the log and ends.
func (s *served) put(g *goroutine) {
	s.lines++
	if l := s.logger; l != nil {
		s.logger = nil
		reason := uint32(0)
		if s.random.IntN(3) == 0 {
			reason = ServedInferred
		}
		s.wake(l, g, reason, func() { s.written(l) })
	}
	s.end(g)
}

// log waits for lines and writes them.
func (s *served) log(g *goroutine) { s.written(g) }

func (s *served) written(g *goroutine) {
	if s.lines == 0 {
		s.logger = g
		s.wait(g, ServedChannel)
		return
	}
	s.lines--
	s.run(g, 800, func() { s.call(g, ServedCall, 1200, func() { s.written(g) }) })
}
