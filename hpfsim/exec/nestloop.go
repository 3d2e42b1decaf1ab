package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// doNest plans a loop with its inner loops. It returns nil if the loops are not perfectly nested around assignments, if
// these send messages, or if bounds depend on the loops.
func doNest(s *lower.Do, alone bool) *nest {
	return planned(func(c *planner) {
		n := c.n
		for d := s; ; {
			if d.Var == nil || d.Var.Type.Base != syntax.IntegerType || slices.Contains(n.vars, d.Var) {
				panic(giveUp{})
			}
			n.do, n.vars = append(n.do, d), append(n.vars, d.Var)
			next, ok := onlyLoop(d.Body)
			if !ok {
				n.body = d.Body
				break
			}
			if next.Sweeps || (len(next.Comms) > 0 || len(next.End.Comms) > 0) && !alone {
				panic(giveUp{})
			}
			d = next
		}
		c.over(n.vars)
		for _, b := range n.body {
			if a, ok := b.(*lower.Assign); ok {
				c.writes(a.Left)
			}
		}
		for _, v := range n.vars {
			if c.written[v] {
				panic(giveUp{})
			}
		}
		for _, d := range n.do[1:] {
			c.bounds(d.Lo, d.Hi, d.Step)
		}
		for _, b := range n.body {
			switch b := b.(type) {
			case *lower.Nothing:
			case *lower.Assign:
				if b.Sweeps || len(b.Comms) > 0 && !alone {
					panic(giveUp{})
				}
				c.assign(b)
				n.first = append(n.first, b.First)
			default:
				panic(giveUp{})
			}
		}
	})
}

// over sets the variables of the loops, outermost first.
func (c *planner) over(vars []*lower.Symbol) {
	c.loops = vars
	c.inner = vars[len(vars)-1]
	for _, v := range vars[:len(vars)-1] {
		c.outer[v] = true
	}
}

// bounds gives up on bounds that change in the nest.
func (c *planner) bounds(all ...lower.Expr) {
	for _, x := range all {
		if x != nil && (!c.uniform(x) || !c.constant(x)) {
			panic(giveUp{})
		}
	}
}

// onlyLoop returns the loop that is the whole body.
func onlyLoop(body []lower.Stmt) (*lower.Do, bool) {
	if len(body) == 0 {
		return nil, false
	}
	for _, b := range body[1:] {
		if _, ok := b.(*lower.Nothing); !ok {
			return nil, false
		}
	}
	d, ok := body[0].(*lower.Do)
	return d, ok
}

func (c *planner) writes(x lower.Expr) {
	switch e := x.(type) {
	case *lower.Ref:
		c.written[e.Sym] = true
	case *lower.Element:
		c.written[e.Sym] = true
	default:
		panic(giveUp{})
	}
}

// assign plans an assignment in a loop.
func (c *planner) assign(a *lower.Assign) {
	if a.Left.Rank() > 0 || !represented(a.Left.Type()) {
		panic(giveUp{})
	}
	switch left := a.Left.(type) {
	case *lower.Ref:
		if !c.joined(a) {
			c.keep(left.Sym, a)
		}
	case *lower.Element:
		p := c.target(left)
		if c.moves(c.n.refs[p]) {
			c.store(p, a.Right)
			break
		}
		c.n.refs = c.n.refs[:p]
		if !c.joined(a) {
			panic(giveUp{})
		}
	}
	c.stmt++
}

// moves reports whether a reference depends on the innermost loop's variable.
func (c *planner) moves(r *ref) bool {
	for _, s := range r.subs {
		if s.factors[len(s.factors)-1] != 0 {
			return true
		}
	}
	return false
}

// store plans an assignment to an element that moves, or to a section.
func (c *planner) store(p int, right lower.Expr) {
	c.n.stores = append(c.n.stores, store{ref: p, stmt: c.stmt})
	c.value(right)
	c.add(assignment{target: p, temp: -1, private: -1, value: right})
}

// keep plans an assignment to a private scalar.
func (c *planner) keep(sym *lower.Symbol, a *lower.Assign) {
	if c.scalars[sym] || sym.Place != nil {
		panic(giveUp{})
	}
	c.value(a.Right)
	p, known := c.private[sym]
	if !known {
		p = len(c.n.kept)
		c.n.kept = append(c.n.kept, sym)
		if c.apart {
			c.n.temps = append(c.n.temps, sym.Type)
			c.n.keptIn = append(c.n.keptIn, len(c.n.temps)-1)
		}
	}
	to := assignment{target: -1, temp: -1, private: p, value: a.Right}
	if c.apart {
		to.private, to.temp = -1, c.n.keptIn[p]
	}
	c.add(to)
	c.private[sym] = p
}

// joined plans s = s + x, s - x, s * x, MAX(s, x) and MIN(s, x) for an s that is constant along the innermost
// loop. It accumulates in the order of the iterations. It returns false for other assignments.
func (c *planner) joined(a *lower.Assign) bool {
	t := a.Left.Type()
	var x lower.Expr
	join, negative := lower.NoOperation, false
	switch e := a.Right.(type) {
	case *lower.Binary:
		switch {
		case e.Op > syntax.Mul || e.T != t:
			return false
		case equal(e.X, a.Left):
			x = e.Y
		case equal(e.Y, a.Left) && e.Op != syntax.Sub:
			x = e.X
		default:
			return false
		}
		join, negative = lower.JoiningOperator(e.Op), e.Op == syntax.Sub
	case *lower.Call:
		if len(e.Args) != 2 || e.T != t || e.Args[1] == nil || e.Args[1].Type() != t || !equal(e.Args[0], a.Left) || !t.Floating() {
			return false
		}
		join, x = e.Fn.Op.Joining(), e.Args[1]
	}
	if x == nil || join == lower.NoOperation || x.Type() != t || mentions(x, a.Left) {
		return false
	}
	to := assignment{target: -1, temp: -1, private: -1, value: x, join: join, minus: negative}
	switch left := a.Left.(type) {
	case *lower.Ref:
		if _, private := c.private[left.Sym]; private || c.scalars[left.Sym] {
			return false
		}
		c.scalars[left.Sym] = true
		to.sum = left.Sym
	case *lower.Element:
		to.target = c.target(left)
		c.n.stores = append(c.n.stores, store{ref: to.target, stmt: c.stmt, sum: true})
	}
	c.value(x)
	c.add(to)
	return true
}

// equal reports whether two expressions are the same variable, or elements with the same subscripts.
func equal(x, y lower.Expr) bool {
	switch a := x.(type) {
	case *lower.Ref:
		b, ok := y.(*lower.Ref)
		return ok && a.Sym == b.Sym && a.N == 0
	case *lower.Const:
		b, ok := y.(*lower.Const)
		return ok && a.T == b.T && a.Value == b.Value
	case *lower.Element:
		b, ok := y.(*lower.Element)
		if !ok || a.Sym != b.Sym || a.N > 0 || b.N > 0 {
			return false
		}
		for d := range a.Subs {
			if !equal(a.Subs[d].Index, b.Subs[d].Index) {
				return false
			}
		}
		return true
	case *lower.Binary:
		b, ok := y.(*lower.Binary)
		return ok && a.Op == b.Op && equal(a.X, b.X) && equal(a.Y, b.Y)
	}
	return false
}

// mentions reports whether an expression contains the scalar that an assignment writes. Elements are compared at run
// time.
func mentions(x, left lower.Expr) bool {
	r, ok := left.(*lower.Ref)
	found := false
	lower.Walk(x, func(e lower.Expr) {
		if b, is := e.(*lower.Ref); is && ok {
			found = found || b.Sym == r.Sym
		}
	})
	return found
}
