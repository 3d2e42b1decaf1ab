package engine

import (
	"whorl/fghc/semispace"
	"whorl/fghc/term"
)

// A collector copies all reachable terms to the other half of the arena.
type collector struct {
	semispace.Copier[term.Word]
	e *Engine
}

// collect frees everything that neither a ready goal nor a message nor a variable of the query reaches. A waiting goal
// is reached through the variables that it waits for. A waiting goal that is not reached can never be woken: it is
// lost, reported and freed, unless keep is set.
func (e *Engine) collect(keep bool) {
	e.collections++
	c := &collector{e: e}
	c.Copier = semispace.New(e.heap.m, e.spare, e.prog.Symbols, c.waiters)
	for i := range e.heap.consts {
		e.heap.consts[i] = c.Move(e.heap.consts[i])
	}
	for i := range e.inputs {
		e.inputs[i].v = c.Move(e.inputs[i].v)
	}
	for i := range e.suppliers {
		s := &e.suppliers[i]
		s.tail, s.v = c.Move(s.tail), c.Move(s.v)
	}
	for i := range e.mail {
		if m := &e.mail[i]; m.used {
			m.cell, m.term, m.value = c.cell(m.cell), c.Move(m.term), c.Move(m.value)
		}
	}
	for i := range e.goals {
		if e.goals[i].state == ready {
			c.goal(uint32(i))
		}
	}
	c.Scan()
	lost := c.lost()
	for i := range e.answer {
		e.answer[i] = c.Move(e.answer[i])
	}
	c.Scan()
	e.heap.m, e.spare = c.To, c.From[:0]
	e.full = max(minHeap, 2*len(c.To))
	e.keepNames(c.From)
	if len(lost) > 0 && !keep {
		e.report(lost)
	}
}

// goal copies the arguments of a goal.
func (c *collector) goal(i uint32) {
	g := &c.e.goals[i]
	g.reached = c.e.collections
	n := c.e.prog.Procs[g.proc].Arity
	to := len(c.To)
	c.To = append(c.To, c.From[g.args:g.args+n]...)
	g.args = to
}

// lost returns the waiting goals that were not reached, and copies them too.
func (c *collector) lost() (lost []uint32) {
	for i := range c.e.goals {
		if g := &c.e.goals[i]; g.state == waiting && g.reached != c.e.collections {
			lost = append(lost, uint32(i))
		}
	}
	for _, i := range lost {
		if c.e.goals[i].reached != c.e.collections { // a lost goal may reach a later one
			c.goal(i)
		}
	}
	c.Scan()
	return lost
}

// cell returns the new index of an import's cell that is to be filled, 0 if it has been bound meanwhile. Unlike Move it
// does not dereference the cell.
func (c *collector) cell(i int) int {
	if i == 0 {
		return 0
	}
	if v := c.From[i]; !semispace.Forwarded(v) && (v.Tag() != term.Var || v&imported == 0) {
		return 0
	}
	return c.Move(term.MakeRef(i)).Index()
}

// waiters copies the hooks or the import record in the content of a variable's cell, and returns the new content.
func (c *collector) waiters(content term.Word) term.Word {
	if content&imported == 0 {
		return term.Word(c.hooks(content.Index()))<<term.TagBits | term.Var
	}
	rec, to := content.Index(), len(c.To)
	c.To = append(c.To, c.From[rec:rec+importWords]...)
	first := c.hooks(int(c.To[to].Value()))
	c.To[to] = term.MakeInt(int64(first))
	return imported | term.Word(to)<<term.TagBits | term.Var
}

// hooks copies a chain of hooks, without the void ones, and the waiting goals. It returns the first hook.
func (c *collector) hooks(hook int) (first int) {
	last := 0
	for hook != 0 {
		next := int(c.From[hook+1].Value())
		n, filled := 2, 0
		i, _ := c.e.hooked(hook)
		live := i != remoteHook && !c.e.void(hook)
		if i == remoteHook {
			n, filled = 3, c.cell(int(c.From[hook+2].Value()))
			live = filled != 0
		} else if live && c.e.goals[i].reached != c.e.collections {
			c.goal(i)
		}
		if live {
			to := len(c.To)
			c.To = append(c.To, c.From[hook:hook+n]...)
			c.To[to+1] = term.MakeInt(0)
			if n == 3 {
				c.To[to+2] = term.MakeInt(int64(filled))
			}
			if last == 0 {
				first = to
			} else {
				c.To[last+1] = term.MakeInt(int64(to))
			}
			last = to
		}
		hook = next
	}
	return first
}
