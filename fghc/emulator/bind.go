package emulator

import (
	"sync/atomic"

	"whorl/fghc/term"
)

// An unbound variable is a cell with the tag Var. Its payload is the index of the first hook of a chain, 0 for none. A hook is two words,
// the goal that waits and the next hook, as integers. A goal that waits for several variables has a word of its own that holds it, which its
// hooks name instead: whoever takes the goal out of that word makes it ready. A builtin needs them all, and its word counts those that are
// to come before the last.
const (
	hookBits = tagBits + 1
	goalHook = 1 << tagBits // the hook names a goal
	oneMore  = 1 << 56      // in a word: there is one more to come
	taken    = tagInt
)

// unifyAt makes two terms equal by binding variables. It returns false where that cannot be done, and notes why.
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
		a, b = p.deref(p.arena, a), p.deref(p.arena, b)
		if a == b {
			continue
		}
		if a&tagMask != tagRef {
			a, b = b, a
		}
		if a&tagMask == tagRef {
			if b&tagMask == tagRef && b > a { // references lead to lower cells, so that no circle can close
				a, b = b, a
			}
			if !p.bind(a, b) {
				goto again
			}
			continue
		}
		switch p.like(a, b) {
		case different:
			p.stack = stack[:0]
			return false
		case inside:
			if !seen.Visited(term.Word(a), term.Word(b)) {
				stack = p.components(stack, a, b)
			}
		}
	}
	p.stack = stack
	return true
}

// bind gives the variable v the value w and wakes who waits for it. It returns false if somebody else has been faster.
func (p *pe) bind(v, w uint64) bool {
	i := v >> tagBits
	cell := &p.arena[i]
	old := atomic.LoadUint64(cell)
	if old&tagMask != tagVar {
		return false
	}
	if p.mine(i) {
		*cell = w
	} else {
		if points(w) && p.mine(w>>tagBits) {
			p.publish()
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

// wake makes the goals of a chain of hooks ready. The one that has waited longest stands last in the chain, and goes first on its PE.
func (p *pe) wake(hook uint64) {
	for hook != 0 {
		entry := p.arena[hook]
		hook = p.arena[hook+1] >> tagBits
		if entry&goalHook == 0 { // it waits for several
			if entry = p.come(entry >> hookBits); entry == taken {
				continue
			}
		}
		p.ready(entry >> hookBits)
	}
}

// come says to the word of a goal that one of its variables has a value, and returns the goal's entry if that is to be made ready now.
func (p *pe) come(word uint64) (entry uint64) {
	cell := &p.arena[word]
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

// lacks keeps a builtin of the body in hand that nothing blocks but want of space. At the safe point that comes next it goes before the other
// goals: what goes on in place would otherwise run ahead of it, perhaps without end.
func (p *pe) lacks(g uint64) {
	p.resumptions++
	p.goals[g+stateField] &^= waiting | resting
	if p.stream != nil {
		p.resumed(g, p.me)
	}
	p.lacking = append(p.lacking, g)
}

// resume makes the goals that have lacked space the next ones.
func (p *pe) resume() {
	for n := len(p.lacking); n > 0; n-- {
		p.push(p.lacking[n-1])
	}
	p.lacking = p.lacking[:0]
}

// ready puts a goal that waited where it goes on: here, or, where work has its place, on the PE where it waited.
func (p *pe) ready(g uint64) {
	p.resumptions++
	p.goals[g+stateField] &^= waiting | resting
	id := p.goals[g+idField]
	home := int(id >> idBits & homeMask)
	if p.keeps && id&pinned == 0 {
		home = p.me
	}
	if p.stream != nil {
		p.resumed(g, home)
	}
	if home != p.me {
		p.send(home, g)
		return
	}
	p.push(g)
}

// fewBlocked is for how many variables a goal may wait without that there is looked for more space.
const fewBlocked = 8

// suspend has the goal in the registers wait for what has blocked it, and returns what is left of the budget. Not ok is that nothing has: the
// goal fails.
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
	g := p.save()
	p.goals[g+stateField] |= p.waits()
	if p.stream != nil {
		p.suspended()
	}
	p.hook(g)
	if n > fewBlocked {
		left = p.trim(left)
	}
	return left, true
}

// unbound says that all that has blocked still does.
func (p *pe) unbound() bool {
	for _, v := range p.blocked {
		if load(p.arena, v>>tagBits)&tagMask != tagVar {
			return false
		}
	}
	return true
}

// waits is the state of a goal that begins to wait.
func (p *pe) waits() uint64 {
	if !p.rests {
		return waiting
	}
	p.rests = false
	return waiting | resting
}

// retry puts the goal in the registers back, to be tried once there are the words that it wants.
func (p *pe) retry() {
	p.dones++ // this try is no reduction
	p.rests = false
	p.blocked = p.blocked[:0]
	p.push(p.save())
}

// hook makes a goal wait for what has blocked it. Of what has a value by now it does not wait, but is ready at once.
func (p *pe) hook(g uint64) {
	entry, shared, all := g<<hookBits|goalHook|tagInt, uint64(0), false
	if n := uint64(len(p.blocked)); n > 1 {
		shared = p.h
		p.arena[shared] = entry
		if all = p.Procs[procOf(p.goals[g+recordField])].Builtin; all {
			p.arena[shared] += (n - 1) * oneMore
		}
		p.h++
		entry = shared<<hookBits | tagInt
	}
	for _, v := range p.blocked {
		if !p.mine(v >> tagBits) { // who binds it will have the goal
			p.publish()
			break
		}
	}
	free := len(p.blocked) == 0
	for _, v := range p.blocked {
		at := p.h
		p.h += 2
		p.arena[at] = entry
		i := v >> tagBits
		cell := &p.arena[i]
		for !free {
			old := atomic.LoadUint64(cell)
			if old&tagMask != tagVar {
				free = !all || p.come(shared) != taken
				break
			}
			p.arena[at+1] = p.live(old>>tagBits)<<tagBits | tagInt
			if p.mine(i) {
				*cell = at<<tagBits | tagVar
				break
			}
			if atomic.CompareAndSwapUint64(cell, old, at<<tagBits|tagVar) {
				break
			}
		}
	}
	p.blocked = p.blocked[:0]
	if free && (shared == 0 || all || atomic.SwapUint64(&p.arena[shared], taken) != taken) {
		p.ready(g)
	}
}

// live skips the hooks at the front of a chain whose goals do not wait for it any more, so that a goal that often waits for two variables
// of which one is never bound leaves nothing behind.
func (p *pe) live(hook uint64) uint64 {
	for hook != 0 {
		if entry := p.arena[hook]; entry&goalHook != 0 || atomic.LoadUint64(&p.arena[entry>>hookBits]) != taken {
			break
		}
		hook = p.arena[hook+1] >> tagBits
	}
	return hook
}
