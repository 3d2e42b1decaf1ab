package gotrace

import (
	"strings"

	"whorl/tracer"
)

// apply applies the record of a thread. It returns false, and changes nothing, if its sequence number says that another thread's record comes first.
// With force it applies it in any case.
func (r *reader) apply(th *thread, force bool) bool {
	a := &th.a
	switch th.kind {
	case goStart:
		n := r.find(a[0])
		if n < 0 || !r.goroutines[n].can(runnable, r.gen.number, a[1]) || th.p < 0 || th.g >= 0 {
			if !force {
				return false
			}
			if n = r.known(n, a[0], th.p); th.g >= 0 && th.g != n {
				r.mend(th.g)
			}
		}
		r.starts(n, th, a[1])
	case goBlock:
		r.block(th, a[0], r.stack(a[1]))
	case goUnblock:
		n := r.find(a[0])
		if n < 0 || !r.goroutines[n].can(waiting, r.gen.number, a[1]) {
			if !force {
				return false
			}
			n = r.known(n, a[0], th.p)
		}
		r.unblock(n, th, a[1], r.stack(a[2]))
	case goCreate, goCreateBlocked:
		r.create(th)
	case goStop:
		s := r.stack(a[1])
		if n := r.current(th); n >= 0 {
			r.refine(n, s)
			g := &r.goroutines[n]
			g.state, th.g = runnable, -1
			*r.s.Slot() = tracer.Event{Kind: tracer.Idle, Time: r.now, Task: g.task, PE: g.pe, Peer: tracer.None, Code: r.codes.preempted}
		}
	case goDestroy:
		if n := r.current(th); n >= 0 {
			th.g = -1
			r.leaves(n, th.p)
			r.end(n)
			r.count(th.p)
		}
	case goSyscallBegin:
		r.call(th)
	case goSyscallEnd:
		r.callEnd(th)
	case goSyscallEndBlocked:
		if p := th.p; p >= 0 && r.procs[p].state == procInSyscall && !force {
			return false
		}
		r.callBlocked(th)
	case procStart, procSteal:
		return r.applyProc(th, force)
	case procStop:
		r.procStop(th)
	case procStatus:
		r.procStatus(th)
	case goStatus, goStatusStack:
		r.status(th)
	case goSwitch, goSwitchDestroy:
		return r.turn(th, force)
	case gcActive, gcBegin, gcEnd:
		return r.cycle(th, force)
	default:
		r.other(th)
	}
	return true
}

// can reports whether the next record of a goroutine may have a sequence number, and the goroutine is in a state.
func (g *goroutine) can(state uint8, generation, seq uint64) bool {
	return g.state == state && g.gen == generation && g.seq+1 == seq
}

// known returns a goroutine that is ready to run, after damage: n, or a new one if that is -1.
func (r *reader) known(n int32, id uint64, p int32) int32 {
	if n < 0 {
		return r.born(id, runnable, nil, -1, p)
	}
	r.mend(n)
	return n
}

// current returns the goroutine of the thread, -1 if there is none although a record needs one.
func (r *reader) current(th *thread) int32 {
	if th.g < 0 {
		r.w.Dropped.Add("records of unknown goroutines", 1)
	}
	return th.g
}

// block records that the goroutine of the thread waits.
func (r *reader) block(th *thread, reason uint64, s *stack) {
	n := r.current(th)
	if n < 0 {
		return
	}
	r.refine(n, s)
	code, why := r.reason(reason, s)
	r.goroutines[n].state, th.g = waiting, -1
	r.wait(n, r.goroutines[n].pe, code, why, s)
	r.leaves(n, th.p)
}

// unblock records that the goroutine of a thread, or nobody, wakes another one.
func (r *reader) unblock(n int32, th *thread, seq uint64, s *stack) {
	g := &r.goroutines[n]
	g.state, g.seq, g.gen = runnable, seq, r.gen.number
	r.refine(th.g, s)
	by, reason := r.task(th.g), uint32(0)
	if g.why == whyNetwork && (by == 0 || !s.ends(g.why)) {
		by, reason = r.sender(n)
	} else if by == 0 && g.running == tracer.ReasonGC && r.collecting && r.collector.task != 0 && r.task(r.collector.n) == r.collector.task {
		by, reason = r.collector.task, r.codes.inferred
	} else if by == 0 {
		switch g.why {
		case whySleep, "chan receive", "select": // of the channel of a timer
			reason = r.codes.timer
		default:
			reason = r.codes.outside
		}
	}
	pe := th.p
	if pe < 0 {
		pe = g.pe
	}
	r.wake(n, by, pe, reason)
}

// create records the creation of a goroutine.
func (r *reader) create(th *thread) {
	entry, at := r.stack(th.a[1]), r.stack(th.a[2])
	r.refine(th.g, at)
	by := th.g
	if at != nil {
		*r.s.Slot() = tracer.Event{
			Kind: tracer.Sample, Time: r.now, Task: r.task(by), PE: max(th.p, 0), Peer: tracer.None, Ref: uint64(at.context), Code: r.codes.forks, Value: 1,
		}
	}
	n := r.born(th.a[0], runnable, entry, by, th.p)
	if th.kind == goCreateBlocked {
		r.goroutines[n].state = waiting
		r.wait(n, r.goroutines[n].pe, r.codes.coroutine, whyCoroutine, entry)
	}
	r.count(th.p)
}

// turn records a switch of coroutines: the goroutine of the thread wakes another one and waits, or ends.
func (r *reader) turn(th *thread, force bool) bool {
	n := r.find(th.a[0])
	if n < 0 || !r.goroutines[n].can(waiting, r.gen.number, th.a[1]) || th.g < 0 {
		if !force {
			return false
		}
		n = r.known(n, th.a[0], th.p)
	}
	by := th.g
	r.wake(n, r.task(by), th.p, 0)
	if by >= 0 && by != n {
		if th.kind == goSwitch {
			r.goroutines[by].state = waiting
			r.wait(by, r.goroutines[by].pe, r.codes.coroutine, whyCoroutine, nil)
		} else {
			r.end(by)
			r.count(th.p)
		}
	}
	r.starts(n, th, th.a[1])
	return true
}

// status records a goroutine that was there when the trace began. Later ones only begin its sequence numbers anew.
func (r *reader) status(th *thread) {
	id, on, state := th.a[0], th.a[1], th.a[2]
	var s *stack
	if th.kind == goStatusStack {
		s = r.stack(th.a[3])
	}
	if state < runnable || state > waiting {
		r.w.Dropped.Add("goroutines in a strange state", 1)
		return
	}
	n := r.find(id)
	if n >= 0 && r.goroutines[n].state == uint8(state) {
		r.refine(n, s)
		g := &r.goroutines[n]
		g.seq, g.gen = 0, r.gen.number
		return
	}
	if n >= 0 {
		r.w.Dropped.Add("goroutines in another state than before", 1)
		r.mend(n)
	} else {
		n = r.born(id, uint8(state), s, -1, th.p)
	}
	g := &r.goroutines[n]
	g.seq, g.gen, g.state = 0, r.gen.number, uint8(state)
	if state == waiting || state == inSyscall { // it has run before
		r.run(n)
	}
	switch state {
	case running:
		g.on, th.g = th, n
		r.goes(n, th.p)
	case inSyscall:
		at := th
		if on != noThread && on != th.id {
			if at = r.thread(on); at == nil {
				at = th
			}
		}
		at.g, g.on, g.call = n, at, s
		if at == th && th.p >= 0 && r.procs[th.p].state == procInSyscall {
			r.enterCall(n, th.p)
		} else {
			r.wait(n, g.pe, r.codes.call, whyCall, s)
		}
	case waiting:
		why := whyUnknown
		code := r.codes.known
		if s != nil && s.waits != "" {
			why, code = s.waits, s.reason
		} else if strings.HasPrefix(r.functions[g.function].name, "runtime.") {
			code = r.w.Reason("runtime")
		}
		r.wait(n, g.pe, code, why, s)
	}
}
