package engine

import (
	"cmp"
	"errors"
	"slices"

	"whorl/fghc/term"
	"whorl/fghc/world"
	"whorl/sim"
)

// An awaited input binds a variable of a PE when more of it has arrived.
type awaited struct {
	in *world.Input
	v  term.Word
	pe int32
}

// A supplier is a goal that waits until other goals wait for the variable tail.
type supplier struct {
	tail, v term.Word
	pe      int32
}

// AwaitDemand makes a goal wait until others wait for a variable and no goal is ready.
func (c *platform) AwaitDemand(tail term.Word) {
	v := c.NewVar()
	c.suppliers = append(c.suppliers, supplier{tail, v, c.pe})
	c.Block(v)
}

// summon wakes the first supplier for whose variable goals wait.
func (e *Engine) summon(m *sim.Machine) bool {
	for i, s := range e.suppliers {
		if w := e.heap.deref(s.tail); w.Tag() == term.Ref && e.heap.m[w.Index()] != term.Var {
			e.suppliers = slices.Delete(e.suppliers, i, i+1)
			e.inputs = slices.Insert(e.inputs, 0, awaited{v: s.v, pe: s.pe})
			m.Boot(int(s.pe), arrival, 0)
			return true
		}
	}
	return false
}

// arrival is the work that says that the first awaited input has arrived. It is not a goal.
const arrival = sim.Work(1) << 63

// Await makes a goal wait for input. The engine reads input only when no goal is ready, so that the same input gives
// the same run.
func (c *platform) Await(in *world.Input) bool {
	v := c.NewVar()
	c.inputs = append(c.inputs, awaited{in, v, c.pe})
	c.Block(v)
	return false
}

// listen waits for an awaited input. Timers follow the other inputs and go off one after the other. It takes no virtual time.
func (e *Engine) listen(m *sim.Machine) bool {
	if len(e.inputs) == 0 {
		return false
	}
	slices.SortStableFunc(e.inputs, func(a, b awaited) int { return cmp.Compare(a.in.Due, b.in.Due) })
	var wanted []*world.Input
	for _, a := range e.inputs {
		if len(wanted) == 0 || a.in.Due == 0 {
			wanted = append(wanted, a.in)
		}
	}
	i, ok := e.opts.World.Wait(wanted)
	if !ok {
		e.err = errors.New("interrupted")
		return true
	}
	a := e.inputs[i]
	e.inputs = slices.Insert(slices.Delete(e.inputs, i, i+1), 0, a)
	m.Boot(int(a.pe), arrival, 0)
	return true
}

// arrived wakes the goal that waited for the first input. The goal counts as woken by itself.
func (e *Engine) arrived(p *sim.PE, _ sim.Work) {
	e.pe, e.work = p.ID(), 0
	a := e.inputs[0]
	e.inputs = e.inputs[1:]
	e.bind(a.v, term.Nil)
	for _, i := range e.woken {
		e.wake(p, e.goals[i].id)
	}
}
