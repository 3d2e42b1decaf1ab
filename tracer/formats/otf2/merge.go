package otf2

import (
	"errors"
	"io/fs"
)

// merge applies the events of all locations in the order of their times.
func (r *reader) merge() {
	for _, l := range r.locations {
		err := l.begin()
		switch {
		case err == nil && l.next():
			r.heap = append(r.heap, l)
			continue
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			r.w.Dropped.Once("location " + l.name(r) + ": " + err.Error())
		case err != nil && l.place.events > 0:
			r.w.Dropped.Add("locations without a file of events", 1)
		}
		r.over(l)
	}
	for i := len(r.heap)/2 - 1; i >= 0; i-- {
		r.down(i)
	}
	for len(r.heap) > 0 {
		l := r.heap[0]
		until := int64(farthest)
		for _, i := range [2]int{1, 2} {
			if i < len(r.heap) {
				until = min(until, r.heap[i].time)
			}
		}
		for {
			r.apply(l)
			if !l.next() {
				r.over(l)
				last := len(r.heap) - 1
				r.heap[0] = r.heap[last]
				r.heap = r.heap[:last]
				break
			}
			if l.time >= until { // the other one comes first at the same time too: it may have waited longer
				break
			}
		}
		r.down(0)
	}
}

// down restores the order of the heap after a change of entry i.
func (r *reader) down(i int) {
	h := r.heap
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && before(h[c+1], h[c]) {
			c++
		}
		if !before(h[c], h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func before(a, b *location) bool {
	return a.time < b.time || a.time == b.time && a.pe < b.pe
}

// over ends a location: its last event has been applied.
func (r *reader) over(l *location) {
	r.w.Dropped.Add("chunks of events with a damaged end", l.damaged)
	if l.err != nil {
		r.w.Dropped.Add("files of events without an end", 1)
	}
	r.end(l)
	l.close()
}
