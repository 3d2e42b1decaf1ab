package engine

import (
	"cmp"
	"errors"
	"slices"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
	"whorl/sim"
)

// An awaited input has a variable, made on a PE, that has no value until there is more of it.
type awaited struct {
	in *builtin.Input
	v  term.Word
	pe int32
}

// arrival is the work of a PE whose input has come, the first of those that are awaited. It is no goal.
const arrival = sim.Work(1) << 63

// Await notes that a goal waits for input. Nobody listens before nothing else can be done, so that the same input gives the same run.
func (c *platform) Await(in *builtin.Input) bool {
	v := c.NewVar()
	c.inputs = append(c.inputs, awaited{in, v, c.pe})
	c.Block(v)
	return false
}

// listen waits for the first of the inputs, if there is one, and of timers for that which goes off first. In virtual time nothing passes
// meanwhile.
func (e *Engine) listen(m *sim.Machine) bool {
	if len(e.inputs) == 0 {
		return false
	}
	slices.SortStableFunc(e.inputs, func(a, b awaited) int { return cmp.Compare(a.in.Due, b.in.Due) })
	a := e.inputs[0]
	if e.opts.World.Wait(a.in) {
		m.Boot(int(a.pe), arrival, 0)
	} else {
		e.err = errors.New("interrupted")
	}
	return true
}

// arrived has the goal go on that waited for the first of the inputs. Nobody but itself has resumed it.
func (e *Engine) arrived(p *sim.PE, _ sim.Work) {
	e.pe, e.work = p.ID(), 0
	a := e.inputs[0]
	e.inputs = e.inputs[1:]
	e.bind(a.v, term.Nil)
	for _, i := range e.woken {
		e.wake(p, e.goals[i].id)
	}
}
