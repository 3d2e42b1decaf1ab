package wasm

import "whorl/hpfsim/lower"

// do generates a loop.
func (g *generator) do(d *lower.Do) {
	point := g.points[d].first
	_, last := g.pointsOf(d.Body...)
	inner := last > 0 && !g.straight // the code may go on at a point within an iteration
	if d != g.Do || g.unit != nil {  // the caller begins that of the region
		g.fresh(func() {
			g.charge(&d.Stat)
			if d.Var != nil {
				g.begin(d)
			}
			g.flush()
		})
	}
	g.forget()
	g.block(func(out label) {
		g.arrive(point)
		c := g.counters[d]
		if c != nil {
			g.get(c.left)
			g.long(0)
			g.op(i64LeS)
			g.branchIf(out)
		}
		var h *hoisted
		if c != nil && last == 0 {
			h = g.hoist(d)
		}
		if h == nil {
			g.turns(d, out, inner)
			return
		}
		g.within(h)
		g.op(i32Eqz)
		before := len(g.Segments)
		g.choose(func() { g.turns(d, out, inner) }, func() {
			for _, segment := range g.Segments[before:] {
				for _, x := range segment.Stretches {
					h.cost += g.cost(x.First, x.Last)
				}
			}
			g.aim(h)
			g.aside(func() { g.parked(h, out, func(gone label) { g.turns(d, gone, inner) }) })
		})
	})
	g.forget()
}

// turns generates the iterations of a loop.
func (g *generator) turns(d *lower.Do, out label, inner bool) {
	point, c, h := g.points[d].first, g.counters[d], g.hoisted
	g.forget()
	g.loop(func(again label) {
		g.get(g.room)
		g.long(0)
		g.op(i64LtS)
		if inner {
			g.get(g.point)
			g.op(i32Eqz, i32And)
		}
		g.when(func() { g.leave(point) })
		if d.Cond != nil {
			g.whether(d, out, inner)
		}
		if h != nil {
			g.groups(h, out)
			g.touch(h, 1)
		}
		g.iteration(d, out)
		if c == nil {
			g.branch(again)
			return
		}
		if h != nil {
			for _, p := range h.pointers {
				g.advance(p, 1)
			}
		}
		g.get(c.left)
		g.long(1)
		g.op(i64Sub)
		g.tee(c.left)
		g.long(0)
		g.op(i64GtS)
		g.branchIf(again)
	})
}

// iteration generates an iteration, and the step of the loop's variable.
func (g *generator) iteration(d *lower.Do, out label) {
	next := func(body func()) { body() }
	cycles := false
	lower.Statements(d.Body, func(s lower.Stmt) {
		l, ok := s.(*lower.Leave)
		cycles = cycles || ok && l.Kind == lower.Cycle
	})
	first, _ := g.pointsOf(d.Body...)
	if cycles || first > 0 {
		next = func(body func()) {
			g.block(func(next label) {
				g.labels[d] = loopLabels{next, out}
				body()
				g.flush()
			})
		}
	}
	g.around, g.labels[d] = append(g.around, d), loopLabels{out: out}
	next(func() { g.statements(d.Body) })
	g.around = g.around[:len(g.around)-1]
	g.forget()
	g.charge(&d.End)
	if d.Cond != nil {
		g.charge(&d.Stat)
	}
	g.flush()
	if d.Var == nil {
		return
	}
	g.get(g.scalars[d.Var])
	g.get(g.counters[d].step)
	if kindOf(d.Var.Type) == i64 {
		g.op(i64Add)
	} else {
		g.op(i32Wrap, i32Add)
		g.narrow(d.Var.Type)
	}
	g.set(g.scalars[d.Var])
}

// whether generates the condition of a DO WHILE.
func (g *generator) whether(d *lower.Do, out label, inner bool) {
	g.stmt = d
	test := func() {
		g.value(d.Cond)
		g.op(i32Eqz)
		g.branchIf(out)
	}
	if inner {
		g.fresh(test)
		g.forget()
	} else {
		test()
	}
}

// begin sets the variable of a loop and the number of its iterations.
func (g *generator) begin(d *lower.Do) {
	g.stmt = d
	c := g.counters[d]
	lo, hi := g.local(i64), g.local(i64)
	wide := func(x lower.Expr) {
		g.value(x)
		if kindOf(x.Type()) == i32 {
			g.op(i64Extend)
		}
	}
	wide(d.Lo)
	g.set(lo)
	wide(d.Hi)
	g.set(hi)
	step, known := int64(1), true
	if d.Step != nil {
		k, ok := d.Step.(*lower.Const)
		if known = ok && k.I != 0; known {
			step = k.I
		}
	}
	if known {
		g.long(step)
		g.set(c.step)
	} else {
		wide(d.Step)
		g.tee(c.step)
		g.op(i64Eqz)
		g.fault(Point{}, nil)
	}
	g.get(hi)
	g.get(lo)
	g.op(i64Sub)
	g.get(c.step)
	g.op(i64Add)
	if !known || step != 1 {
		g.get(c.step)
		g.op(i64DivS)
	}
	g.set(c.left)
	g.get(lo)
	if kindOf(d.Var.Type) == i32 {
		g.op(i32Wrap)
	}
	g.set(g.scalars[d.Var])
}
