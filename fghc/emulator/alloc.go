package emulator

import (
	"math"

	"whorl/tracer"
)

// An allocator is a PE's part of the arena and of the table of goals.
//
// Most variables are bound by the PE that made them before any other PE knows them. Their cells are private: all words
// of the part from index private on. A private cell is bound by a plain store; any other takes a compare-and-swap,
// which waits for all earlier stores. A cell that is not private never refers to a private one: all private cells are
// published, by moving private to the top of the part, before a shared variable is bound, before a goal waits for a
// shared variable or goes to another PE, and before a store into a vector or merger. A goal in the PE's own queue is
// invisible to others.
type allocator struct {
	arena, goals []uint64 // the machine's

	h, lim      uint64 // words: the next free one and the end
	private     uint64 // the first private word
	span        uint64 // number of words that may be private
	free        uint64 // unused records: the first one of a list, 0 for none
	fresh, last uint64 // records: the next one that was never used and the end
	solo        bool   // there is no other PE

	nursery
}

// IsPrivate reports whether the cell at index i is private, so that it may be bound by a plain store.
func (a *allocator) IsPrivate(i uint64) bool { return i-a.private < a.span }

// publish ends the privacy of all cells made so far.
func (a *allocator) publish() {
	a.sleepers, a.survivors = a.sleepers[:0], 0
	if a.solo {
		a.private, a.span = 0, math.MaxUint64
		return
	}
	a.private, a.span = a.h, a.lim-a.h
}

// reveal publishes the private cells before other PEs can reach them. Other PEs may then wake the goals that wait for
// them.
func (p *pe) reveal() {
	p.publish()
	if p.rec.Waits() && !p.solo {
		p.rec.Tick()
	}
}

// newRecord returns an unused record.
func (a *allocator) newRecord() uint64 {
	g := a.free
	if g != 0 {
		a.free = a.goals[g+recordField]
		return g
	}
	g = a.fresh
	a.fresh += recordSize
	return g
}

// fetch returns the content of cell i: for an unbound variable a reference to it.
func (a *allocator) fetch(i uint64) uint64 {
	w := Load(a.arena, i)
	if w&tagMask == tagVar {
		return i << tagBits
	}
	return w
}

// extend ensures that the part has the given numbers of free words and records. If it lacks them it takes a new part of
// m's arena or table, which is the larger the more of the arena is free. It reports whether there were enough.
func (a *allocator) extend(m *Machine, words, records uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	share := uint64(4 * len(m.pes))
	if a.solo {
		share = 1
	}
	a.arena, a.goals = m.arena, m.goals
	if a.lim-a.h < words {
		left := uint64(len(m.arena)) - m.top
		if left < words {
			return false
		}
		n := min(left, max(words, min(uint64(len(m.arena))/share, largePart), 4*words))
		if a.lim == m.top { // the new part is adjacent to the old one
			a.lim += n
			if !a.solo {
				a.span += n
			}
		} else {
			a.h, a.lim = m.top, m.top+n
			a.publish()
		}
		m.top += n
	}
	if a.last-a.fresh < records {
		left := uint64(len(m.goals)) - m.records
		if left < records {
			return false
		}
		n := min(left, max(records, uint64(len(m.goals))/share/recordSize*recordSize, 4*records))
		a.fresh, a.last = m.records, m.records+n
		m.records += n
	}
	return true
}

// ensureSpace ensures space for one reduction, and for p.want words and p.wantGoals goals more, by collecting the PE's
// own words, by extending the part, by a larger table of goals, or by a collection of all. It returns false when the
// run is over.
func (p *pe) ensureSpace() bool {
	words, records := uint64(p.tryWords+slack+p.want), uint64(p.tryRecords+p.wantGoals*recordSize)
	p.want, p.wantGoals = 0, 0
	if !p.overdue() {
		if 3*(p.h-p.private) > p.lim-p.private {
			p.tidy()
		}
		if p.lim-p.h >= words && p.last-p.fresh >= records || p.extend(p.m, words, records) {
			return true
		}
	}
	p.rec.Doing(tracer.Overhead, p.m.codes.GC)
	p.rec.FreeCore()
	p.worker.Alone(func() {
		if p.m.crew.Ended() { // the current goals of PEs that have ended are not roots
			return
		}
		if !p.overdue() && p.extend(p.m, words, records) { // another PE has collected meanwhile
			return
		}
		if p.overdue() || p.lim-p.h < words || !p.m.growGoals(records) {
			p.m.collect(words, records, false)
		}
		p.extend(p.m, words, records)
	})
	p.worker.Stopped() // it was recorded as garbage collection
	p.resumeWork()
	return !p.m.crew.Ended()
}

// resumeWork records the end of a collection.
func (p *pe) resumeWork() {
	p.rec.Tick()
	p.rec.Doing(tracer.Busy, 0)
}

// affordable returns the number of tries that the part has space for, at least one.
func (p *pe) affordable() int {
	return max(1, min((int(p.lim-p.h)-slack)/p.tryWords, int(p.last-p.fresh)/p.tryRecords))
}

// trim cuts the rest of the budget down to the available space, after a call has taken words that the budget did not
// account for.
func (p *pe) trim(left int) int {
	n := left + p.rest
	switch {
	case p.want+p.wantGoals > 0:
		n = min(n, 1)
	case n*p.tryWords+slack > int(p.lim-p.h) || n*p.tryRecords > int(p.last-p.fresh): // avoids a division in most cases
		n = min(n, p.affordable())
	}
	p.budget -= left + p.rest - n
	left = min(left, n)
	p.rest = n - left
	return left
}
