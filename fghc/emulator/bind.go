package emulator

import (
	"sync/atomic"

	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/recording"
	"whorl/fghc/term"
)

// An unbound variable is a cell with the tag Var. Its payload is the index of the first hook of a chain, 0 for none. A
// hook is two words: the waiting goal and the next hook, as integers. A goal that waits for several variables is held
// by a word of its own in the arena, and its hooks refer to that word. The PE that takes the goal out of the word makes
// it ready. A waiter needs all of its variables: its word also counts the variables to be bound before the last one.
const (
	hookBits = tagBits + 1
	goalHook = 1 << tagBits // the hook names a goal
	oneMore  = 1 << 56      // in a goal's word: one more variable to be bound
	taken    = tagInt       // a goal's word after the goal has been taken
)

// unifyAt unifies two terms. It returns false and notes the failure if they differ.
func (p *pe) unifyAt(a, b, site uint64) bool {
	if p.unify(a, b) {
		return true
	}
	p.failure = unification{a, b, site}
	return false
}

// A unification is one that has failed.
type unification struct{ a, b, site uint64 }

func (p *pe) unify(a, b uint64) bool {
	var seen term.Pairs
	stack := append(p.stack[:0], a, b)
	for len(stack) > 0 {
		n := len(stack)
		a, b = stack[n-2], stack[n-1]
		stack = stack[:n-2]
	again:
		a, b = Deref(p.arena, a), Deref(p.arena, b)
		if a == b {
			continue
		}
		if a&tagMask != tagRef {
			a, b = b, a
		}
		if a&tagMask == tagRef {
			if b&tagMask == tagRef && b > a { // references lead to lower cells, so that no cycle arises
				a, b = b, a
			}
			if !p.bind(a, b) {
				goto again
			}
			continue
		}
		switch p.like(a, b) {
		case builtin.Different:
			p.stack = stack[:0]
			return false
		case builtin.Inside:
			if !seen.Visited(term.Word(a), term.Word(b)) {
				stack = p.components(stack, a, b)
			}
		}
	}
	p.stack = stack
	return true
}

// refers reports whether a word refers to other words of the arena.
func refers(w uint64) bool {
	switch w & tagMask {
	case tagRef, tagList, tagStr, tagBox:
		return true
	}
	return false
}

// bind binds the variable v to w and wakes the goals that wait for it. It returns false if another PE has bound v
// meanwhile.
func (p *pe) bind(v, w uint64) bool {
	i := v >> tagBits
	cell := &p.arena[i]
	old := atomic.LoadUint64(cell)
	if old&tagMask != tagVar {
		return false
	}
	if p.IsPrivate(i) {
		*cell = w
	} else {
		if refers(w) && p.IsPrivate(w>>tagBits) {
			p.reveal()
		}
		if !atomic.CompareAndSwapUint64(cell, old, w) {
			return false
		}
	}
	if old != tagVar {
		p.wake(old >> tagBits)
	}
	return true
}

// wake makes the goals of a chain of hooks ready. The goal that has waited longest is last in the chain and runs first
// on its PE.
func (p *pe) wake(hook uint64) {
	for hook != 0 {
		entry := p.arena[hook]
		hook = p.arena[hook+1] >> tagBits
		if entry&goalHook == 0 { // it waits for several variables
			if entry = p.countDown(entry >> hookBits); entry == taken {
				continue
			}
		}
		p.ready(entry >> hookBits)
	}
}

// countDown records in the word of a goal that one of its variables is bound. It returns the goal's entry if the goal
// is ready now, otherwise taken.
func (a *allocator) countDown(word uint64) (entry uint64) {
	cell := &a.arena[word]
	for {
		entry = atomic.LoadUint64(cell)
		if entry == taken {
			return taken
		}
		left, ready := taken, entry
		if entry >= oneMore {
			left, ready = entry-oneMore, taken
		}
		if atomic.CompareAndSwapUint64(cell, entry, left) {
			return ready
		}
	}
}

// ready puts a goal that waited into a queue: of this PE, or of the PE where it waited if the policy or the program
// places work.
func (p *pe) ready(g uint64) {
	p.awake(g)
	id := p.goals[g+idField]
	home := int(id >> recording.IDBits & homeMask)
	if p.keeps && id&pinned == 0 {
		home = p.me
	}
	if p.rec.On() {
		p.resumed(g, home)
	}
	if home != p.me {
		p.send(home, g)
		return
	}
	p.push(g)
}

// resumed records that goal g, which waited, is ready on PE home. A goal that waited for input has resumed itself.
func (p *pe) resumed(g uint64, home int) {
	id := &p.goals[g+idField]
	waker := p.rec.Self
	if p.arriving {
		waker = *id
	}
	if int(*id>>recording.IDBits&homeMask) != p.me {
		p.rec.Tick()
	}
	*id = *id&^(homeMask<<recording.IDBits) | p.above
	p.rec.Resumed(*id, waker, p.goals[g+recordField], home)
}

func (p *pe) awake(g uint64) {
	p.resumptions++
	p.goals[g+stateField] &^= waiting | resting
}

// fewBlocked is the number of variables that a goal may wait for without a check for space.
const fewBlocked = 8

// suspend makes the goal in the registers wait for the variables that block it, and returns the rest of the budget. If
// there are none the goal fails, and ok is false.
func (p *pe) suspend(left int) (budget int, ok bool) {
	if len(p.offers) > 0 {
		if !p.deliver() {
			return left, false
		}
		if !p.unbound() {
			p.retry()
			return left, true
		}
	}
	n := len(p.blocked)
	switch {
	case n == 0 && p.want+p.wantGoals == 0:
		return left, false
	case p.want+p.wantGoals > 0 || n > fewBlocked && uint64(3*n+p.tryWords+slack) > p.lim-p.h:
		p.want = max(p.want, 3*n)
		p.retry()
		return p.trim(left), true
	}
	p.suspensions++
	if p.rec.On() {
		p.rec.Suspended(p.record)
	}
	g := p.save()
	p.goals[g+stateField] |= p.waitState()
	p.hook(g)
	if n > fewBlocked {
		left = p.trim(left)
	}
	return left, true
}

// unbound reports whether all blockers are still unbound.
func (p *pe) unbound() bool {
	for _, v := range p.blocked {
		if Load(p.arena, v>>tagBits)&tagMask != tagVar {
			return false
		}
	}
	return true
}

// waitState returns the state of a goal that begins to wait.
func (p *pe) waitState() uint64 {
	if !p.rests {
		return waiting
	}
	p.rests = false
	return waiting | resting
}

// retry returns the goal in the registers to the queue, to be tried again when the space that it wants is there.
func (p *pe) retry() {
	p.dones++ // this try is no reduction
	p.rests = false
	p.blocked = p.blocked[:0]
	p.push(p.save())
}

// hook makes a goal wait for its blockers. The goal is ready at once if one of them has been bound meanwhile; a waiter,
// if all of them have.
func (p *pe) hook(g uint64) {
	entry, shared, all := g<<hookBits|goalHook|tagInt, uint64(0), false
	if n := uint64(len(p.blocked)); n > 1 {
		shared = p.h
		p.arena[shared] = entry
		if all = p.Procs[bytecode.ProcOf(p.goals[g+recordField])].Builtin; all {
			p.arena[shared] += (n - 1) * oneMore
		}
		p.h++
		entry = shared<<hookBits | tagInt
	}
	hook, own := p.h, true
	p.h += uint64(2 * len(p.blocked))
	for _, v := range p.blocked {
		own = own && p.IsPrivate(v>>tagBits)
	}
	if !own {
		p.reveal() // the PE that binds the variable will read the goal and the hook
	}
	free := len(p.blocked) == 0
	for _, v := range p.blocked {
		p.arena[hook] = entry
		i := v >> tagBits
		cell := &p.arena[i]
		for !free {
			old := atomic.LoadUint64(cell)
			if old&tagMask != tagVar {
				free = !all || p.countDown(shared) != taken
				break
			}
			p.arena[hook+1] = p.firstLive(old>>tagBits)<<tagBits | tagInt
			if p.IsPrivate(i) {
				*cell = hook<<tagBits | tagVar
				break
			}
			if atomic.CompareAndSwapUint64(cell, old, hook<<tagBits|tagVar) {
				break
			}
		}
		hook += 2
	}
	p.blocked = p.blocked[:0]
	switch {
	case free && (shared == 0 || all || atomic.SwapUint64(&p.arena[shared], taken) != taken):
		p.ready(g)
	case own:
		p.sleepers = append(p.sleepers, g)
	}
}

// firstLive returns the first hook of a chain whose goal still waits. Dropping the hooks before it bounds the chain: a
// goal that repeatedly waits for two variables adds a hook to both each time, even if one of them is never bound.
func (a *allocator) firstLive(hook uint64) uint64 {
	for hook != 0 {
		if entry := a.arena[hook]; entry&goalHook != 0 || atomic.LoadUint64(&a.arena[entry>>hookBits]) != taken {
			break
		}
		hook = a.arena[hook+1] >> tagBits
	}
	return hook
}
