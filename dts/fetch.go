package dts

import (
	"whorl/dts/journal"
	"whorl/sim"
)

// next returns the next entry for a PE, false when the run is over.
func (e *queued) next(w *Worker) (entry, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := &e.pes[w.pe]
	w.self.Tries = 0
	for !e.over {
		if n := len(q.entries); n > 0 {
			k := 0
			if e.traits.LIFO {
				k = n - 1
			}
			x := q.entries[k]
			if e.traits.LIFO {
				q.entries[k] = entry{}
				q.entries = q.entries[:k]
			} else {
				q.entries = q.entries[1:]
			}
			if x.t != nil {
				x.t.taken = true
				x.late = e.stopping && x.t != e.root
			}
			return x, true
		}
		if !e.stopping && e.fetch(w, q) {
			continue
		}
		e.sleep(w, q)
	}
	return entry{}, false
}

// drop records the end of a thread, which may never have started.
func (e *queued) drop(t *thread) {
	if w := t.waiter.Swap(&hasEnded); w != nil {
		e.rouse(w)
	}
	if e.alive--; e.alive == 0 {
		e.finished()
	}
}

// fetch looks for work as the policy says. It reports whether the PE should look at its queue again.
func (e *queued) fetch(w *Worker, q *queue) bool {
	ask := e.policy.Idle(e.view, &w.self)
	switch {
	case ask.From == sim.Central && len(e.middle) > 0:
		x := e.middle[0]
		e.middle = e.middle[1:]
		q.entries = append(q.entries, x)
		if x.t != nil && x.t.from != w.log.PE {
			w.moved(x.t, x.t.from, journal.Place)
		}
		return true
	case ask.From == sim.Central || ask.From == sim.Later:
		q.later = true
		return false
	case ask.From < 0:
		return false
	}
	w.self.Tries++
	if int(w.self.Tries) > 2*e.PEs+32 {
		q.later = true
		return false
	}
	got := e.stealFrom(w, q, &e.pes[ask.From], int32(ask.From), ask.Share)
	return got || e.offered(int(w.pe)) >= 0
}

// stealFrom moves a share of the unstarted threads from another queue, the oldest ones.
func (e *queued) stealFrom(w *Worker, q, from *queue, pe int32, share sim.Share) bool {
	n := 0
	for _, x := range from.entries {
		if x.t != nil {
			n++
		}
	}
	n = share.Count(n)
	got := n > 0
	kept := from.entries[:0]
	for _, x := range from.entries {
		if x.t != nil && n > 0 {
			n--
			q.entries = append(q.entries, x)
			e.steals.Add(1)
			w.moved(x.t, pe+int32(e.FirstPE), journal.Steal)
			continue
		}
		kept = append(kept, x)
	}
	clear(from.entries[len(kept):])
	from.entries = kept
	return got
}
