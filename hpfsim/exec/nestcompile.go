package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// compiled runs a compilation. It returns nil if that gives up.
func compiled(n *nest, compile func()) (out *nest) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(giveUp); !ok {
				panic(r)
			}
			out = nil
		}
	}()
	compile()
	return n
}

// doNest compiles a loop with its inner loops. It returns nil if the loops are not perfectly nested around
// assignments, if these send messages, or if bounds depend on the loops.
func doNest(s *lower.Do, alone bool) *nest {
	n := &nest{}
	c := &stripper{n: n, outer: map[*lower.Symbol]bool{}, written: map[*lower.Symbol]bool{}, private: map[*lower.Symbol]int{}, scalars: map[*lower.Symbol]bool{}}
	return compiled(n, func() {
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
		c.loops = n.vars
		c.inner = n.vars[len(n.vars)-1]
		for _, v := range n.vars[:len(n.vars)-1] {
			c.outer[v] = true
		}
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
			for _, x := range []lower.Expr{d.Lo, d.Hi, d.Step} {
				if x != nil && (!c.uniform(x) || !c.constant(x)) {
					panic(giveUp{})
				}
			}
		}
		for _, b := range n.body {
			switch b := b.(type) {
			case *lower.Nothing:
			case *lower.Assign:
				if b.Sweeps || len(b.Comms) > 0 && !alone {
					panic(giveUp{})
				}
				c.assign(b)
				c.located(b)
			default:
				panic(giveUp{})
			}
		}
		c.finish()
	})
}

// located records the statement of the functions that were compiled last.
func (c *stripper) located(a *lower.Assign) {
	for len(c.n.first) < len(c.n.stmts) {
		c.n.first = append(c.n.first, a.First)
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

func (c *stripper) finish() {
	if len(c.n.stmts) == 0 || c.stmt > 60 {
		panic(giveUp{})
	}
	c.n.floats, c.n.ints, c.n.joins = max(c.floatT, 1), c.intT, len(c.scalars) > 0
}

func (c *stripper) writes(x lower.Expr) {
	switch e := x.(type) {
	case *lower.Ref:
		c.written[e.Sym] = true
	case *lower.Element:
		c.written[e.Sym] = true
	default:
		panic(giveUp{})
	}
}

// assign compiles an assignment in a loop.
func (c *stripper) assign(a *lower.Assign) {
	if a.Left.Rank() > 0 {
		panic(giveUp{})
	}
	t := a.Left.Type()
	if !stripped(t) {
		panic(giveUp{})
	}
	switch left := a.Left.(type) {
	case *lower.Ref:
		if c.joined(a) {
			return
		}
		c.keep(left.Sym, a)
	case *lower.Element:
		p := c.place(left)
		c.n.refs[p].write = true
		if c.n.refs[p].subs != nil && !c.moves(c.n.refs[p]) {
			c.n.refs = c.n.refs[:p]
			if !c.joined(a) {
				panic(giveUp{})
			}
			return
		}
		c.store(p, a.Right)
	}
	c.stmt++
}

// moves reports whether a reference depends on the innermost loop's variable.
func (c *stripper) moves(r *ref) bool {
	for _, s := range r.subs {
		if s.factors[len(s.factors)-1] != 0 {
			return true
		}
	}
	return false
}

// store compiles an assignment to an element that moves, or to a section.
func (c *stripper) store(p int, right lower.Expr) {
	c.n.stores = append(c.n.stores, store{ref: p, stmt: c.stmt})
	c.n.code.plan = append(c.n.code.plan, assignment{place: p, value: right})
	c.floatStrip(0)
	if right.Type().Floating() {
		c.root = true
		of := c.floats(right, 1)
		c.n.stmts = append(c.n.stmts, func(s *strips) {
			to := &s.places[p]
			if to.f != nil && to.step == 1 {
				dst := to.f[to.offset : to.offset+s.n]
				if got := of(s, dst); &got[0] != &dst[0] {
					copy(dst, got)
				}
				return
			}
			to.putReals(of(s, s.floats[0][:s.n])[:s.n])
		})
		return
	}
	t := c.intStrip()
	of := c.ints(right, 0)
	c.n.stmts = append(c.n.stmts, func(s *strips) {
		s.places[p].putInts(of(s, s.ints[t][:s.n])[:s.n])
	})
}

// keep compiles an assignment to a private scalar.
func (c *stripper) keep(sym *lower.Symbol, a *lower.Assign) {
	if c.scalars[sym] || sym.Place != nil {
		panic(giveUp{})
	}
	p, known := c.private[sym]
	if !known {
		p = len(c.n.kept)
		c.n.kept = append(c.n.kept, sym)
	}
	c.n.code.plan = append(c.n.code.plan, assignment{place: -1, private: p, value: a.Right})
	c.floatStrip(0)
	if sym.Type.Floating() {
		c.root = true
		of := c.floats(a.Right, 1)
		c.n.stmts = append(c.n.stmts, func(s *strips) {
			if got, dst := of(s, s.kept[p].f[:s.n]), s.kept[p].f; &got[0] != &dst[0] {
				copy(dst, got)
			}
		})
	} else {
		t := c.intStrip()
		of := c.ints(a.Right, 0)
		c.n.stmts = append(c.n.stmts, func(s *strips) { copy(s.kept[p].i, of(s, s.ints[t][:s.n])) })
	}
	c.private[sym] = p
}

// joined compiles s = s + x, s - x, s * x, MAX(s, x) and MIN(s, x) for an s that is constant along the innermost
// loop. It accumulates in the order of the iterations. It returns false for other assignments.
func (c *stripper) joined(a *lower.Assign) bool {
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
	if x == nil || x.Type() != t || mentions(x, a.Left) {
		return false
	}
	var target func(s *strips) (*array, int)
	switch left := a.Left.(type) {
	case *lower.Ref:
		target = func(s *strips) (*array, int) { v := s.f.variable(left.Sym); return v, v.off }
		if _, private := c.private[left.Sym]; private || c.scalars[left.Sym] {
			return false
		}
		c.scalars[left.Sym] = true
		c.n.code.plan = append(c.n.code.plan, assignment{sum: left.Sym, value: x, join: join, minus: negative})
	case *lower.Element:
		p := c.place(left)
		c.n.refs[p].write = true
		c.n.stores = append(c.n.stores, store{ref: p, stmt: c.stmt, sum: true})
		c.n.code.plan = append(c.n.code.plan, assignment{place: p, value: x, join: join, minus: negative})
		target = func(s *strips) (*array, int) { return s.places[p].a, s.places[p].offset }
	}
	c.floatStrip(0)
	if !t.Floating() {
		k, tmp := integerKernels(t), c.intStrip()
		of := c.ints(x, 0)
		c.n.stmts = append(c.n.stmts, func(s *strips) {
			v, i := target(s)
			got := of(s, s.ints[tmp][:s.n])[:s.n]
			switch {
			case negative:
				v.setInt(i, k.sum(v.int(i), negated(s.ints[tmp][:s.n], got)))
			case join == lower.OpProduct:
				v.setInt(i, k.product(v.int(i), got))
			default:
				v.setInt(i, k.sum(v.int(i), got))
			}
		})
		c.stmt++
		return true
	}
	joined := joinerOf(join, t)
	if joined == nil {
		panic(giveUp{})
	}
	of := c.floats(x, 1)
	c.n.stmts = append(c.n.stmts, func(s *strips) {
		v, i := target(s)
		got := of(s, s.floats[0][:s.n])[:s.n]
		if negative {
			got = negated(s.floats[0][:s.n], got)
		}
		v.setReal(i, joined(v.real(i), got))
	})
	c.stmt++
	return true
}

func negated[S number](dst, x []S) []S {
	for i, v := range x {
		dst[i] = -v
	}
	return dst
}

// joinerOf returns the function that joins reals by a reduction, nil for reductions that have none.
func joinerOf(op lower.Operation, t lower.Type) func(a float64, x []float64) float64 {
	k := floatKernels(t)
	switch op {
	case lower.OpSum:
		return k.sum
	case lower.OpProduct:
		return k.product
	case lower.OpMaxval:
		return func(a float64, x []float64) float64 {
			for _, v := range x {
				if v > a || a != a {
					a = v
				}
			}
			return a
		}
	case lower.OpMinval:
		return func(a float64, x []float64) float64 {
			for _, v := range x {
				if v < a || a != a {
					a = v
				}
			}
			return a
		}
	}
	return nil
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
