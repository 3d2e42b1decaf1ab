package wasm

import "whorl/hpfsim/lower"

// statements generates the statements of a body. Without points among them the segment goes on behind them.
func (g *generator) statements(all []lower.Stmt) {
	if first, _ := g.pointsOf(all...); first == 0 || g.straight {
		for _, s := range all {
			g.statement(s)
		}
		return
	}
	for k := 0; k < len(all); {
		first, last := g.pointsOf(all[k])
		g.stmt = all[k]
		if first == 0 {
			g.fresh(func() {
				for ; k < len(all); k++ {
					if first, _ := g.pointsOf(all[k]); first > 0 {
						break
					}
					g.statement(all[k])
				}
				g.flush()
			})
			g.forget()
			continue
		}
		if g.unit == nil && g.hosted[all[k]] { // procedures leave nothing to the caller
			g.fresh(func() { g.leave(first) })
			g.arrive(first)
		} else {
			g.get(g.point)
			g.op(i32Eqz)
			g.resuming(first, last)
			g.op(i32Or)
			g.when(func() { g.statement(all[k]) })
		}
		g.forget()
		k++
	}
}

func (g *generator) statement(s lower.Stmt) {
	g.stmt = s
	if c := g.callings[s]; c != nil {
		g.withCalls(s, c)
		return
	}
	switch s := s.(type) {
	case *lower.Assign:
		g.assign(s)
		g.charge(&s.Stat)
	case *lower.If:
		first, _ := g.pointsOf(s)
		resumes := first > 0 && !g.straight
		if !resumes {
			g.charge(&s.Stat)
		}
		g.branches(s, 0, resumes, false)
	case *lower.Do:
		g.do(s)
	case *lower.Nothing:
		g.charge(&s.Stat)
	case *lower.Leave:
		g.charge(&s.Stat)
		g.flush()
		if s.Kind == lower.Return {
			if g.hoisted != nil {
				g.unpark(g.hoisted)
			}
			g.branch(g.back)
			return
		}
		loop := target(g.around, s)
		if g.hoisted != nil && loop != g.hoisted.do {
			g.unpark(g.hoisted)
		}
		to := g.labels[loop]
		if s.Kind == lower.Cycle {
			g.branch(to.next)
		} else {
			g.branch(to.out)
		}
	}
}

// assign generates an assignment. As in the evaluator, the value is computed before the subscripts of the target.
func (g *generator) assign(s *lower.Assign) {
	switch left := s.Left.(type) {
	case *lower.Ref:
		g.value(s.Right)
		g.set(g.scalars[left.Sym])
		g.assigned(left.Sym)
	case *lower.Element:
		g.value(s.Right)
		v := g.local(kindOf(left.T))
		g.set(v)
		distance := g.address(left)
		g.get(v)
		g.store(left.T, distance)
	}
}

// branches generates an IF from condition i on. resumes is set if the code may go on within it, called if condition i was charged.
func (g *generator) branches(s *lower.If, i int, resumes, called bool) {
	if i == len(s.Conds) {
		return
	}
	condition := func() {
		if i > 0 || !called { // the calls in a condition have charged it
			if i == 0 && resumes {
				g.charge(&s.Stat)
			}
			g.charge(&s.Tests[i])
			g.flush()
		}
		if s.Conds[i] == nil {
			g.int(1)
		} else {
			g.value(s.Conds[i])
		}
	}
	if !resumes {
		condition()
	} else {
		g.get(g.point)
		g.op(i32Eqz)
		g.either(i32, condition, func() {
			if first, last := g.pointsOf(s.Bodies[i]...); first > 0 {
				g.resuming(first, last)
			} else {
				g.int(0)
			}
		})
	}
	g.choose(func() { g.aside(func() { g.statements(s.Bodies[i]); g.flush() }) }, func() { g.aside(func() { g.branches(s, i+1, resumes, false) }) })
	g.forget()
}
