package engine

import "whorl/fghc/term"

// A collection copies what can still be reached to the other half of the arena (Cheney 1970). Objects are copied whole; the cell of a
// variable may be reached before the object it lies in, and then moves out of it. While it runs, a Raw word without term.HeaderFlag in the old half
// is a forwarding address, of a whole object if wholeFlag is set.
const wholeFlag = term.Word(1) << 63

// A copier is a collection under way.
type copier struct {
	e        *Engine
	from, to []term.Word
	scanned  int
}

func forwarded(w term.Word) bool { return w.Tag() == term.Raw && w&term.HeaderFlag == 0 }

// collect frees what no goal that may yet go on, no message and no variable of the query reaches. A goal that waits is reached by the
// variables that it waits for, so that in the end those not reached are the ones that nobody can ever wake. They are reported and go, too,
// unless they are to be kept.
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
	lost := c.lose()
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
	at := len(c.to)
	c.to = append(c.to, c.from[g.args:g.args+n]...)
	g.args = at
}

// lose finds the goals that wait and that nobody can wake, and has them copied, too.
func (c *copier) lose() (lost []uint32) {
	for i := range c.e.goals {
		if g := &c.e.goals[i]; g.state == waiting && g.reached != c.e.collections {
			lost = append(lost, uint32(i))
		}
	}
	for _, i := range lost {
		if c.e.goals[i].reached != c.e.collections { // not of one that was lost before it in this list
			c.goal(i)
		}
	}
	c.scan()
	return lost
}

// move returns w with the object it points at in the new half.
func (c *copier) move(w term.Word) term.Word {
	for w.Tag() == term.Ref {
		i := w.Index()
		v := c.from[i]
		switch {
		case forwarded(v):
			return term.MakeRef(v.Index())
		case v.Tag() == term.Var:
			at := len(c.to)
			c.to = append(c.to, v)
			c.from[i] = term.Word(at)<<term.TagBits | term.Raw
			return term.MakeRef(at)
		}
		w = v // a reference to something bound is that
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
	at := len(c.to)
	c.to = append(c.to, c.from[i:i+n]...)
	if w.Tag() != term.Box {
		for k := range n {
			if c.from[i+k].Tag() == term.Var {
				c.from[i+k] = term.Word(at+k)<<term.TagBits | term.Raw
			}
		}
	}
	c.from[i] = wholeFlag | term.Word(at)<<term.TagBits | term.Raw
	return term.Word(at)<<term.TagBits | w.Tag()
}

// cell returns where the cell of an import is now, for one who will fill it, or 0 if it has been bound meanwhile. Unlike move it
// never looks through the cell.
func (c *copier) cell(i int) int {
	if i == 0 {
		return 0
	}
	if v := c.from[i]; !forwarded(v) && (v.Tag() != term.Var || v&imported == 0) {
		return 0
	}
	return c.move(term.MakeRef(i)).Index()
}

// scan moves what the new words point at, those that it adds included.
func (c *copier) scan() {
	s := c.scanned
	for ; s < len(c.to); s++ {
		switch w := c.to[s]; w.Tag() {
		case term.Ref, term.List, term.Str, term.Box:
			v := c.move(w)
			c.to[s] = v
		case term.Raw:
			if forwarded(w) { // the cell had moved before the object that it lay in
				c.to[s] = term.MakeRef(w.Index())
			} else if !term.Scanned(w.BoxKind()) {
				s += w.BoxWords()
			}
		case term.Var:
			rec := w.Index()
			if w&imported != 0 {
				at := len(c.to)
				c.to = append(c.to, c.from[rec:rec+importWords]...)
				c.to[s] = imported | term.Word(at)<<term.TagBits | term.Var
				first := c.hooks(int(c.to[at].Value()))
				c.to[at] = term.MakeInt(int64(first))
			} else if rec != 0 {
				first := c.hooks(rec)
				c.to[s] = term.Word(first)<<term.TagBits | term.Var
			}
		}
	}
	c.scanned = s
}

// hooks copies a chain of hooks, less the void ones, and the goals that wait, and returns its first.
func (c *copier) hooks(at int) (first int) {
	last := 0
	for at != 0 {
		next := int(c.from[at+1].Value())
		n, filled := 2, 0
		i, _ := c.e.hooked(at)
		live := i != remoteHook && !c.e.void(at)
		if i == remoteHook {
			n, filled = 3, c.cell(int(c.from[at+2].Value()))
			live = filled != 0
		} else if live && c.e.goals[i].reached != c.e.collections {
			c.goal(i)
		}
		if live {
			to := len(c.to)
			c.to = append(c.to, c.from[at:at+n]...)
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
		at = next
	}
	return first
}
