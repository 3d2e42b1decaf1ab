package charge

import (
	"cmp"
	"slices"

	"whorl/internal/heap"
	"whorl/tracer"
)

// pageLength is the number of events of a page, few enough to stay in a cache.
const pageLength = 1 << 12

// A page holds events in the order of times and processors.
type page struct {
	events []tracer.Event
	next   int // the first unwritten event
	number int // orders events with equal times and processors by the age of their pages
}

func order(a, b *tracer.Event) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.PE, b.PE))
}

// before reports whether the next event of p comes before that of q.
func (p *page) before(q *page) bool {
	c := order(&p.events[p.next], &q.events[q.next])
	return c < 0 || c == 0 && p.number < q.number
}

// seal makes a page of the held events.
func (r *recording) seal() {
	if len(r.held) == 0 {
		return
	}
	r.sort()
	r.pages = append(r.pages, page{events: r.held, number: r.sealed})
	r.sealed++
	r.waiting += len(r.held)
	r.held = make([]tracer.Event, 0, pageLength)
	if n := len(r.spare); n > 0 {
		r.held, r.spare = r.spare[n-1], r.spare[:n-1]
	}
}

// flush writes the events before a time in ns.
func (r *recording) flush(before int64) {
	r.seal()
	heap.Make(r.pages, (*page).before)
	for len(r.pages) > 0 {
		p := &r.pages[0]
		if p.events[p.next].Time >= before {
			break
		}
		for p.next < len(p.events) && p.events[p.next].Time < before && r.first() {
			*r.stream.Slot() = p.events[p.next]
			p.next++
			r.waiting--
		}
		if p.next == len(p.events) {
			r.spare = append(r.spare, p.events[:0])
			r.pages = heap.RemoveFirst(r.pages, (*page).before)
		} else {
			heap.Down(r.pages, 0, (*page).before)
		}
	}
	r.spare = r.spare[:min(len(r.spare), 16)]
	r.left = r.waiting
	r.stream.Sync()
}

// first reports whether the page at the top of the heap has the next event.
func (r *recording) first() bool {
	for i := 1; i <= 2 && i < len(r.pages); i++ {
		if r.pages[i].before(&r.pages[0]) {
			return false
		}
	}
	return true
}

// sort sorts the held events and keeps the order of equal ones. It merges ascending runs. There are few, because each
// processor runs for a while.
func (r *recording) sort() {
	starts := []int{0}
	for i := 1; i < len(r.held); i++ {
		if order(&r.held[i-1], &r.held[i]) > 0 {
			starts = append(starts, i)
		}
	}
	if len(starts) == 1 {
		return
	}
	r.other = slices.Grow(r.other[:0], len(r.held))[:len(r.held)]
	for len(starts) > 1 {
		var merged []int
		for k := 0; k < len(starts); k += 2 {
			lo, mid, hi := starts[k], len(r.held), len(r.held)
			if k+1 < len(starts) {
				mid = starts[k+1]
			}
			if k+2 < len(starts) {
				hi = starts[k+2]
			}
			merged = append(merged, lo)
			i, j := lo, mid
			for at := lo; at < hi; at++ {
				if j == hi || i < mid && order(&r.held[i], &r.held[j]) <= 0 {
					r.other[at] = r.held[i]
					i++
				} else {
					r.other[at] = r.held[j]
					j++
				}
			}
		}
		starts = merged
		r.held, r.other = r.other, r.held
	}
}
