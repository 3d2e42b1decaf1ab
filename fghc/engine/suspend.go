package engine

import "whorl/fghc/term"

// A goal is one that has not ended.
type goal struct {
	id, parent uint64 // of the trace
	priority   int64
	args       int // index of its arguments in the arena
	proc       int32
	site       int32  // where it was written
	turn       uint32 // counts its suspensions: a hook of an earlier one is void
	home       int32  // PE on whose side its arguments are
	from       int32  // PE of the parent's reduction, -1 for a goal of the query
	state      state
	rests      bool   // it waits for what may never come
	needs      uint16 // of the variables that it waits for, so many have to be looked at again before it is ready
	reached    int64  // the last collection that has found it
}

type state uint8

const (
	free state = iota
	ready
	waiting
)

// newGoal returns the handle of a new goal.
func (e *Engine) newGoal() uint32 {
	e.live++
	if n := len(e.freeGoals); n > 0 {
		i := e.freeGoals[n-1]
		e.freeGoals = e.freeGoals[:n-1]
		e.goals[i].turn++
		return i
	}
	e.goals = append(e.goals, goal{})
	return uint32(len(e.goals) - 1)
}

func (e *Engine) endGoal(i uint32) {
	e.goals[i].state = free
	e.live--
	e.freeGoals = append(e.freeGoals, i)
}

// suspend hooks a goal to every variable that blocked it. Cells of other PEs are asked for.
func (e *Engine) suspend(i uint32) {
	g := &e.goals[i]
	g.state = waiting
	g.turn++
	if g.rests = e.rests; g.rests {
		e.resting++
	}
	e.rests = false
	g.needs = 1
	if e.prog.Procs[g.proc].Builtin { // which needs all of them
		g.needs = uint16(min(len(e.blocked), 1<<16-1))
	}
	for _, v := range e.blocked {
		e.work += e.costs.Hook
		e.hook(v, i, g.turn)
	}
	e.waiting++
	if e.opts.Observe != nil {
		e.blockers[i] = append(e.blockers[i][:0], e.blocked...)
	}
}

// hook adds a goal to those that wait for the variable v. Void hooks at the front of the chain go, so that a goal that waits often for two
// variables of which one is never bound leaves nothing behind.
func (e *Engine) hook(v term.Word, i, turn uint32) {
	k := e.heap.alloc(2)
	m := e.heap.m
	cell := v.Index()
	w := m[cell]
	first := w.Index()
	if w&imported != 0 {
		first = int(m[w.Index()].Value())
	}
	for first != 0 && e.void(first) {
		first = int(m[first+1].Value())
	}
	m[k] = hookOf(i, turn)
	m[k+1] = term.MakeInt(int64(first))
	if w&imported == 0 {
		m[cell] = term.Word(k)<<term.TagBits | term.Var
		return
	}
	m[w.Index()] = term.MakeInt(int64(k))
	e.ask(v)
}

// hookOf packs a goal and its turn into a word. A goal's number has 30 bits; 30 bits of the turn tell an old hook from a new one.
func hookOf(i, turn uint32) term.Word {
	return term.MakeInt(int64(i)<<30 | int64(turn&(1<<30-1)))
}

func (e *Engine) hooked(at int) (i, turn uint32) {
	v := e.heap.m[at].Value()
	return uint32(v >> 30), uint32(v & (1<<30 - 1))
}

// void says whether the hook at index at is of a goal that no longer waits because of it.
func (e *Engine) void(at int) bool {
	i, turn := e.hooked(at)
	if i == remoteHook {
		return false
	}
	g := &e.goals[i]
	return g.state != waiting || g.turn&(1<<30-1) != turn
}

// wakeHooks makes the goals of a chain of hooks ready, the one that has waited longest first, and answers the PEs in it.
func (e *Engine) wakeHooks(at int) {
	mark := len(e.woken)
	for at != 0 {
		next := int(e.heap.m[at+1].Value())
		i, _ := e.hooked(at)
		switch {
		case i == remoteHook:
			e.replies = append(e.replies, int(e.heap.m[at+2].Value()))
		case !e.void(at):
			g := &e.goals[i]
			if g.needs > 1 {
				g.needs--
				break
			}
			if g.rests {
				g.rests = false
				e.resting--
			}
			g.state = ready
			e.waiting--
			e.work += e.costs.Resume
			e.woken = append(e.woken, i)
		}
		at = next
	}
	for i, j := mark, len(e.woken)-1; i < j; i, j = i+1, j-1 {
		e.woken[i], e.woken[j] = e.woken[j], e.woken[i]
	}
}
