package gotrace

import "whorl/tracer"

// A proc is a P of the runtime, on which goroutines run.
type proc struct {
	seq    uint64
	gen    uint64 // generation of seq
	state  uint8  // 0 before its first record
	sweeps bool   // it sweeps memory
	halted bool   // it is idle because the world is stopped
	on     *thread
}

// mostProcs bounds the Ps. The runtime has at most 1,024 in most versions.
const mostProcs = 1 << 16

// proc returns a P, and records its Init at its first appearance. It returns -1 for a number that no P has.
func (r *reader) proc(id uint64) int32 {
	if id >= mostProcs {
		r.w.Dropped.Add("records of Ps with strange numbers", 1)
		return -1
	}
	for int(id) >= len(r.procs) {
		r.procs = append(r.procs, proc{})
	}
	if p := &r.procs[id]; p.state == 0 {
		p.state = procIdle
		*r.s.Slot() = tracer.Event{Kind: tracer.Init, Time: r.now, PE: int32(id), Peer: tracer.None}
	}
	return int32(id)
}

// can reports whether the next record of a P may have a sequence number.
func (p *proc) can(generation, seq uint64) bool { return p.gen == generation && p.seq+1 == seq }

// applyProc applies the start or the theft of a P.
func (r *reader) applyProc(th *thread, force bool) bool {
	id, seq := th.a[0], th.a[1]
	known := id < uint64(len(r.procs)) && r.procs[id].can(r.gen.number, seq)
	switch {
	case force:
	case !known:
		return false
	case th.kind == procStart && (r.procs[id].state != procIdle || th.p >= 0):
		return false
	case th.kind == procSteal && r.procs[id].state != procInSyscall && r.procs[id].state != procAbandoned:
		return false
	}
	n := r.proc(id)
	if n < 0 {
		return true
	}
	p := &r.procs[n]
	p.seq, p.gen = seq, r.gen.number
	if th.kind == procSteal {
		r.stolen(n)
		return true
	}
	if p.on != nil { // after damage
		r.stolen(n)
	}
	if th.p >= 0 && th.p != n {
		r.stolen(th.p)
	}
	p.state, p.on, p.halted = procRunning, th, false
	th.p = n
	*r.s.Slot() = tracer.Event{Kind: tracer.Busy, Time: r.now, PE: n, Peer: tracer.None}
	return true
}

// stolen takes a P from its thread. The goroutine in a system call there waits for the call from now on.
func (r *reader) stolen(n int32) {
	p := &r.procs[n]
	if th := p.on; th != nil && th.p == n {
		th.p = -1
		r.alone(th)
	}
	r.idle(n)
}

// alone records that the goroutine in a system call of a thread without a P waits for the call.
func (r *reader) alone(th *thread) {
	if th.g < 0 {
		return
	}
	if g := &r.goroutines[th.g]; g.state == inSyscall && !g.waits {
		r.wait(th.g, g.pe, r.codes.call, whyCall, g.call)
	}
}

// idle records that a P is idle.
func (r *reader) idle(n int32) {
	p := &r.procs[n]
	p.state, p.on, p.sweeps, p.halted = procIdle, nil, false, r.stopped > 0
	e := tracer.Event{Kind: tracer.Idle, Time: r.now, PE: n, Peer: tracer.None, Code: r.codes.noWork}
	if p.halted {
		e.Code = r.codes.stopped
	}
	*r.s.Slot() = e
}

// procStop records that a thread gives up its P.
func (r *reader) procStop(th *thread) {
	n := th.p
	if n < 0 {
		r.w.Dropped.Add("ends of idle Ps", 1)
		return
	}
	th.p = -1
	r.alone(th)
	r.idle(n)
}

// procStatus records a P that was there when a generation began.
func (r *reader) procStatus(th *thread) {
	n := r.proc(th.a[0])
	if n < 0 {
		return
	}
	p := &r.procs[n]
	first := p.gen == 0
	p.seq, p.gen = 0, r.gen.number
	switch state := th.a[1]; state {
	case procRunning, procInSyscall:
		p.state = uint8(state)
		if th.p == n {
			return
		}
		if p.on != nil && p.on.p == n {
			p.on.p = -1
		}
		th.p, p.on = n, th
		if first {
			*r.s.Slot() = tracer.Event{Kind: tracer.Busy, Time: r.now, PE: n, Peer: tracer.None}
		}
	case procIdle:
		if first || p.state != procIdle {
			r.idle(n)
		}
	case procAbandoned:
		if p.on == nil { // else it is in the system call of a known goroutine
			p.state = procAbandoned
		}
	default:
		r.w.Dropped.Add("Ps in a strange state", 1)
	}
}

// call records that the goroutine of a thread enters a system call.
func (r *reader) call(th *thread) {
	n := r.current(th)
	if n < 0 {
		return
	}
	s := r.stack(th.a[1])
	r.refine(n, s)
	g := &r.goroutines[n]
	g.state, g.call = inSyscall, s
	if th.p < 0 {
		r.alone(th)
		return
	}
	p := &r.procs[th.p]
	p.state, p.seq, p.gen = procInSyscall, th.a[0], r.gen.number
	r.enterCall(n, th.p)
	if s != nil && s.writes {
		r.writes.add(write{from: r.now, task: g.task, n: n})
	}
}

// enterCall records that the kernel works for a goroutine.
func (r *reader) enterCall(n, p int32) {
	g := &r.goroutines[n]
	g.pe = p
	r.run(n)
	*r.s.Slot() = tracer.Event{Kind: tracer.Overhead, Time: r.now, Task: g.task, PE: p, Peer: tracer.None, Code: r.codes.call}
}

// callEnd records that the goroutine of a thread comes back from a system call and has kept its P.
func (r *reader) callEnd(th *thread) {
	n := r.current(th)
	if n < 0 {
		return
	}
	g := &r.goroutines[n]
	if g.state != inSyscall {
		r.w.Dropped.Add("ends without a beginning", 1)
	}
	if th.p >= 0 {
		r.procs[th.p].state = procRunning
	}
	r.wake(n, 0, th.p, r.codes.call)
	r.returns(n)
	g.state, g.call = running, nil
	r.goes(n, th.p)
}

// callBlocked records that the goroutine of a thread comes back from a system call and has lost its P.
func (r *reader) callBlocked(th *thread) {
	n := r.current(th)
	if n < 0 {
		return
	}
	g := &r.goroutines[n]
	if g.state != inSyscall {
		r.w.Dropped.Add("ends without a beginning", 1)
	}
	if g.waits {
		r.wake(n, 0, g.pe, r.codes.call)
	} else if th.p >= 0 {
		*r.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: r.now, Task: g.task, PE: th.p, Peer: tracer.None, Code: r.codes.preempted}
	}
	r.returns(n)
	g.state, g.call = runnable, nil
	th.g = -1
}

// returns notes that a system call of a goroutine ends.
func (r *reader) returns(n int32) {
	if g := &r.goroutines[n]; g.call != nil && g.call.writes {
		r.writes.end(r.now, g.task)
	}
}

// appear records a goroutine that a thread of another language brings: it is in a system call from the beginning.
func (r *reader) appear(th *thread) {
	if th.g >= 0 {
		r.w.Dropped.Add("records out of order", 1)
		r.mend(th.g)
	}
	n := r.born(th.a[0], inSyscall, nil, -1, th.p)
	g := &r.goroutines[n]
	g.on, th.g = th, n
	if th.p >= 0 {
		r.enterCall(n, th.p)
	} else {
		r.wait(n, g.pe, r.codes.call, whyCall, nil)
	}
	r.count(th.p)
}

// vanish records the end of such a goroutine. Its thread loses its P.
func (r *reader) vanish(th *thread) {
	n, p := r.current(th), th.p
	if n < 0 {
		return
	}
	th.g = -1
	r.end(n)
	if p >= 0 {
		th.p = -1
		r.idle(p)
		r.procs[p].state = procAbandoned
	}
	r.count(p)
}
