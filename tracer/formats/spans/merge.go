package spans

import (
	"container/heap"
	"math"
)

// open is a trace whose actions have begun.
type open struct {
	actions
	next int
	rank int // of the trace by its beginning
}

// time returns the time of the next action.
func (o *open) time() int64 { return o.byTime[o.next].time }

// opened orders open traces by their next actions.
type opened []open

func (h opened) Len() int { return len(h) }

func (h opened) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	if x, y := a.time(), b.time(); x != y {
		return x < y
	}
	return a.rank < b.rank
}
func (h opened) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *opened) Push(x any)   { *h = append(*h, x.(open)) }
func (h *opened) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// each calls f with the actions of all traces by time, or only with forks, starts and ends.
func (r *Recording) each(brief bool, f func(a *action)) {
	g := &generator{r: r, brief: brief}
	var now opened
	var spare []actions
	for rank := 0; rank < len(r.sorted) || len(now) > 0; {
		if rank < len(r.sorted) && (len(now) == 0 || r.begins[r.sorted[rank]] <= now[0].time()) {
			var old actions
			if n := len(spare); n > 0 {
				old, spare = spare[n-1], spare[:n-1]
			}
			heap.Push(&now, open{actions: g.trace(r.sorted[rank], old), rank: rank})
			rank++
			continue
		}
		least := &now[0]
		until := int64(math.MaxInt64) // it has all actions up to here
		if rank < len(r.sorted) {
			until = r.begins[r.sorted[rank]] - 1
		}
		for i := 1; i < min(len(now), 3); i++ {
			until = min(until, now[i].time()-1)
		}
		until = max(until, least.time())
		for least.next < len(least.byTime) && least.time() <= until {
			f(&least.all[least.byTime[least.next].n])
			least.next++
		}
		if least.next == len(least.byTime) {
			spare = append(spare, least.actions)
			heap.Pop(&now)
		} else {
			heap.Fix(&now, 0)
		}
	}
}
