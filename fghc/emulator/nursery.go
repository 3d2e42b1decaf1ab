package emulator

import (
	"whorl/fghc/semispace"
	"whorl/tracer"
)

// A PE of several collects its private words alone, while the others run: no word outside refers to them, except the
// PE's own goals, registers and offers. What survives is moved to the beginning of the private words and stays private
// until it is published. New words therefore mostly lie where old ones were, in the processor's cache, and few words are
// left for the collection of all. The older a word is the longer it will probably live (H. Lieberman and C. Hewitt, "A
// Real-Time Garbage Collector Based on the Lifetimes of Objects", 1983).
//
// A goal that waits for private variables only is kept, even if nothing else refers to them: lost goals are found by
// the collection of all.

// A nursery holds the facts about a PE's private words.
type nursery struct {
	sleepers  []uint64 // goals that wait for private variables only, some of them perhaps no longer
	scratch   []uint64 // memory for the survivors
	survivors uint64   // words that the last collection has left, if they are still private
	collected uint64   // private words that have been collected since the last collection of all
	tidied    int64    // collections
}

const (
	largePart = 1 << 16 // words of a part of the arena: the second-level cache has space for them
	fewWords  = 1 << 12 // private words that are not worth a collection
	oldArenas = 8       // arenas of private words that are collected before a collection of all
)

// overdue reports whether the next collection has to be one of all, which finds the lost goals and frees the data that has been
// published.
func (p *pe) overdue() bool {
	if p.m.opts.Collect {
		return p.solo || p.tidied%4 == 0
	}
	return p.collected > oldArenas*uint64(len(p.arena))
}

// tidy collects the private words at a safe point if that is worth it. It publishes the survivors if more than half of
// the words survive. Survivors may take up to twice the space, because unbound cells may move before their lists
// (package semispace): there must be space for them.
func (p *pe) tidy() {
	n := p.h - p.private
	worth := p.m.opts.Collect || n >= max(fewWords, 2*p.survivors, uint64(recordSize*p.Len()))
	if p.solo || !worth || 2*n > p.lim-p.private {
		return
	}
	p.rec.Doing(tracer.Overhead, p.m.codes.GC)
	p.tidied++
	p.collected += n
	p.collectPrivate()
	if p.survivors = p.h - p.private; 2*p.survivors > n {
		p.publish()
	}
	p.resumeWork()
}

// collectPrivate moves the private words that are in use to the beginning of all private words.
func (p *pe) collectPrivate() {
	c := &collector{m: p.m, wakes: func(uint64) {}}
	c.Copier = semispace.Within(p.arena[p.private:p.h], int(p.private), p.scratch, p.Symbols, c.waiters)
	for i := range p.roots {
		p.x[i] = c.Move(p.x[i])
	}
	p.each(c.arguments)
	for i := range p.offers {
		p.offers[i].v, p.offers[i].w = c.Move(p.offers[i].v), c.Move(p.offers[i].w)
	}
	for _, parcel := range p.outbox {
		c.arguments(uint64(parcel.Work))
	}
	p.sleepers = p.asleep(p.sleepers)
	for _, g := range p.sleepers {
		c.arguments(g)
	}
	c.Scan()
	p.h = p.private + uint64(copy(p.arena[p.private:], c.To))
	p.scratch = c.To
}

// asleep removes the records of goals that no longer wait from a list, and those that are in it twice.
func (p *pe) asleep(goals []uint64) []uint64 {
	kept := goals[:0]
	for _, g := range goals {
		if state := &p.goals[g+stateField]; *state&(waiting|reached) == waiting {
			*state |= reached
			kept = append(kept, g)
		}
	}
	for _, g := range kept {
		p.goals[g+stateField] &^= reached
	}
	return kept
}
