package emulator

import "whorl/tracer"

// room sees to it that the PE has space for a reduction at least, and for p.want words more, by a new part of the arena or the table, or by
// a collection.
func (p *pe) room() bool {
	words, records := uint64(p.tryWords+slack+p.want), uint64(p.tryRecords+p.wantGoals*recordSize)
	p.want, p.wantGoals = 0, 0
	if !p.m.opts.Collect && (p.lim-p.h >= words && p.last-p.fresh >= records || p.part(words, records)) {
		return true
	}
	p.doing(tracer.Overhead, p.m.codes.gc)
	p.worker.Alone(func() {
		if p.m.crew.Ended() { // what a PE has had in hand when it ended nobody holds any more
			return
		}
		if p.m.opts.Collect || !p.part(words, records) { // somebody else may have collected meanwhile
			p.m.collect(words, records, false)
			p.part(words, records)
		}
	})
	if p.stream != nil {
		p.tick()
		p.doing(tracer.Busy, 0)
	}
	return !p.m.crew.Ended()
}

// fit returns how many tries there is space for, at least one.
func (p *pe) fit() int {
	return max(1, min((int(p.lim-p.h)-slack)/p.tryWords, int(p.last-p.fresh)/p.tryRecords))
}

// trim cuts the rest of the budget down to what there is space for, after something has taken words that nobody reckoned with.
func (p *pe) trim(left int) int {
	n := left + p.rest
	switch {
	case p.want+p.wantGoals > 0:
		n = min(n, 1)
	case n*p.tryWords+slack > int(p.lim-p.h) || n*p.tryRecords > int(p.last-p.fresh): // no division, mostly
		n = min(n, p.fit())
	}
	p.budget -= left + p.rest - n
	left = min(left, n)
	p.rest = n - left
	return left
}

// part sees to it that the PE has so many words of the arena and of the table, by a new part where it is needed, and says whether there were
// enough. Parts are large where there is much.
func (p *pe) part(words, records uint64) bool {
	m := p.m
	m.mu.Lock()
	defer m.mu.Unlock()
	share := uint64(4 * len(m.pes))
	if m.solo {
		share = 1
	}
	p.arena, p.goals = m.arena, m.goals
	if p.lim-p.h < words {
		left := uint64(len(m.arena)) - m.top
		if left < words {
			return false
		}
		n := min(left, max(words, uint64(len(m.arena))/share, 4*words))
		if p.lim == m.top { // it goes on where the last one ends
			p.lim += n
			if !m.solo {
				p.span += n
			}
		} else {
			p.h, p.lim = m.top, m.top+n
			p.publish()
		}
		m.top += n
	}
	if p.last-p.fresh < records {
		left := uint64(len(m.goals)) - m.records
		if left < records {
			return false
		}
		n := min(left, max(records, uint64(len(m.goals))/share/recordSize*recordSize, 4*records))
		p.fresh, p.last = m.records, m.records+n
		m.records += n
	}
	return true
}
