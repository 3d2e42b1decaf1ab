package engine

import (
	"math"
	"slices"

	"whorl/fghc/term"
	"whorl/sim"
	"whorl/tracer"
)

// A goal is a goal that has not ended, or an unused entry of the table.
type goal struct {
	id, parent uint64 // of the trace
	priority   int64
	args       int // index in the arena
	proc       int32
	site       int32
	turn       uint32 // number of suspensions; a hook of an earlier suspension is void
	home       int32  // PE that its arguments belong to
	from       int32  // PE of the parent's reduction, -1 for a goal of the query
	state      state
	pinned     bool   // the program names its PE
	rests      bool   // its endless wait is no deadlock
	needs      uint16 // number of variables still to be bound before it is ready
	reached    int64  // number of the last collection that reached it
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

// suspend makes a goal wait for every variable that blocks it. It fetches imports.
func (e *Engine) suspend(i uint32) {
	g := &e.goals[i]
	g.state = waiting
	g.turn++
	if g.rests = e.rests; g.rests {
		e.resting++
	}
	e.rests = false
	g.needs = 1
	if e.prog.Procs[g.proc].Builtin { // a builtin needs all of them
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

// hook makes a goal wait for the variable v. It removes the void hooks at the front of the chain, which bounds the
// chain: a goal that repeatedly waits for two variables adds a hook to both each time, even if one is never bound.
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

// hookOf packs the number of a goal and its turn, 30 bits each, into a word.
func hookOf(i, turn uint32) term.Word {
	return term.MakeInt(int64(i)<<30 | int64(turn&(1<<30-1)))
}

// hooked returns the goal and turn of a hook.
func (e *Engine) hooked(hook int) (i, turn uint32) {
	v := e.heap.m[hook].Value()
	return uint32(v >> 30), uint32(v & (1<<30 - 1))
}

// void reports whether the goal of a hook no longer waits because of it.
func (e *Engine) void(hook int) bool {
	i, turn := e.hooked(hook)
	if i == remoteHook {
		return false
	}
	g := &e.goals[i]
	return g.state != waiting || g.turn&(1<<30-1) != turn
}

// wakeHooks wakes the goals of a chain of hooks, the one that has waited longest first, and queues answers to the PEs
// in the chain.
func (e *Engine) wakeHooks(hook int) {
	mark := len(e.woken)
	for hook != 0 {
		next := int(e.heap.m[hook+1].Value())
		i, _ := e.hooked(hook)
		switch {
		case i == remoteHook:
			e.replies = append(e.replies, int(e.heap.m[hook+2].Value()))
		case !e.void(hook):
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
		hook = next
	}
	slices.Reverse(e.woken[mark:])
}

// itself stands for the goal that is woken.
const itself = math.MaxUint64

// wake makes the goals that the step has woken ready, each on the PE where it waited, or on this one if the policy and
// the program let it. binder is the goal that woke them, or itself if each has got the value that it had asked for.
func (e *Engine) wake(p *sim.PE, binder uint64) {
	for _, i := range e.woken {
		g := &e.goals[i]
		by := binder
		if by == itself {
			by = g.id
		}
		e.resumptions++
		home := g.home
		if e.order.Binder && e.shared && !g.pinned {
			home = e.pe
		}
		e.event(p, tracer.Resume, g.id, by, home, g.proc, 0)
		e.observe(p, tracer.Resume, i, by)
		p.Wake(sim.Work(i)+1, g.id, home)
	}
	e.woken = e.woken[:0]
}
