package replay

import (
	"fmt"
	"iter"

	"whorl/sim"
	"whorl/tracer"
)

// reasons are entries of the trace's code table.
type reasons struct {
	lock, message, outside uint32
	group, send, receive   uint32
	waiting, regions       uint32 // metrics
}

func newReasons(d *tracer.Dict) reasons {
	reason := func(name string) uint32 { return d.Add(tracer.Code{Type: tracer.Reason, Name: name}) }
	return reasons{
		lock: reason("lock"), message: reason(tracer.ReasonMessage), outside: reason(tracer.ReasonOutside),
		group: reason(waitGroup), send: reason("channel send"), receive: reason("channel receive"),
		waiting: d.Add(tracer.Code{Type: tracer.Metric, Name: "waiting", Unit: "ns", Scale: 1}),
		regions: d.Add(tracer.Code{Type: tracer.Metric, Name: tracer.RegionTime, Unit: "ns", Scale: 1}),
	}
}

// A lock is held by one task, or shared by several.
type lock struct {
	open    bool // nobody waits for it
	holders int  // -1: one task that does not share it
	queue   queue
}

// await adds a waiter to a gate.
func (r *Replay) await(g, n uint32) {
	if r.gates[g].waiter == 0 {
		r.gates[g].waiter = n + 1
		return
	}
	if r.more == nil {
		r.more = map[uint32][]uint32{}
	}
	r.more[g] = append(r.more[g], n+1)
}

// waiters removes the waiters of a gate, in the order in which they came.
func (r *Replay) waiters(g uint32) iter.Seq[uint32] {
	return func(yield func(n uint32) bool) {
		first := r.gates[g].waiter
		if first == 0 {
			return
		}
		r.gates[g].waiter = 0
		yield(first - 1)
		for _, n := range r.more[g] {
			yield(n - 1)
		}
		delete(r.more, g)
	}
}

// gate returns the index of a gate of the graph.
func (r *Replay) gate(g uint32) uint32 { return uint32(len(r.tasks)) + g }

// pass performs an operation that may wait, and reports whether the task goes on. A task that was resumed at the
// operation has waited there before.
func (r *Replay) pass(p *sim.PE, n uint32, o op, resumed bool) bool {
	operand := o.operand()
	if !resumed {
		r.Steps++
	}
	switch o.kind() {
	case opWait:
		q := &r.graph.pauses[operand]
		if r.setup.skips(q.reason) {
			return true
		}
		g := r.gate(q.gate)
		if q.ends {
			g = q.gate
		}
		if r.gates[g].left <= 0 {
			return true
		}
		r.await(g, n)
		r.suspend(p, n, q.reason, q.context)
		return false
	case opMeet:
		q := &r.graph.pauses[operand]
		if resumed || r.signal(p, n, q.gate) || r.setup.skips(q.reason) {
			return true
		}
		if g := r.gate(q.gate); r.gates[g].left > 0 {
			r.await(g, n)
			r.suspend(p, n, q.reason, q.context)
			return false
		}
	case opDelay:
		if resumed {
			return true
		}
		q := &r.graph.pauses[operand]
		if r.setup.skips(q.reason) {
			return true
		}
		r.suspend(p, n, q.reason, q.context)
		p.Alarm(sim.Work(n)+1, r.graph.id(n), q.ns)
		return false
	case opReceive:
		if r.arrived[operand] || r.setup.skips(r.graph.messages[operand].reason) {
			return true
		}
		r.expects[operand] = n + 1
		r.suspend(p, n, r.reasons.message, 0)
		return false
	case opAcquire:
		l := &r.locks[operand>>1]
		return l.open || r.acquire(p, n, l, operand&1 != 0, resumed)
	case opRelease:
		if l := &r.locks[operand>>1]; !l.open {
			r.release(p, n, l)
		}
	default:
		return r.communicate(p, n, o, resumed)
	}
	return true
}

// signal gives a gate of the graph a signal, and reports whether that woke the waiters.
func (r *Replay) signal(p *sim.PE, n, which uint32) (woke bool) {
	g := r.gate(which)
	if r.gates[g].left--; r.gates[g].left > 0 {
		return false
	}
	for w := range r.waiters(g) {
		woke = true
		if r.tasks[w].state == arriving {
			r.births = append(r.births, w)
			r.wake(p, w)
			continue
		}
		r.resume(p, w, n, 0)
	}
	return woke
}

// recordBirths records the creation of the tasks that began by signals of a task: after the task's end, where that follows.
func (r *Replay) recordBirths(p *sim.PE, n uint32) {
	for _, w := range r.births {
		r.born(p, p.Now(), w, n)
	}
	r.births = r.births[:0]
}

// suspend records that a task begins to wait.
func (r *Replay) suspend(p *sim.PE, n, reason, context uint32) {
	r.tasks[n].since = p.Now()
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.Wait, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Ref: uint64(context), Code: reason}
	}
}

// resume wakes a waiting task on behalf of another one.
func (r *Replay) resume(p *sim.PE, n, by, reason uint32) {
	r.woke(p, p.Now(), n, r.graph.id(by), reason)
	r.wake(p, n)
}

// woke records that a task can run again.
func (r *Replay) woke(p *sim.PE, now sim.Time, n uint32, by uint64, reason uint32) {
	s := p.Stream()
	if s == nil {
		return
	}
	t := &r.tasks[n]
	*s.Slot() = tracer.Event{Time: now, Kind: tracer.Wake, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Ref: by, Code: reason}
	context := uint32(0)
	switch o := r.graph.ops[r.skip(t.pc)]; o.kind() {
	case opWait, opMeet, opDelay:
		context = r.graph.pauses[o.operand()].context
	}
	if now > t.since && context != 0 {
		*s.Slot() = tracer.Event{
			Time: now, Kind: tracer.Sample, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Ref: uint64(context), Code: r.reasons.waiting, Value: now - t.since,
		}
	}
}

// wake makes a waiting task ready: in shared memory on the PE that wakes it if it was woken by another task, otherwise
// where it waited.
func (r *Replay) wake(p *sim.PE, n uint32) {
	home := r.tasks[n].pe
	if r.graph.woken && p.Machine().Traits().Stays && r.hint(n) < 0 {
		home = p.ID()
	}
	p.Wake(sim.Work(n)+1, r.graph.id(n), home)
}

// acquire reports whether a task gets a lock. A task that has waited goes to the front of the queue if it has to wait
// again.
func (r *Replay) acquire(p *sim.PE, n uint32, l *lock, shared, resumed bool) bool {
	switch {
	case l.holders == 0 && !shared:
		l.holders = -1
		return true
	case shared && l.holders >= 0 && (resumed || l.queue.empty()):
		l.holders++
		return true
	}
	l.queue.push(n, resumed)
	r.suspend(p, n, r.reasons.lock, 0)
	return false
}

// release frees a lock and wakes the task that waits longest, together with those behind it that share the lock.
func (r *Replay) release(p *sim.PE, n uint32, l *lock) {
	if l.holders > 0 {
		l.holders--
	} else {
		l.holders = 0
	}
	if l.holders != 0 {
		return
	}
	for i := 0; !l.queue.empty(); i++ {
		w := l.queue.first()
		o := r.graph.ops[r.skip(r.tasks[w].pc)]
		if i > 0 && o.operand()&1 == 0 {
			return
		}
		r.resume(p, l.queue.pop(), n, 0)
		if o.operand()&1 == 0 {
			return
		}
	}
}

// send sends a message to the PE of its receiver.
func (r *Replay) send(p *sim.PE, m uint32) {
	r.Steps++
	g := &r.graph.messages[m]
	p.Send(r.tasks[g.to].pe, sim.Message{Class: g.class, Task: r.graph.id(g.from), For: r.graph.id(g.to), Data: uint64(m), Bytes: g.bytes})
}

// Deliver handles a message at the PE of its receiver.
func (r *Replay) Deliver(p *sim.PE, m sim.Message) sim.Time {
	r.arrived[m.Data] = true
	if w := r.expects[m.Data]; w != 0 {
		r.woke(p, p.Now(), w-1, m.Task, r.reasons.message)
		r.wake(p, w-1)
	}
	return 0
}

// Ring handles the end of a delay.
func (r *Replay) Ring(p *sim.PE, w sim.Work) {
	n := uint32(w - 1)
	if r.tasks[n].state == arriving {
		r.born(p, p.Machine().Now(), n, none)
		return
	}
	r.woke(p, p.Machine().Now(), n, 0, r.reasons.outside)
}

// none stands for no task.
const none = ^uint32(0)

// born records the creation of a task that no task forks while it runs. It may depend on the end of another one.
func (r *Replay) born(p *sim.PE, now sim.Time, n, after uint32) {
	s := p.Stream()
	if s == nil {
		return
	}
	e := tracer.Event{Time: now, Kind: tracer.Fork, PE: p.ID(), Peer: p.ID(), Task: r.graph.id(n), Code: r.function(n)}
	if after != none {
		e.Ref = r.graph.id(after)
	}
	*s.Slot() = e
}

// region records the time of a part of a region.
func (r *Replay) region(p *sim.PE, n uint32, d sim.Time) {
	context := r.graph.parts[r.tasks[n].part-1].Context
	if s := p.Stream(); s != nil && context != 0 {
		*s.Slot() = tracer.Event{
			Time: p.Now(), Kind: tracer.Sample, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Ref: uint64(context), Code: r.reasons.regions, Value: d,
		}
	}
}

// note records an event again.
func (r *Replay) note(p *sim.PE, n uint32, x *note) {
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: x.kind, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Ref: x.ref, Code: x.code, Value: x.value}
	}
}

// A Stuck is a task that waits when nothing can run any more.
type Stuck struct {
	Task     uint64 // trace id
	Function uint32 // number of its function
	Reason   uint32 // entry of the code table; 0 for a join
	On       uint64 // trace id of the task for whose end it waits, 0 if it waits for something else
}

// A StandstillError reports that tasks wait and no task will wake them.
type StandstillError struct {
	Left  int     // tasks that have not ended
	Stuck []Stuck // the first of them, with those that they wait for
}

func (e *StandstillError) Error() string {
	return fmt.Sprintf("%d tasks have not ended, and no task can run", e.Left)
}

// mostStuck is the largest number of tasks in a StandstillError.
const mostStuck = 8

// standstill describes tasks that wait: the first one, and for each task that waits for the end of another one, that task.
func (r *Replay) standstill() error {
	e := &StandstillError{Left: r.left}
	seen := map[uint32]bool{}
	for i := range r.tasks {
		n := uint32(i)
		for (r.tasks[n].state == blocked || r.tasks[n].state == arriving) && !seen[n] && len(e.Stuck) < mostStuck {
			seen[n] = true
			s, on := r.stuck(n)
			e.Stuck = append(e.Stuck, s)
			if on == none {
				break
			}
			n = on
		}
	}
	return e
}

// stuck describes a task that waits, and returns the task for whose end it waits.
func (r *Replay) stuck(n uint32) (s Stuck, on uint32) {
	s, on = Stuck{Task: r.graph.id(n), Function: r.graph.tasks[n].function}, none
	at := r.skip(r.tasks[n].pc)
	if r.tasks[n].state == arriving { // it has passed the wait, and begins when that ends
		at = r.tasks[n].pc - 1
	}
	o := r.graph.ops[at]
	operand := o.operand()
	switch o.kind() {
	case opJoin:
		on = uint32(operand)
	case opWait, opMeet, opDelay:
		q := &r.graph.pauses[operand]
		if s.Reason = q.reason; q.ends {
			on = q.gate
		}
	case opReceive:
		s.Reason = r.graph.messages[operand].reason
	case opAcquire:
		s.Reason = r.reasons.lock
	case opGroup:
		s.Reason = r.reasons.group
	case opPut:
		s.Reason = r.reasons.send
	case opTake, opDrain:
		s.Reason = r.reasons.receive
	}
	if on != none {
		s.On = r.graph.id(on)
	}
	return s, on
}
