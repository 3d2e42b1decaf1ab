package emulator

import (
	"cmp"
	"slices"
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// A ring is a queue of goals. Its length is a power of two.
type ring struct {
	deque       []uint64
	top, bottom uint64
	mask        uint64
}

// A band is the goals of a priority. Where the program has priorities the deque of a PE holds those of one, level, and the bands hold the
// others, the highest first: none is empty. The goals that a body pushes are of its own priority, but for those with a pragma.
type band struct {
	level uint64
	ring
}

const (
	firstRing  = 1 << 6
	bandedPoll = 32 // reductions between two safe points
)

// enqueue adds a goal to the band of its priority.
func (p *pe) enqueue(g uint64) {
	level := p.goals[g+stateField] >> levelShift
	if level == p.level {
		p.pushHere(g)
		return
	}
	at, found := slices.BinarySearchFunc(p.bands, level, func(b band, level uint64) int { return cmp.Compare(level, b.level) })
	if !found {
		p.bands = slices.Insert(p.bands, at, band{level, p.newRing()})
	}
	b := &p.bands[at]
	if b.top-b.bottom == b.mask {
		b.grow(2 * len(b.deque))
	}
	b.deque[b.top&b.mask] = g
	b.top++
	p.banded++
	p.urgent = p.urgent || level > p.level
}

func (p *pe) newRing() ring {
	r := p.idle
	p.idle = ring{}
	if r.deque == nil {
		r = ring{deque: make([]uint64, firstRing), mask: firstRing - 1}
	}
	return r
}

func (r *ring) grow(n int) {
	d := make([]uint64, n)
	for i := r.bottom; i != r.top; i++ {
		d[i&uint64(n-1)] = r.deque[i&r.mask]
	}
	r.deque, r.mask = d, uint64(n-1)
}

// rise makes the deque that of the highest priority that there is.
func (p *pe) rise() {
	p.urgent = false
	if len(p.bands) == 0 || p.bands[0].level < p.level && p.top != p.bottom {
		return
	}
	b := p.bands[0]
	p.bands = slices.Delete(p.bands, 0, 1)
	p.banded -= int(b.top - b.bottom)
	here := band{p.level, p.ring}
	p.level, p.ring = b.level, b.ring
	if n := int(here.top - here.bottom); n > 0 {
		at, _ := slices.BinarySearchFunc(p.bands, here.level, func(b band, level uint64) int { return cmp.Compare(level, b.level) })
		p.bands = slices.Insert(p.bands, at, here)
		p.banded += n
	} else {
		p.idle = here.ring
	}
}

// queued calls f for the goals in all queues, in the order in which they are taken.
func (p *pe) queued(f func(g uint64)) {
	all := append(slices.Clone(p.bands), band{p.level, p.ring})
	slices.SortStableFunc(all, func(a, b band) int { return cmp.Compare(b.level, a.level) })
	for _, b := range all {
		for k := range b.top - b.bottom {
			at := b.bottom + k
			if p.lifo {
				at = b.top - 1 - k
			}
			f(b.deque[at&b.mask])
		}
	}
}

// standBack sees to it that a PE goes on with goals of a low priority only when no other has goals of a higher one: it asks for some of those,
// and waits a while. It comes before a safe point, with no goal in the registers: where there are priorities none goes on in place.
func (p *pe) standBack() {
	levels := p.m.levels
	if levels == nil {
		return
	}
	if p.banded > 0 {
		p.rise()
	}
	mine := p.level
	if p.here() == 0 {
		levels[p.me].Store(0)
		return
	}
	if levels[p.me].Load() != mine+1 {
		levels[p.me].Store(mine + 1)
	}
	higher := func(other int) bool { return levels[other].Load() > mine+1 }
	for range patience {
		k, all := 1, min(len(levels), watched)
		for ; k < all; k++ {
			if other := (p.me + k) % len(levels); higher(other) || mine < builtin.TopPriority && p.m.crew.Worker(other).Due() {
				break
			}
		}
		if k == all {
			return
		}
		p.worker.Seek(higher)
		if !p.worker.Check(p) || p.urgent {
			return
		}
		time.Sleep(moment)
	}
}

// A PE with goals of a low priority looks at so many others, and waits for so many moments between two slices: those with goals of a higher
// one do nearly all the work, and yet none waits for ever.
const (
	watched  = 64
	patience = 20
	moment   = 20 * time.Microsecond
)

// yield cuts the rest of a slice down to the goal in hand where goals of a higher priority wait.
func (p *pe) yield(left int) int {
	if !p.urgent || left <= 1 {
		return left
	}
	p.budget -= left - 1
	return 1
}

// priority returns the level of a goal with a pragma, whose value is in a register.
func (p *pe) priority(reg uint16, lower bool) uint64 {
	w := term.Word(p.deref(p.arena, p.x[reg]))
	if w.Tag() != term.Int {
		return p.level
	}
	return uint64(builtin.PriorityOf(int64(p.level), w.Value(), lower))
}

func (c *platform) Priority() int64 {
	if !c.m.Priorities {
		return builtin.TopPriority
	}
	return int64(c.level)
}
