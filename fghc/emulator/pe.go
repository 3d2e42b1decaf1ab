package emulator

import (
	"math"

	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/recording"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/tracer"
)

// A pe reduces goals. Only its own goroutine uses it, or the goroutine that has stopped the world. Its methods are the
// slow paths of one inner loop (run), which reaches queue, allocator, meter and Recorder through one pointer: a second
// one would cost a register.
type pe struct {
	*program
	m      *Machine
	worker *live.Worker
	keeps  bool // policy: new work stays
	x      [bytecode.NumRegs]uint64

	allocator
	queue
	meter
	rec recording.Recorder

	me    int
	above uint64 // me, above the bits of an id

	booting bool // the query is still to be run
	holding bool // at a safe point, with the next goal in the registers
	roots   int  // registers that a collection must keep

	record  uint64 // of the current goal
	blocked blockers
	stack   []uint64 // scratch
	regs    []uint16 // scratch

	// the current builtin
	args     [builtin.MaxArity]term.Word
	calling  bool // it belongs to a body
	rests    bool // its endless wait is no deadlock
	arriving bool // it is input that wakes goals
	forks    int  // procedure of the goals that it forks
	site     int
	fault    report.Fault

	want, wantGoals int      // words and goals needed before the current goal can continue
	lacking         []uint64 // goals that wait for space
	failure         any      // why the run cannot continue: a unification, an error, or nil for the failure of a goal

	poll     int // tries between two safe points
	quantum  int // tries of a turn, where goals take turns
	offers   []offer
	withheld int // safe points since the first offer
	outbox   []live.Parcel
}

func newPE(m *Machine, i int) *pe {
	p := &pe{program: m.program, m: m, worker: m.crew.Worker(i), keeps: m.crew.Traits().Stays}
	p.allocator = allocator{arena: m.arena, goals: m.goals, h: 1, lim: 1, fresh: recordSize, last: recordSize, solo: m.solo}
	p.queue = queue{ring: newRing(1 << 10), lifo: m.lifo}
	p.me, p.above = i, uint64(i)<<recording.IDBits
	p.rec = recording.New(i, &m.nextID)
	p.publish()
	if p.quantum = m.opts.Slice; p.quantum == 0 {
		p.quantum = math.MaxInt
	}
	if m.Priorities {
		p.level = builtin.TopPriority
	}
	return p
}

// work runs the loop until the crew ends. A panic is handed to the machine.
func (p *pe) work() {
	defer p.worker.Done()
	defer p.rec.Leave()
	defer func() {
		if r := recover(); r != nil {
			p.m.panicked(r)
		}
	}()
	if !p.safePoint(0) {
		return
	}
	if p.booting {
		for i, r := range p.query.Registers { // only now, because a collection may have moved the variables
			p.x[r] = uint64(p.m.answer[i])
		}
		p.rec.Doing(tracer.Busy, 0)
	}
	if p.rec.On() {
		run[traced](p)
	} else {
		run[plain](p)
	}
}

// Oldest removes the oldest goal, for another PE. With Put and Len it makes a pe a live.Queue.
func (p *pe) Oldest() sim.Work {
	if p.banded > 0 {
		p.rise()
	}
	g := p.oldest()
	if p.m.Priorities {
		p.goals[g+stateField] = p.level << levelShift
	}
	p.publish()
	return sim.Work(g)
}

// Put takes in goals and inputs from elsewhere.
func (p *pe) Put(works []sim.Work) {
	p.rec.Tick() // their next events are later than those on the PEs that they come from
	for _, w := range works {
		if w&arrival != 0 {
			p.arrived(w)
			continue
		}
		p.push(uint64(w))
	}
}

// push adds a goal to the queue.
func (p *pe) push(g uint64) {
	level := p.level
	if p.m.Priorities {
		level = p.goals[g+stateField] >> levelShift
	}
	p.put(g, level)
}

// flush sends the goals that the policy has placed elsewhere.
func (p *pe) flush() {
	if len(p.outbox) > 0 {
		p.publish()
		p.worker.Send(p.outbox)
		p.outbox = p.outbox[:0]
	}
}

// place puts a goal where the policy wants it. The hint is the PE that the program names, -1 for none.
func (p *pe) place(g uint64, hint int) {
	to := p.worker.Place(hint)
	if hint >= 0 {
		p.goals[g+idField] |= pinned
	}
	if to == p.me || p.solo { // a single PE also keeps the goals that the policy places in the central queue
		p.push(g)
		return
	}
	p.send(to, g)
}

func (p *pe) send(to int, g uint64) {
	p.outbox = append(p.outbox, live.Parcel{To: to, Work: sim.Work(g)})
}

// save returns a new record with the goal in the registers.
func (p *pe) save() uint64 {
	g := p.newRecord()
	r := p.goals[g : g+recordSize : g+recordSize]
	r[stateField], r[recordField], r[idField], r[parentField] = p.level<<levelShift, p.record, p.rec.Self&recording.IDMask|p.above, p.rec.Parent
	n := bytecode.ArityOf(p.record)
	if n > 4 {
		r[argField] = p.h
		copy(p.arena[p.h:], p.x[:n])
		p.h += uint64(n)
		return g
	}
	copy(r[argField:], p.x[:4])
	return g
}
