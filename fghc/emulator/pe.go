package emulator

import (
	"math"
	"sync/atomic"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/tracer"
)

// A pe reduces goals. Only its own goroutine uses it, or whoever has stopped the world.
type pe struct {
	*program
	m       *Machine
	worker  *live.Worker
	me      int
	lifo    bool
	keeps   bool // policy: new work stays
	booting bool // the query is still to be run
	x       [numRegs]uint64
	arena   []uint64 // the machine's
	goals   []uint64

	h, lim      uint64 // its part of the arena: the next free word, and the end
	private     uint64 // the first cell that no other PE knows, nor any behind it
	span        uint64 // how many those can be
	free        uint64 // records of the table: the first unused one, 0 for none
	fresh, last uint64 // its part of the table: the next, and the end
	ring
	level  uint64 // priority of the goals in the ring, and of that in hand, where the program has priorities
	bands  []band // of others
	banded int    // goals in them
	urgent bool   // there are some of a higher priority
	idle   ring   // that no band uses

	arriving bool // what wakes goals now is input

	record  uint64 // of the goal in hand
	self    uint64 // its id, and me above idBits
	parent  uint64
	blocked []uint64
	stack   []uint64
	roots   int  // registers that a collection must keep
	holding bool // at a safe point, with the next goal in the registers

	// of the trace
	bySite          []uint32 // the machine's
	above           uint64   // me, above idBits
	stream          *tracer.Stream
	ids, idsEnd     uint64
	late            []tracer.Event // that stand behind the commit in hand
	from            int32          // PE of the parent's reduction
	spare, spareEnd uint64
	now, read       int64 // ns: of the last event, and when the clock was read last
	rate            int64 // ns that a try has lasted in the slice before
	each            int64 // ns that one is taken to last in this slice
	ticked          int64 // tries when the clock was read
	phase           tracer.Kind
	told            atomic.Int64 // now, when a goal last left it, for the PE that goes on with that

	args      [builtin.MaxArity]term.Word
	regs      []uint16
	want      int      // words of the arena that it needs before it can go on
	wantGoals int      // and goals
	lacking   []uint64 // goals that wait for this
	calling   bool     // a builtin of a body
	rests     bool     // it waits for what may never come
	forks     int      // procedure of the goals that it forks
	fault     fault
	site      int // of the builtin in hand
	failure   any // why the run cannot go on

	poll     int   // tries between two safe points
	budget   int   // of those until the next one
	rest     int   // of them, those behind the goal in hand and its turn
	quantum  int   // tries of a turn, where goals take turns
	pushes   int   // goals that it may push
	reserved int64 // of the reductions that the limit allows
	charged  int64 // reductions, when it reserved
	tries    int64
	shown    atomic.Int64 // charged, for whoever asks meanwhile

	suspensions, resumptions, dones int64
	offers                          []offer
	withheld                        int // safe points since the first of them
	outbox                          []live.Parcel
}

func newPE(m *Machine, i int) *pe {
	p := &pe{program: m.program, m: m, worker: m.crew.Worker(i), me: i, lifo: m.lifo, keeps: m.crew.Traits().Stays, h: 1, lim: 1, fresh: recordSize, last: recordSize}
	p.arena, p.goals = m.arena, m.goals
	p.deque = make([]uint64, 1<<10)
	p.mask = uint64(len(p.deque) - 1)
	p.publish()
	if p.quantum = m.opts.Slice; p.quantum == 0 {
		p.quantum = math.MaxInt
	}
	if m.Priorities {
		p.level = builtin.TopPriority
	}
	return p
}

// work runs the loop until the crew ends. A panic reaches whoever waits for the machine.
func (p *pe) work() {
	defer p.worker.Done()
	defer func() {
		if r := recover(); r != nil {
			p.m.panicked(r)
		}
	}()
	p.rate, p.each = 1, 1
	if !p.safe(0) {
		return
	}
	if p.booting {
		for i, r := range p.query.Registers { // only now, for there may have been collections
			p.x[r] = p.m.answer[i]
		}
		p.doing(tracer.Busy, 0)
	}
	if p.stream != nil {
		run[traced](p)
	} else {
		run[plain](p)
	}
}

// Len, Oldest and Put make the deque a live.Queue.
func (p *pe) Len() int { return p.here() + p.banded }

// here is the number of goals in the deque.
func (p *pe) here() int { return int(p.top - p.bottom) }

func (p *pe) Oldest() sim.Work {
	if p.banded > 0 {
		p.rise()
	}
	g := p.deque[p.bottom&p.mask]
	p.bottom++
	if p.m.Priorities {
		p.goals[g+stateField] = p.level << levelShift
	}
	p.publish()
	p.tell()
	return sim.Work(g)
}

func (p *pe) Put(works []sim.Work) {
	for _, w := range works {
		if w&arrival != 0 {
			p.arrived(w)
			continue
		}
		p.follow(uint64(w))
		p.push(uint64(w))
	}
}

// push adds a goal to the deque, and leaves space for those that the loop will push until the next safe point.
func (p *pe) push(g uint64) {
	if p.m.Priorities {
		p.enqueue(g)
		return
	}
	p.pushHere(g)
}

func (p *pe) pushHere(g uint64) {
	for p.here()+p.pushes >= len(p.deque) {
		p.grow(2 * len(p.deque))
	}
	p.deque[p.top&p.mask] = g
	p.top++
}

// flush sends off the goals that the policy has placed elsewhere.
func (p *pe) flush() {
	if len(p.outbox) > 0 {
		p.publish()
		p.tell()
		p.worker.Send(p.outbox)
		p.outbox = p.outbox[:0]
	}
}

// place puts a goal where the policy wants it.
func (p *pe) place(g uint64, hint int) {
	to := p.worker.Place(hint)
	if hint >= 0 {
		p.goals[g+idField] |= pinned
	}
	if to == p.me || p.m.solo { // there is nobody else, whatever queue it is
		p.push(g)
		return
	}
	p.send(to, g)
}

func (p *pe) send(to int, g uint64) {
	p.outbox = append(p.outbox, live.Parcel{To: to, Work: sim.Work(g)})
}

// newRecord returns an unused record.
func (p *pe) newRecord() uint64 {
	g := p.free
	if g != 0 {
		p.free = p.goals[g+recordField]
		return g
	}
	g = p.fresh
	p.fresh += recordSize
	return g
}

// save makes a record of the goal in the registers.
func (p *pe) save() uint64 {
	g := p.newRecord()
	r := p.goals[g : g+recordSize : g+recordSize]
	r[stateField], r[recordField], r[idField], r[parentField] = p.level<<levelShift, p.record, p.self&idMask|uint64(p.me)<<idBits, p.parent
	n := arityOf(p.record)
	if n > 4 {
		r[argField] = p.h
		copy(p.arena[p.h:], p.x[:n])
		p.h += uint64(n)
		return g
	}
	copy(r[argField:], p.x[:4])
	return g
}
