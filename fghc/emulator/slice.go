package emulator

import (
	"runtime"

	"whorl/tracer"
)

// A PE tries goals until its budget is used up, and comes to a safe point then. It has been seen to beforehand that there is space for all that
// these tries make, and that the limit of reductions allows them, so that the loop counts one number down and no more.

// turn is a safe point with no goal in the registers. It returns the next goal and how many goals may be tried until the next safe point;
// 0 when the run is over.
func (p *pe) turn(left int) (g uint64, budget int) {
	p.account(left)
	p.resume()
	for {
		p.standBack()
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
		if len(p.offers) > 0 {
			if !p.deliver() {
				p.fail(0)
				return 0, 0
			}
			continue
		}
		p.doing(tracer.Idle, p.m.codes.noWork)
		p.settle() // others may need the reductions that it has reserved
		if !p.worker.Idle(p) {
			return 0, 0
		}
		if p.stream != nil {
			p.tick()
		}
	}
}

// pause is a safe point with the next goal in the registers. Where goals take turns it is none: the goal is put back among the others, which
// back says, and the budget is what there was.
func (p *pe) pause(left int) (budget int, back, ok bool) {
	if !p.lifo {
		p.resume()
	}
	if !p.lifo || len(p.lacking) > 0 {
		p.push(p.save())
		return left, true, true
	}
	p.account(left)
	p.holding = true
	ok = p.safe(arityOf(p.record))
	p.holding = false
	if !ok {
		return 0, false, false
	}
	return p.grant(), false, true
}

// account counts the goals that have been tried.
func (p *pe) account(left int) {
	p.tries += int64(p.budget - left - p.rest)
	p.budget, p.rest = 0, 0
}

func (p *pe) reductions() int64 { return p.tries - p.suspensions - p.dones }

// allowed is how many reductions are left of those that it has reserved.
func (p *pe) allowed() int64 { return p.reserved - (p.reductions() - p.charged) }

// settle gives back what is left of the reductions that it has reserved.
func (p *pe) settle() {
	if left := p.allowed(); left > 0 {
		p.m.quota.Add(left)
	}
	if p.reserved > 0 {
		p.m.reserved.Add(-p.reserved)
		p.reserved = 0
	}
	p.charged = p.reductions()
	p.shown.Store(p.charged)
}

// grant returns how many goals may be tried until the next safe point, or until it is another goal's turn, with space for all that they make.
func (p *pe) grant() int {
	n := maxPoll
	if !p.m.solo || p.stream != nil { // the trace's clock is read at safe points
		n = crewPoll
	}
	p.poll = min(max(firstPoll, 2*p.poll), n) // the first ones say how long a reduction takes
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
	n = min(n, p.fit(), int(p.allowed()))
	p.pushes = n * (p.maxGoals + 1)
	for p.here()+p.pushes >= len(p.deque) {
		p.grow(2 * len(p.deque))
	}
	p.ensureIDs(p.pushes)
	p.budget = n
	p.pace(n)
	if p.lifo {
		return n
	}
	first := min(n, p.quantum)
	p.rest = n - first
	return first
}

// reserve takes reductions out of those that are allowed, and waits while there are none. It returns false when the run is over.
func (p *pe) reserve() bool {
	if p.allowed() > 0 {
		return true
	}
	p.settle()
	m := p.m
	for !m.crew.Ended() {
		left := m.quota.Load()
		n := min(left, reserves)
		switch {
		case n > 0:
			m.reserved.Add(n)
			if m.quota.CompareAndSwap(left, left-n) {
				p.reserved = n
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
	if len(p.offers) > 0 && p.due() && !p.deliver() {
		p.fail(0)
		return false
	}
	p.flush()
	p.roots = n // whoever collects while this PE waits has to keep them
	ok := p.worker.Check(p)
	for ok {
		// room last: while a PE waits its parts may be collected; and what it has reserved may be taken back
		if ok = p.reserve() && p.room(); p.allowed() > 0 {
			break
		}
	}
	p.roots = 0
	return ok
}
