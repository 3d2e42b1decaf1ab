package engine

import "whorl/fghc/term"

// A collection copies all reachable terms to the other half of the arena (C. J. Cheney, "A Nonrecursive List Compacting
// Algorithm", 1970). Objects are copied whole; a variable's cell that is reached before its object moves out of it.
// During a collection, a Raw word without term.HeaderFlag in the old half is a forwarding address, of a whole object if
// wholeFlag is set.
const wholeFlag = term.Word(1) << 63

// A copier is the state of a collection.
type copier struct {
	e        *Engine
	from, to []term.Word
	scanned  int
}

func forwarded(w term.Word) bool { return w.Tag() == term.Raw && w&term.HeaderFlag == 0 }

// collect frees everything that neither a ready goal nor a message nor a variable of the query reaches. A waiting goal
// is reached through the variables that it waits for. A waiting goal that is not reached can never be woken: it is
// lost, reported and freed, unless keep is set.
func (e *Engine) collect(keep bool) {
	e.collections++
	c := copier{e: e, from: e.heap.m, to: e.spare[:0], scanned: 1}
	c.to = append(c.to, term.Nil)
	for i := range e.heap.consts {
		e.heap.consts[i] = c.move(e.heap.consts[i])
	}
	for i := range e.inputs {
		e.inputs[i].v = c.move(e.inputs[i].v)
	}
	for i := range e.mail {
		if m := &e.mail[i]; m.used {
			m.cell, m.term, m.value = c.cell(m.cell), c.move(m.term), c.move(m.value)
		}
	}
	for i := range e.goals {
		if e.goals[i].state == ready {
			c.goal(uint32(i))
		}
	}
	c.scan()
	lost := c.lost()
	for i := range e.answer {
		e.answer[i] = c.move(e.answer[i])
	}
	c.scan()
	e.heap.m, e.spare = c.to, c.from[:0]
	e.full = max(minHeap, 2*len(c.to))
	e.keepNames(c.from)
	if len(lost) > 0 && !keep {
		e.report(lost)
	}
}

// goal copies the arguments of a goal.
func (c *copier) goal(i uint32) {
	g := &c.e.goals[i]
	g.reached = c.e.collections
	n := c.e.prog.Procs[g.proc].Arity
	to := len(c.to)
	c.to = append(c.to, c.from[g.args:g.args+n]...)
	g.args = to
}

// lost returns the waiting goals that were not reached, and copies them too.
func (c *copier) lost() (lost []uint32) {
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
	c.scan()
	return lost
}

// move returns w, with the object that it refers to in the new half.
func (c *copier) move(w term.Word) term.Word {
	for w.Tag() == term.Ref {
		i := w.Index()
		v := c.from[i]
		switch {
		case forwarded(v):
			return term.MakeRef(v.Index())
		case v.Tag() == term.Var:
			to := len(c.to)
			c.to = append(c.to, v)
			c.from[i] = term.Word(to)<<term.TagBits | term.Raw
			return term.MakeRef(to)
		}
		w = v // skip a reference to a bound variable
	}
	n := 0
	switch w.Tag() {
	case term.List:
		n = 2
	case term.Str, term.Box:
		if forwarded(c.from[w.Index()]) {
			break
		}
		if w.Tag() == term.Str {
			n = 1 + c.e.prog.Symbols.Lookup(int(c.from[w.Index()].Value())).Arity
		} else {
			n = 1 + c.from[w.Index()].BoxWords()
		}
	default:
		return w
	}
	i := w.Index()
	if v := c.from[i]; forwarded(v) && v&wholeFlag != 0 {
		return term.Word(v.Index())<<term.TagBits | w.Tag()
	}
	to := len(c.to)
	c.to = append(c.to, c.from[i:i+n]...)
	if w.Tag() != term.Box {
		for k := range n {
			if c.from[i+k].Tag() == term.Var {
				c.from[i+k] = term.Word(to+k)<<term.TagBits | term.Raw
			}
		}
	}
	c.from[i] = wholeFlag | term.Word(to)<<term.TagBits | term.Raw
	return term.Word(to)<<term.TagBits | w.Tag()
}

// cell returns the new index of an import's cell that is to be filled, 0 if it has been bound meanwhile. Unlike move it
// does not dereference the cell.
func (c *copier) cell(i int) int {
	if i == 0 {
		return 0
	}
	if v := c.from[i]; !forwarded(v) && (v.Tag() != term.Var || v&imported == 0) {
		return 0
	}
	return c.move(term.MakeRef(i)).Index()
}

// scan moves the objects that the new words refer to, until no new word is left.
func (c *copier) scan() {
	s := c.scanned
	for ; s < len(c.to); s++ {
		switch w := c.to[s]; w.Tag() {
		case term.Ref, term.List, term.Str, term.Box:
			v := c.move(w)
			c.to[s] = v
		case term.Raw:
			if forwarded(w) { // the cell has moved before its object
				c.to[s] = term.MakeRef(w.Index())
			} else if !term.Scanned(w.BoxKind()) {
				s += w.BoxWords()
			}
		case term.Var:
			rec := w.Index()
			if w&imported != 0 {
				to := len(c.to)
				c.to = append(c.to, c.from[rec:rec+importWords]...)
				c.to[s] = imported | term.Word(to)<<term.TagBits | term.Var
				first := c.hooks(int(c.to[to].Value()))
				c.to[to] = term.MakeInt(int64(first))
			} else if rec != 0 {
				first := c.hooks(rec)
				c.to[s] = term.Word(first)<<term.TagBits | term.Var
			}
		}
	}
	c.scanned = s
}

// hooks copies a chain of hooks, without the void ones, and the waiting goals. It returns the first hook.
func (c *copier) hooks(hook int) (first int) {
	last := 0
	for hook != 0 {
		next := int(c.from[hook+1].Value())
		n, filled := 2, 0
		i, _ := c.e.hooked(hook)
		live := i != remoteHook && !c.e.void(hook)
		if i == remoteHook {
			n, filled = 3, c.cell(int(c.from[hook+2].Value()))
			live = filled != 0
		} else if live && c.e.goals[i].reached != c.e.collections {
			c.goal(i)
		}
		if live {
			to := len(c.to)
			c.to = append(c.to, c.from[hook:hook+n]...)
			c.to[to+1] = term.MakeInt(0)
			if n == 3 {
				c.to[to+2] = term.MakeInt(int64(filled))
			}
			if last == 0 {
				first = to
			} else {
				c.to[last+1] = term.MakeInt(int64(to))
			}
			last = to
		}
		hook = next
	}
	return first
}
