package emulator

import (
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// A PE with goals of a low priority looks for goals of a higher one on up to watched other PEs, and waits for up to
// patience moments between two slices. Goals of a high priority therefore get nearly all the time, and no goal waits
// forever.
const (
	bandedPoll = 32 // reductions between two safe points in a program with priorities
	watched    = 64
	patience   = 20
	moment     = 20 * time.Microsecond
)

// yieldToHigher waits a while if other PEs have goals of a higher level than this one, and asks for some of them. It runs
// before a safe point with no goal in the registers: in a program with priorities no goal continues in place.
func (p *pe) yieldToHigher() {
	levels := p.m.levels
	if levels == nil {
		return
	}
	if p.banded > 0 {
		p.rise()
	}
	mine := p.level
	if p.size() == 0 {
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

// yield cuts the rest of a slice down to the current goal if goals of a higher level are ready.
func (p *pe) yield(left int) int {
	if !p.urgent || left <= 1 {
		return left
	}
	p.budget -= left - 1
	return 1
}

// pragma returns the level of a goal whose priority pragma has its value in a register.
func (p *pe) pragma(reg uint16, lower bool) uint64 {
	w := term.Word(Deref(p.arena, p.x[reg]))
	if w.Tag() != term.Int {
		return p.level
	}
	return uint64(builtin.PriorityOf(int64(p.level), w.Value(), lower))
}
