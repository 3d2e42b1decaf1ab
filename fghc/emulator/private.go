package emulator

import "math"

// Most variables are bound by the PE that made them before any other PE has heard of them. Such a cell is private, and is bound by a plain
// store, where others take a compare-and-swap, which waits until all earlier stores are done. A PE knows a private cell by its index: all
// words of its part of the arena from p.private on are. What is not private never leads to what is. So before anything that others can find
// comes to lead to a private word, a value of a variable that is not private, a goal that waits for one or is sent off, or what is put into a
// vector or a merger, all that the PE has made so far stops being private, at the cost of setting p.private to the top of the heap. A goal in
// the PE's own queue is found by nobody else.
//
// To do this for each element of a stream that others read would leave nothing private, and move the cache line with the stream's end between
// the processors each time. Therefore a list as the value of a variable that others know is offered: kept back until a safe point at which
// somebody waits for work, or until the PE would wait for something itself, or a while. Meanwhile the list goes on growing in private, so that
// others see some dozens of elements at once.

// mine says that the cell at index i is private.
func (p *pe) mine(i uint64) bool { return i-p.private < p.span }

// publish makes all that the PE has made so far known.
func (p *pe) publish() {
	if p.m.solo {
		p.private, p.span = 0, math.MaxUint64
		return
	}
	p.private, p.span = p.h, p.lim-p.h
}

// points says that a word leads to others.
func points(w uint64) bool {
	switch w & tagMask {
	case tagRef, tagList, tagStr, tagBox:
		return true
	}
	return false
}

// An offer is a list that is to be the value of a variable.
type offer struct{ v, w, site, self uint64 }

const (
	maxOffers = 64 // that a PE keeps back
	oldOffers = 64 // safe points after which it delivers them in any case
)

// offer makes a list the value of v, a little later if v is known to others. It returns false where it cannot be, as of unifyAt.
func (p *pe) offer(v, w, site uint64) bool {
	v = p.deref(p.arena, v)
	if v&tagMask == tagRef {
		switch i := v >> tagBits; {
		case p.mine(i):
			hooks := p.arena[i] >> tagBits
			p.arena[i] = w
			p.wake(hooks)
			return true
		case len(p.offers) < maxOffers:
			p.offers = append(p.offers, offer{v, w, site, p.self})
			return true
		}
	}
	return p.unifyAt(v, w, site)
}

// due says at a safe point that the offered lists have to be made known now.
func (p *pe) due() bool {
	p.withheld++
	return p.withheld > oldOffers || p.allowed() <= 0 || p.worker.Hurry()
}

// deliver makes the offered lists known. It returns false where one does not agree with what its variable has become meanwhile.
func (p *pe) deliver() bool {
	if len(p.offers) == 0 {
		return true
	}
	self := p.self
	for _, o := range p.offers {
		p.self = o.self // whose reduction wakes who waits
		if !p.unifyAt(o.v, o.w, o.site) {
			return false
		}
	}
	p.offers, p.withheld = p.offers[:0], 0
	p.self = self
	return true
}
