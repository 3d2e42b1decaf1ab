package emulator

import (
	"runtime"

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
	stream          *tracer.Stream
	ids, idsEnd     uint64
	late            []tracer.Event // that stand behind the commit in hand
	from            int32          // PE of the parent's reduction
	spare, spareEnd uint64
	now, read       int64 // ns: of the last event, and when the clock was read last
	each            int64 // ns that a try is taken to last
	ticked          int64 // tries when the clock was read
	phase           tracer.Kind

	args      [builtin.MaxArity]term.Word
	regs      []uint16
	want      int  // words of the arena that it needs before it can go on
	wantGoals int  // and goals
	calling   bool // a builtin of a body
	rests     bool // it waits for what may never come
	forks     int  // procedure of the goals that it forks
	fault     fault
	site      int // of the builtin in hand
	failure   any // why the run cannot go on

	slice    int // reductions between the safe points
	budget   int // of the slice in hand
	pushes   int // goals that it may push
	reserved int // of the reductions that the limit allows
	charged  int64
	tries    int64

	suspensions, resumptions, dones int64
	outbox                          map[int][]sim.Work
}

func newPE(m *Machine, i int) *pe {
	p := &pe{program: m.program, m: m, worker: m.crew.Worker(i), me: i, lifo: m.lifo, keeps: m.crew.Traits().Stays, h: 1, lim: 1, fresh: recordSize, last: recordSize}
	p.arena, p.goals = m.arena, m.goals
	p.deque = make([]uint64, 1<<10)
	p.mask = uint64(len(p.deque) - 1)
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
	p.each = 1
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
	return sim.Work(g)
}

func (p *pe) Put(works []sim.Work) {
	for _, w := range works {
		if w&arrival != 0 {
			p.arrived(w)
			continue
		}
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

// turn is a safe point with no goal in the registers. It returns the next goal and how many goals may be tried until the next safe point;
// 0 when the run is over.
func (p *pe) turn(left int) (g uint64, budget int) {
	p.account(left)
	for {
		if !p.safe(0) {
			return 0, 0
		}
		if p.banded > 0 {
			p.rise()
		}
		if p.top != p.bottom {
			if p.lifo {
				p.top--
				g = p.deque[p.top&p.mask]
			} else {
				g = p.deque[p.bottom&p.mask]
				p.bottom++
			}
			p.doing(tracer.Busy, 0)
			return g, p.grant()
		}
		p.doing(tracer.Idle, p.m.codes.noWork)
		p.account(0) // others may need the reductions that it has reserved
		if !p.worker.Idle(p) {
			return 0, 0
		}
		if p.stream != nil {
			p.tick()
		}
	}
}

// pause is a safe point with the next goal in the registers. A budget of 0 says that the goal has been put back.
func (p *pe) pause(left int) (budget int, ok bool) {
	p.account(left)
	if !p.lifo {
		p.push(p.save())
		return 0, true
	}
	p.holding = true
	ok = p.safe(arityOf(p.record))
	p.holding = false
	if !ok {
		return 0, false
	}
	return p.grant(), true
}

// account counts the goals that have been tried.
func (p *pe) account(left int) {
	p.tries += int64(p.budget - left)
	p.budget = 0
	reduced := p.reductions()
	p.m.reduced.Add(reduced - p.charged)
	p.m.quota.Add(int64(p.reserved) - (reduced - p.charged))
	p.m.reserved.Add(-int64(p.reserved))
	p.charged, p.reserved = reduced, 0
}

func (p *pe) reductions() int64 { return p.tries - p.suspensions - p.dones }

// grant returns how many goals may be tried until the next safe point, with space for all that they make.
func (p *pe) grant() int {
	n := maxSlice
	if !p.m.solo || p.stream != nil { // the trace's clock is read at safe points
		n = pollSlice
	}
	p.slice = min(max(firstSlice, 2*p.slice), n) // the first slices say how long a reduction takes
	n = p.slice
	if s := p.m.opts.Slice; s > 0 {
		n = s
	}
	if p.m.Priorities {
		n = min(n, bandedRuns)
	}
	if p.m.opts.Collect {
		n = 1
	}
	n = min(n, int(p.lim-p.h)/(p.maxWords+slack), int(p.last-p.fresh)/((p.maxGoals+1)*recordSize))
	n = min(n, p.reserved)
	p.pushes = n * (p.maxGoals + 1)
	for p.here()+p.pushes >= len(p.deque) {
		p.grow(2 * len(p.deque))
	}
	p.ensureIDs(p.pushes)
	p.budget = n
	return n
}

// reserve takes reductions out of those that are allowed, and waits while there are none. It returns false when the run is over.
func (p *pe) reserve() bool {
	m := p.m
	for !m.crew.Ended() {
		left := m.quota.Load()
		n := min(left, maxSlice)
		if !m.solo {
			n = min(n, pollSlice)
		}
		switch {
		case n > 0:
			m.reserved.Add(n)
			if m.quota.CompareAndSwap(left, left-n) {
				p.reserved = int(n)
				return true
			}
			m.reserved.Add(-n)
		case m.reserved.Load() == 0:
			p.worker.Await(func() bool { return m.quota.Load() > 0 }, func() {
				select {
				case m.stalled <- struct{}{}:
				default:
				}
			})
		default:
			runtime.Gosched() // others may give some back
			if !p.worker.Check(p) {
				return false
			}
		}
	}
	return false
}

// safe does what is to be done between two reductions, when the first n registers hold the arguments of the next goal.
func (p *pe) safe(n int) bool {
	if p.stream != nil {
		p.tick()
	}
	p.flush()
	p.roots = n                                        // whoever collects while this PE waits has to keep them
	ok := p.worker.Check(p) && p.reserve() && p.room() // room last: while a PE waits its parts may be collected
	p.roots = 0
	return ok
}

// flush sends off the goals that the policy has placed elsewhere.
func (p *pe) flush() {
	for to, works := range p.outbox {
		if len(works) > 0 {
			p.worker.Send(to, works...)
			p.outbox[to] = works[:0]
		}
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
	if p.outbox == nil {
		p.outbox = map[int][]sim.Work{}
	}
	p.outbox[to] = append(p.outbox[to], sim.Work(g))
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

// room sees to it that the PE has space for a reduction at least, and for p.want words more, by a new part of the arena or the table, or by
// a collection.
func (p *pe) room() bool {
	words, records := uint64(p.maxWords+slack+p.want), uint64(p.maxGoals+1+p.wantGoals)*recordSize
	p.want, p.wantGoals = 0, 0
	if !p.m.opts.Collect && p.part(words, records) {
		return true
	}
	p.doing(tracer.Overhead, p.m.codes.gc)
	p.worker.Alone(func() {
		if p.m.opts.Collect || !p.part(words, records) { // somebody else may have collected meanwhile
			p.m.collect(words, records, false)
			p.part(words, records)
		}
	})
	if p.stream != nil {
		p.tick()
		p.doing(tracer.Busy, 0)
	}
	return !p.m.crew.Ended()
}

// trim cuts the rest of a slice down to what there is space for, after something has taken words that nobody reckoned with.
func (p *pe) trim(left int) int {
	words, records := p.maxWords+slack, (p.maxGoals+1)*recordSize
	if left*words <= int(p.lim-p.h) && left*records <= int(p.last-p.fresh) && p.want+p.wantGoals == 0 { // no division, mostly
		return left
	}
	n := 1
	if p.want+p.wantGoals == 0 {
		n = max(1, min(int(p.lim-p.h)/words, int(p.last-p.fresh)/records))
	}
	if n < left {
		p.budget -= left - n
		return n
	}
	return left
}

// part sees to it that the PE has so many words of the arena and of the table, by a new part where it is needed, and says whether there were
// enough. Parts are large where there is much.
func (p *pe) part(words, records uint64) bool {
	m := p.m
	m.mu.Lock()
	defer m.mu.Unlock()
	share := uint64(2 * len(m.pes))
	if m.solo {
		share = 1
	}
	p.arena, p.goals = m.arena, m.goals
	if p.lim-p.h < words {
		left := uint64(len(m.arena)) - m.top
		if left < words {
			return false
		}
		n := min(left, max(words, left/share, 4*words))
		p.h, p.lim = m.top, m.top+n
		m.top += n
	}
	if p.last-p.fresh < records {
		left := uint64(len(m.goals)) - m.records
		if left < records {
			return false
		}
		n := min(left, max(records, left/share/recordSize*recordSize, 4*records))
		p.fresh, p.last = m.records, m.records+n
		m.records += n
	}
	return true
}
