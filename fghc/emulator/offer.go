package emulator

// Publishing each element of a stream that other PEs read would leave nothing private, and would move the cache line
// with the end of the stream between processors each time. A list that becomes the value of a shared variable is
// therefore offered: its PE holds it back until a safe point at which another PE waits for work, until it would itself
// wait, or for oldOffers safe points. Meanwhile the list grows in private, so that others see dozens of elements at
// once.

// An offer is a list w that is to become the value of the variable v.
type offer struct{ v, w, site, self uint64 }

const (
	maxOffers = 64 // that a PE holds back
	oldOffers = 64 // safe points after which all offers are delivered
)

// offer makes the list w the value of v, later if v is shared. Like unifyAt it returns false if that is impossible.
func (p *pe) offer(v, w, site uint64) bool {
	v = Deref(p.arena, v)
	if v&tagMask == tagRef {
		switch i := v >> tagBits; {
		case p.IsPrivate(i):
			hooks := p.arena[i] >> tagBits
			p.arena[i] = w
			p.wake(hooks)
			return true
		case len(p.offers) < maxOffers:
			p.offers = append(p.offers, offer{v, w, site, p.rec.Self})
			return true
		}
	}
	return p.unifyAt(v, w, site)
}

// offersDue reports at a safe point whether the offers have to be delivered now.
func (p *pe) offersDue() bool {
	p.withheld++
	return p.withheld > oldOffers || p.allowed() <= 0 || p.worker.Hurry()
}

// deliver binds the variables of all offers. It returns false if a list does not unify with the value that its variable
// has by now.
func (p *pe) deliver() bool {
	if len(p.offers) == 0 {
		return true
	}
	self := p.rec.Self
	for _, o := range p.offers {
		p.rec.Self = o.self // the reduction that wakes the waiting goals
		if !p.unifyAt(o.v, o.w, o.site) {
			return false
		}
	}
	p.offers, p.withheld = p.offers[:0], 0
	p.rec.Self = self
	return true
}
