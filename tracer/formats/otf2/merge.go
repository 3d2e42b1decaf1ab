package otf2

import (
	"errors"
	"io/fs"

	"whorl/internal/heap"
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
	heap.Make(r.heap, before)
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
				r.heap = heap.RemoveFirst(r.heap, before)
				break
			}
			if l.time >= until { // the other one comes first at the same time too: it may have waited longer
				heap.Down(r.heap, 0, before)
				break
			}
		}
	}
}

func before(a, b **location) bool {
	x, y := *a, *b
	return x.time < y.time || x.time == y.time && x.pe < y.pe
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
