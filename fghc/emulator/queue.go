package emulator

import (
	"cmp"
	"slices"
)

// A ring is a queue of goals in a circular buffer whose length is a power of two.
type ring struct {
	deque       []uint64
	top, bottom uint64
	mask        uint64
}

func newRing(n int) ring { return ring{deque: make([]uint64, n), mask: uint64(n - 1)} }

func (r *ring) size() int { return int(r.top - r.bottom) }

// add puts a goal on top and keeps space for more goals.
func (r *ring) add(g uint64, more int) {
	r.reserve(more + 1)
	r.deque[r.top&r.mask] = g
	r.top++
}

// reserve makes space for n more goals.
func (r *ring) reserve(n int) {
	for r.size()+n > len(r.deque) {
		grown := newRing(2 * len(r.deque))
		for i := r.bottom; i != r.top; i++ {
			grown.deque[i&grown.mask] = r.deque[i&r.mask]
		}
		r.deque, r.mask = grown.deque, grown.mask
	}
}

// A band holds the goals of one priority.
type band struct {
	level uint64
	ring
}

// A queue holds the goals of a PE that are ready. In a program with priorities the ring holds the goals of one level
// and bands those of all others, highest level first, no band empty. A body pushes goals of its own level, except those
// with a pragma.
type queue struct {
	ring
	lifo   bool   // the newest goal goes first
	level  uint64 // of the goals in the ring and of the current goal
	bands  []band
	banded int  // goals in bands
	urgent bool // a band has a higher level than the ring
	idle   ring // a ring for the next new band
	pushes int  // goals that the ring has space for until the next safe point
}

const firstRing = 1 << 6

// Len returns the number of goals.
func (q *queue) Len() int { return q.size() + q.banded }

// put adds a goal of a level.
func (q *queue) put(g, level uint64) {
	if level == q.level {
		q.add(g, q.pushes)
		return
	}
	i, found := q.find(level)
	if !found {
		if q.idle.deque == nil {
			q.idle = newRing(firstRing)
		}
		q.bands = slices.Insert(q.bands, i, band{level, q.idle})
		q.idle = ring{}
	}
	q.bands[i].add(g, 0)
	q.banded++
	q.urgent = q.urgent || level > q.level
}

// find returns the index of the band of a level, or the index where to insert it.
func (q *queue) find(level uint64) (i int, found bool) {
	return slices.BinarySearchFunc(q.bands, level, func(b band, level uint64) int { return cmp.Compare(level, b.level) })
}

// rise makes the ring that of the highest level with goals.
func (q *queue) rise() {
	q.urgent = false
	if len(q.bands) == 0 || q.bands[0].level < q.level && q.top != q.bottom {
		return
	}
	b := q.bands[0]
	q.bands = slices.Delete(q.bands, 0, 1)
	q.banded -= b.size()
	here := band{q.level, q.ring}
	q.level, q.ring = b.level, b.ring
	if n := here.size(); n > 0 {
		i, _ := q.find(here.level)
		q.bands = slices.Insert(q.bands, i, here)
		q.banded += n
	} else {
		q.idle = here.ring
	}
}

// next removes the goal of the ring that goes next; there is one.
func (q *queue) next() (g uint64) {
	if !q.lifo {
		return q.oldest()
	}
	q.top--
	return q.deque[q.top&q.mask]
}

func (q *queue) oldest() (g uint64) {
	g = q.deque[q.bottom&q.mask]
	q.bottom++
	return g
}

// each calls f for all goals, in the order of their runs.
func (q *queue) each(f func(g uint64)) {
	all := append(slices.Clone(q.bands), band{q.level, q.ring})
	slices.SortStableFunc(all, func(a, b band) int { return cmp.Compare(b.level, a.level) })
	for _, b := range all {
		for k := range uint64(b.size()) {
			i := b.bottom + k
			if q.lifo {
				i = b.top - 1 - k
			}
			f(b.deque[i&b.mask])
		}
	}
}
