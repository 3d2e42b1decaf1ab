package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// nestOf returns the nest of a statement or an expression, compiled on its first execution. It returns nil for those
// without strips.
func (f *frame) nestOf(s any, compile func() *nest) *nest {
	n, known := f.code.nests[s]
	if !known {
		n = compile()
		f.code.nests[s] = n
	}
	if f.plain {
		return nil
	}
	return n
}

// doStrips runs a loop with its inner loops in strips. It returns false, and runs nothing, if it cannot, and also if
// an index is out of bounds, so that the error is reported at its iteration.
func (f *frame) doStrips(do *lower.Do, v *array, lo, step, count int) bool {
	n := f.nestOf(do, func() *nest { return doNest(do, len(f.ranks) == 1) })
	if n == nil || f.opts.eager {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	v.setInt(v.off, int64(lo))
	s.counts[0], s.steps[0], s.lo, s.step = count, step, int64(lo), int64(step)
	s.splits = s.splits[:0]
	for l, d := range n.do {
		if l > 0 {
			v = f.variable(d.Var)
			lo, step = f.integer(d.Lo), 1
			if d.Step != nil {
				step = f.integer(d.Step)
			}
			if step == 0 {
				return false
			}
			if count = (f.integer(d.Hi) - lo + step) / step; count <= 0 {
				return false
			}
			v.setInt(v.off, int64(lo))
			s.counts[l], s.steps[l], s.lo, s.step = count, step, int64(lo), int64(step)
		}
		if len(f.ranks) > 1 {
			s.splits = append(s.splits, f.split(d, v, lo, lo+(count-1)*step, step))
		}
	}
	n.invariants(s)
	for k := range n.refs {
		if !n.locate(s, k) {
			return false
		}
	}
	if !n.apart(s) || len(f.ranks) > 1 && !n.divides(s) {
		return false
	}
	if f.crew == nil || !n.runShared(s) {
		n.run(s, len(n.body))
		n.keepLast(s, f)
	}
	total := 1
	for _, c := range s.counts {
		total *= c
	}
	n.runs, n.iterations = n.runs+1, n.iterations+total
	for l, d := range n.do {
		v := f.variable(d.Var)
		v.setInt(v.off, v.int(v.off)+int64(s.counts[l]*s.steps[l]))
	}
	if !f.opts.Live {
		n.charge(s, 0, f.who)
	}
	return true
}

// keepLast sets scalars to the values of the last iteration.
func (n *nest) keepLast(s *strips, f *frame) {
	last := (s.counts[len(s.counts)-1] - 1) % stripLength
	for k, sym := range n.kept {
		v := f.variable(sym)
		if v.reals() {
			v.setReal(v.off, s.kept[k].f[last])
		} else {
			v.setInt(v.off, s.kept[k].i[last])
		}
	}
}

// forallStrips executes an assignment of a FORALL in strips. It returns false if it cannot.
func (f *frame) forallStrips(s *lower.Forall, a *lower.Assign) bool {
	n := f.nestOf(a, func() *nest { return forallNest(s, a) })
	if n == nil {
		return false
	}
	st := n.state(f)
	defer n.spare.Put(st)
	for l, v := range n.vars {
		k := slices.Index(s.Vars, v)
		lo, hi, step := f.integer(s.Los[k]), f.integer(s.His[k]), 1
		if s.Step[k] != nil {
			step = f.integer(s.Step[k])
		}
		if step == 0 || (hi-lo+step)/step <= 0 {
			return false
		}
		x := f.variable(v)
		x.setInt(x.off, int64(lo))
		st.counts[l], st.steps[l], st.lo, st.step = (hi-lo+step)/step, step, int64(lo), int64(step)
	}
	n.invariants(st)
	for k := range n.refs {
		if !(n.masked && k == maskPlace) && !n.locate(st, k) {
			return false
		}
	}
	to := &st.places[n.stores[0].ref]
	if n.masked {
		n.forallMasked(st, a)
		return true
	}
	n.runOwned(st, func() ([]int32, []split) { return n.indexSplits(st) })
	if to.a.lay == nil {
		total := int64(1)
		for _, c := range st.counts {
			total *= int64(c)
		}
		f.run(a.First, a.Last, total)
		return true
	}
	section := make([]mapping.Run, len(to.lo))
	for d, sub := range n.refs[n.stores[0].ref].subs {
		section[d] = mapping.Run{From: to.lo[d], To: to.hi[d], Step: 1}
		for l, k := range sub.factors {
			if k != 0 {
				section[d].Step = max(k*st.steps[l], -k*st.steps[l])
			}
		}
	}
	f.shareOut(to.a, section, a.First, a.Last, 1)
	return true
}

// forallNest compiles an assignment of a FORALL. Each index must occur in one subscript of the target. That of the
// first dimension becomes the innermost loop.
func forallNest(s *lower.Forall, a *lower.Assign) *nest {
	n := &nest{body: []lower.Stmt{a}}
	c := &stripper{n: n, outer: map[*lower.Symbol]bool{}, written: map[*lower.Symbol]bool{}, private: map[*lower.Symbol]int{}}
	return compiled(n, func() {
		left, ok := a.Left.(*lower.Element)
		if !ok || left.N > 0 {
			panic(giveUp{})
		}
		for _, sub := range slices.Backward(left.Subs) {
			factors, _, ok := lower.Affine(sub.Index)
			if !ok {
				panic(giveUp{})
			}
			some := 0
			for v := range factors {
				if slices.Contains(s.Vars, v) {
					n.vars = append(n.vars, v)
					some++
				}
			}
			if some > 1 {
				panic(giveUp{})
			}
		}
		if len(n.vars) != len(s.Vars) {
			panic(giveUp{})
		}
		c.loops, c.inner = n.vars, n.vars[len(n.vars)-1]
		for _, v := range n.vars[:len(n.vars)-1] {
			c.outer[v] = true
			if v == c.inner {
				panic(giveUp{})
			}
		}
		if len(c.outer) != len(n.vars)-1 {
			panic(giveUp{})
		}
		c.writes(left)
		for k := range s.Vars {
			for _, x := range []lower.Expr{s.Los[k], s.His[k], s.Step[k]} {
				if x != nil && (!c.uniform(x) || !c.constant(x)) {
					panic(giveUp{})
				}
			}
		}
		if s.Mask != nil {
			c.maskedElement(left, a, s.Mask)
		} else {
			c.element(left, a)
		}
		c.finish()
	})
}

// element compiles the assignment of a FORALL, or an assignment to an array.
func (c *stripper) element(left lower.Expr, a *lower.Assign) {
	if !stripped(left.Type()) {
		panic(giveUp{})
	}
	p := c.place(left)
	c.n.refs[p].write = true
	c.store(p, a.Right)
	c.located(a)
}

// assignNest compiles an assignment to an array or a section.
func assignNest(a *lower.Assign) *nest {
	n := &nest{body: []lower.Stmt{a}, vars: make([]*lower.Symbol, a.Left.Rank())}
	c := &stripper{n: n}
	return compiled(n, func() {
		c.element(a.Left, a)
		c.finish()
	})
}

// assignStrips executes an assignment to an array or a section in strips. It returns false if it cannot.
func (f *frame) assignStrips(a *lower.Assign) bool {
	n := f.nestOf(a, func() *nest { return assignNest(a) })
	if n == nil {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	to := f.array(a.Left)
	for l := range s.counts {
		s.counts[l] = to.n[len(to.n)-1-l]
	}
	n.invariants(s)
	for k, r := range n.refs {
		at := to
		if k > 0 {
			at = f.array(r.x)
			if !slices.Equal(at.n, to.n) {
				f.conform(r.x.Position(), to, at)
			}
		}
		s.places[k].section(at)
	}
	if to.size() == 0 {
		return true
	}
	n.runOwned(s, func() ([]int32, []split) { return f.sectionSplits(a.Left) })
	return true
}

// runOwned is runAll, distributed over the owners in a live run.
func (n *nest) runOwned(s *strips, splits func() (who []int32, splits []split)) {
	if s.f.crew != nil {
		if who, splits := splits(); n.runAllShared(s, who, splits) {
			return
		}
	}
	n.runAll(s)
}

// runAll runs a nest of one assignment whose values must all be computed before the first is stored. If the
// assignment reads elements after it wrote them, the values go to a temporary array first.
func (n *nest) runAll(s *strips) {
	if n.ahead(s) {
		n.collapse(s)
		n.run(s, 0)
		return
	}
	to := s.places[0]
	from := n.aside(s)
	n.run(s, 0)
	s.places[0] = to
	s.places[0].offset, from.offset = to.line, from.line
	s.transfer(0, &from, &s.places[0], n.maskOf(s))
}

// aside has a nest compute into a temporary array.
func (n *nest) aside(s *strips) place {
	to := &s.places[0]
	to.strides = make([]int, len(to.strides))
	to.section(s.memory(to.a.t))
	return *to
}

// memory returns an array with an element for each iteration.
func (s *strips) memory(t lower.Type) *array {
	shape := slices.Clone(s.counts)
	slices.Reverse(shape)
	return s.f.newTemporary(t, shape)
}

// transfer copies elements between places from loop l inwards, where a mask holds or all of them.
func (s *strips) transfer(l int, from, to, mask *place) {
	if l < len(s.counts)-1 {
		at, dst, m := from.offset, to.offset, 0
		if mask != nil {
			m = mask.offset
		}
		for x := range s.counts[l] {
			from.offset, to.offset = at+x*from.strides[l], dst+x*to.strides[l]
			if mask != nil {
				mask.offset = m + x*mask.strides[l]
			}
			s.transfer(l+1, from, to, mask)
		}
		return
	}
	if mask == nil {
		to.copyRow(to.offset, to.step, &from.cells, from.offset, from.step, s.counts[l])
		return
	}
	for x := range s.counts[l] {
		if mask.int(mask.offset+x*mask.step) == 0 {
			continue
		}
		to.copyRow(to.offset+x*to.step, 0, &from.cells, from.offset+x*from.step, 0, 1)
	}
}

// section sets a place to the beginning of a section.
func (p *place) section(a *array) {
	p.a, p.cells, p.line = a, a.cells, a.off
	for l := range p.strides {
		p.strides[l] = a.step[len(p.strides)-1-l]
	}
	p.step = p.strides[len(p.strides)-1]
}

// collapse joins lines that are adjacent in all places to one long line.
func (n *nest) collapse(s *strips) {
	if n.vars[0] != nil {
		return // the values depend on the loops' variables
	}
	inner := len(s.counts) - 1
	for l := inner - 1; l >= 0; l-- {
		for k := range s.places {
			if p := &s.places[k]; p.strides[l] != p.step*s.counts[inner] {
				return
			}
		}
		s.counts[inner] *= s.counts[l]
		s.counts[l] = 1
	}
}
