package wasm

import "fmt"

// within leaves on the stack whether some iterations are left, and all subscripts are within bounds in all of them.
func (g *generator) within(h *hoisted) {
	c := g.counters[h.do]
	span := g.local(i64)
	g.get(c.left)
	g.long(1)
	g.op(i64Sub)
	g.get(c.step)
	g.op(i64Mul)
	g.set(span)
	at, n := g.local(i64), g.local(i64)
	g.get(c.left)
	g.long(leastHoisted)
	g.op(i64GeS)
	for _, r := range h.order {
		a := g.arrays[r.array]
		g.get(a.n[r.dim])
		g.op(i64ExtendUnsigned)
		g.set(n)
		g.value(r.low)
		g.op(i64Extend)
		g.get(a.lo[r.dim])
		g.op(i64Extend, i64Sub)
		g.set(at)
		g.reaches(at, n, r.top-r.from)
		if r.factor != 0 {
			g.get(span)
			g.long(r.factor)
			g.op(i64Mul)
			g.get(at)
			g.op(i64Add)
			g.set(at)
			g.reaches(at, n, r.top-r.from)
			g.op(i32And)
		}
		g.op(i32And)
	}
}

// reaches leaves on the stack whether the numbers from the value of a local to this value plus more are from 0 to below n.
func (g *generator) reaches(at, n int, more int64) {
	if more == 0 {
		g.get(at)
		g.get(n)
		g.op(i64LtU)
		return
	}
	g.get(at)
	g.long(0)
	g.op(i64GeS)
	g.get(at)
	g.long(more)
	g.op(i64Add)
	g.get(n)
	g.op(i64LtS, i32And)
}

// aim sets the pointers to the elements of the next iteration, and their strides.
func (g *generator) aim(h *hoisted) {
	c := g.counters[h.do]
	strides := map[string]int{} // of pointers into the same array that move alike
	for _, p := range h.pointers {
		e := p.first
		a := g.arrays[e.Sym]
		bytes := func(d int) {
			if d == 0 {
				g.int(int64(sizeOf(e.T)))
			} else {
				g.get(a.steps[d])
			}
		}
		g.get(a.base)
		for d, sub := range e.Subs {
			g.value(sub.Index)
			g.get(a.lo[d])
			g.op(i32Sub)
			bytes(d)
			g.op(i32Mul, i32Add)
		}
		p.local = g.local(i32)
		g.set(p.local)
		if p.constant {
			continue
		}
		like := fmt.Sprintf("%p %d", e.Sym, p.factors)
		if l, ok := strides[like]; ok {
			p.stride = l
			continue
		}
		moves := false
		for d, k := range p.factors {
			if k == 0 {
				continue
			}
			bytes(d)
			g.int(k)
			g.op(i32Mul)
			if moves {
				g.op(i32Add)
			}
			moves = true
		}
		if moves {
			g.get(c.step)
			g.op(i32Wrap, i32Mul)
			p.stride = g.local(i32)
			g.set(p.stride)
		}
		strides[like] = p.stride
	}
}

// parked generates a loop that uses few of the locals, so that the engine has registers for them: the others are saved in the frame before it and loaded again
// wherever the loop is left.
func (g *generator) parked(h *hoisted, out label, loop func(gone label)) {
	exit := g.exit
	g.block(func(away label) {
		g.block(func(gone label) {
			g.park(h)
			g.exit, g.hoisted = away, h
			loop(gone)
			g.exit, g.hoisted = exit, nil
		})
		g.unpark(h)
		g.branch(out)
	})
	g.unpark(h)
	g.branch(exit)
}

func (g *generator) park(h *hoisted) {
	for v, word := range g.variables() {
		if !h.uses[v] {
			g.saveScalar(v, word)
		}
	}
	for _, d := range g.counted {
		if d != h.do {
			g.saveCounter(d)
		}
	}
}

// unpark loads the locals that the loop does not use.
func (g *generator) unpark(h *hoisted) {
	for v, word := range g.variables() {
		if !h.uses[v] {
			g.loadScalar(v, word)
		}
	}
	for _, d := range g.counted {
		if d != h.do {
			g.loadCounter(d)
		}
	}
	for k, a := range g.Arrays {
		if !h.uses[a] {
			g.loadArray(k, a)
		}
	}
	g.loadGlobalArrays(h.uses)
}

// groups generates the iterations of a loop that can be executed some at a time, because the limit is not near.
func (g *generator) groups(h *hoisted, out label) {
	if h.nodes > mostNodes {
		return
	}
	left := g.counters[h.do].left
	some := func() {
		g.get(left)
		g.long(groupLength)
		g.op(i64GeS)
		g.get(g.room)
		g.long(groupLength * h.cost)
		g.op(i64GeS, i32And)
	}
	some()
	g.when(func() {
		g.loop(func(more label) {
			g.touch(h, groupLength)
			g.enough = true
			for h.turn = range groupLength {
				g.iteration(h.do, out)
				for _, p := range h.pointers {
					if !p.constant {
						g.advance(p, 1)
					}
				}
			}
			g.enough, h.turn = false, 0
			for _, p := range h.pointers {
				if p.constant {
					g.advance(p, groupLength)
				}
			}
			g.add(left, i64, -groupLength)
			some()
			g.branchIf(more)
		})
		g.get(left)
		g.op(i64Eqz)
		g.branchIf(out)
	})
}

// touch reads the last byte that some iterations may access by each pointer, so that their other accesses are known to be within the memory.
func (g *generator) touch(h *hoisted, iterations int) {
	for _, p := range h.pointers {
		n := iterations
		if !p.constant {
			n = 1
		}
		if len(p.offsets) > 1 || n > 1 {
			g.get(p.local)
			g.memory(i32Load8, p.last(n))
			g.op(opDrop)
		}
	}
}

// advance moves a pointer by some iterations.
func (g *generator) advance(p *movingPointer, iterations int) {
	switch {
	case p.constant && p.bytes > 0:
		g.add(p.local, i32, int64(iterations*p.bytes))
	case p.stride > 0:
		g.get(p.local)
		g.get(p.stride)
		g.op(i32Add)
		g.set(p.local)
	}
}
