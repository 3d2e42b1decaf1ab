package emulator

import (
	"runtime"

	"whorl/fghc/bytecode"
	"whorl/tracer"
)

// A PE tries goals until its budget is used up, and then comes to a safe point. The budget is so small that the tries
// fit the free space and the limit of reductions: the inner loop checks neither.

// turn is a safe point without a goal in the registers. It returns the next goal and the number of tries until the next
// safe point, 0 when the run is over.
func (p *pe) turn(left int) (g uint64, budget int) {
	p.account(left)
	p.pushLacking()
	for {
		p.yieldToHigher()
		if !p.safePoint(0) {
			return 0, 0
		}
		if p.banded > 0 {
			p.rise()
		}
		if p.size() > 0 {
			g = p.next()
			p.rec.Doing(tracer.Busy, 0)
			return g, p.grant()
		}
		if len(p.offers) > 0 {
			if !p.deliver() {
				p.fail(0)
				return 0, 0
			}
			continue
		}
		p.rec.Doing(tracer.Idle, p.m.codes.NoWork)
		p.settle(&p.m.limit) // other PEs may need the reserved reductions
		if !p.worker.Idle(p) {
			return 0, 0
		}
		p.worker.Stopped() // it was idle meanwhile
		p.rec.Tick()
	}
}

// pause is a safe point with the next goal in the registers. Where goals take turns the goal instead returns to the
// queue: back is true and the budget unchanged.
func (p *pe) pause(left int) (budget int, back, ok bool) {
	if !p.lifo {
		p.pushLacking()
	}
	if !p.lifo || len(p.lacking) > 0 {
		p.push(p.save())
		return left, true, true
	}
	p.account(left)
	p.holding = true
	ok = p.safePoint(bytecode.ArityOf(p.record))
	p.holding = false
	if !ok {
		return 0, false, false
	}
	return p.grant(), false, true
}

// grant returns the number of tries until the next safe point, or until the current goal has used its turn.
func (p *pe) grant() int {
	n := maxPoll
	if !p.solo || p.rec.On() { // the trace's clock is read at safe points
		n = crewPoll
	}
	p.poll = min(max(firstPoll, 2*p.poll), n) // short slices first, since the first reductions take longest
	n = p.poll
	if s := p.m.opts.Poll; s > 0 {
		n = s
	}
	if p.m.Priorities {
		n = min(n, bandedPoll)
	}
	if p.m.opts.Collect {
		n = 1
	}
	n = min(n, p.affordable(), int(p.allowed()))
	p.pushes = n * (p.code.MaxGoals + 1)
	p.queue.reserve(p.pushes + 1)
	p.rec.EnsureIDs(p.pushes)
	p.budget = n
	p.rec.BeginSlice()
	if p.lifo {
		return n
	}
	first := min(n, p.quantum)
	p.rest = n - first
	return first
}

// reserve reserves reductions from the limit and waits while none is left. It returns false when the run is over.
func (p *pe) reserve() bool {
	if p.allowed() > 0 {
		return true
	}
	m := p.m
	p.settle(&m.limit)
	for !m.crew.Ended() {
		if p.reserved = m.limit.reserve(reserves); p.reserved > 0 {
			return true
		}
		if m.limit.reserved.Load() == 0 {
			p.worker.Await(func() bool { return m.limit.quota.Load() > 0 }, func() {
				select {
				case m.stalled <- struct{}{}:
				default:
				}
			})
			continue
		}
		runtime.Gosched() // another PE may return some
		if !p.worker.Check(p) {
			return false
		}
	}
	return false
}

// check is the safe point of the worker. Other goroutines may run while it waits.
func (p *pe) check() (ok bool) {
	if !p.rec.On() || !p.worker.Called() {
		return p.worker.Check(p)
	}
	p.rec.FreeCore()
	ok = p.worker.Check(p)
	p.stopped()
	p.rec.MeterCore()
	return ok
}

// stopped records at a safe point that the PE has waited because the world was stopped.
func (p *pe) stopped() {
	stopped, held := p.worker.Stopped()
	switch {
	case held && stopped:
		p.rec.Stopped(p.m.codes.Stop)
	case stopped:
		p.rec.Stopped(p.m.codes.GC)
	}
}

// safePoint does the work between two reductions. The first n registers hold the arguments of the next goal. It returns
// false when the run is over.
func (p *pe) safePoint(n int) bool {
	p.rec.EndSlice(p.size() > 0)
	p.roots = n // for a collection by another PE while this one waits
	due := len(p.offers) > 0 && p.offersDue()
	if due || len(p.outbox) > 0 || p.worker.Hurry() || p.m.opts.Collect {
		p.tidy() // before the remaining goals are published
	}
	if due && !p.deliver() {
		p.roots = 0
		p.fail(0)
		return false
	}
	p.flush()
	ok := p.check()
	for ok {
		// Space comes last: while a PE waits, a collection may take its parts, and settle its reserved reductions.
		if ok = p.reserve() && p.ensureSpace(); p.allowed() > 0 {
			break
		}
	}
	p.roots = 0
	return ok
}
