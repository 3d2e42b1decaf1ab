package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// nestOf returns the nest of a statement or an expression, planned on its first execution. It returns nil for those
// without one.
func (f *frame) nestOf(s any, plan func() *nest) *nest {
	n, known := f.code.nests[s]
	if !known {
		n = plan()
		f.code.nests[s] = n
	}
	if f.plain || f.memory == nil {
		return nil
	}
	return n
}

// doAsNest runs a loop with its inner loops as a nest. It returns false, and runs nothing, if it cannot, and also if
// an index is out of bounds, so that the error is reported at its iteration.
func (f *frame) doAsNest(do *lower.Do, v *array, lo, step, count int) bool {
	n := f.nestOf(do, func() *nest { return doNest(do, len(f.ranks) == 1) })
	if n == nil || f.opts.eager {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	v.setInt(v.off, int64(lo))
	s.counts[0], s.steps[0] = count, step
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
			s.counts[l], s.steps[l] = count, step
		}
		if len(f.ranks) > 1 {
			s.splits = append(s.splits, f.split(d, v, lo, lo+(count-1)*step, step))
		}
	}
	if !n.worth(f, s.total()) {
		return false
	}
	n.invariants(s)
	for k := range n.refs {
		if !n.locate(s, k) {
			return false
		}
	}
	if !n.apart(s) || len(f.ranks) > 1 && !n.divides(s) || !n.load(s) {
		return false
	}
	if f.crew == nil || !n.runShared(s) {
		n.run(s, len(n.body))
		n.keepLast(s, f)
	}
	n.runs, n.iterations = n.runs+1, n.iterations+s.total()
	for l, d := range n.do {
		v := f.variable(d.Var)
		v.setInt(v.off, v.int(v.off)+int64(s.counts[l]*s.steps[l]))
	}
	if !f.opts.Live {
		n.charge(s, 0, f.who)
	}
	return true
}

// forallAsNest executes an assignment of a FORALL as a nest. It returns false if it cannot.
func (f *frame) forallAsNest(s *lower.Forall, a *lower.Assign) bool {
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
		st.counts[l], st.steps[l] = (hi-lo+step)/step, step
	}
	if !n.worth(f, st.total()) {
		return false
	}
	n.invariants(st)
	for k := range n.refs {
		if !(n.masked && k == maskPlace) && !n.locate(st, k) {
			return false
		}
	}
	to := &st.places[n.stores[0].ref]
	if n.masked {
		mask := &st.places[maskPlace]
		mask.section(st.memory(lower.Type{Base: syntax.LogicalType, Size: 4}))
	}
	if !n.load(st) {
		return false
	}
	if n.masked {
		return n.forallMasked(st, a)
	}
	if !n.runOwned(st, func() ([]int32, []split) { return n.indexSplits(st) }) {
		return false
	}
	if to.a.lay == nil {
		f.run(a.First, a.Last, int64(st.total()))
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

// forallNest plans an assignment of a FORALL. Each index must occur in one subscript of the target. That of the
// first dimension becomes the innermost loop.
func forallNest(s *lower.Forall, a *lower.Assign) *nest {
	return planned(func(c *planner) {
		n := c.n
		n.body = []lower.Stmt{a}
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
		c.over(n.vars)
		if len(c.outer) != len(n.vars)-1 || c.outer[c.inner] {
			panic(giveUp{})
		}
		c.writes(left)
		for k := range s.Vars {
			c.bounds(s.Los[k], s.His[k], s.Step[k])
		}
		if s.Mask != nil {
			c.maskedElement(left, a, s.Mask)
		} else {
			c.element(left, a)
		}
	})
}

// element plans the assignment of a FORALL, or an assignment to an array.
func (c *planner) element(left lower.Expr, a *lower.Assign) {
	c.store(c.target(left), a.Right)
	c.n.first = append(c.n.first, a.First)
}

// assignNest plans an assignment to an array or a section.
func assignNest(a *lower.Assign) *nest {
	return planned(func(c *planner) {
		c.n.body, c.n.vars = []lower.Stmt{a}, make([]*lower.Symbol, a.Left.Rank())
		c.element(a.Left, a)
	})
}

// assignAsNest executes an assignment to an array or a section as a nest. It returns false if it cannot.
func (f *frame) assignAsNest(a *lower.Assign) bool {
	n := f.nestOf(a, func() *nest { return assignNest(a) })
	if n == nil {
		return false
	}
	to := f.array(a.Left)
	if size := to.size(); size > 0 && (!n.worth(f, size) || to.block == nil) {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	for l := range s.counts {
		s.counts[l] = to.n[len(to.n)-1-l]
	}
	n.invariants(s)
	for k, r := range n.refs {
		at := to
		if k > 0 {
			if at = f.operand(r.x); at == nil || !slices.Equal(at.n, to.n) {
				return false // another evaluation reports other shapes
			}
		}
		s.places[k].section(at)
	}
	if to.size() == 0 {
		return true
	}
	return n.runOwned(s, func() ([]int32, []split) { return f.sectionSplits(a.Left) })
}

// operand evaluates an operand to an array in the memory of generated code. It returns nil if that has no room.
func (f *frame) operand(x lower.Expr) *array { return f.inMemory(f.array(x)) }

// inMemory returns an array in the memory of generated code: the array itself or a copy. It returns nil if the memory has no room.
func (f *frame) inMemory(a *array) *array {
	if a.block != nil {
		return a
	}
	b := f.newVariable(a.t, 0, ones(len(a.n)), a.n)
	if b.block == nil {
		return nil
	}
	k := 0
	f.each(a, func(at int) {
		b.set(k, a.get(at))
		k++
	})
	return b
}

// runOwned is runAll, distributed over the owners in a live run.
func (n *nest) runOwned(s *nestState, splits func() (who []int32, splits []split)) bool {
	if s.f.crew != nil {
		if who, splits := splits(); n.runAllShared(s, who, splits) {
			return true
		}
	}
	return n.runAll(s)
}

// runAll runs a nest of one assignment whose values must all be computed before the first is stored. If the
// assignment reads elements after it wrote them, the values go to a temporary array first. It returns false, and runs
// nothing, if the memory has no room.
func (n *nest) runAll(s *nestState) bool {
	if n.ahead(s) {
		n.collapse(s)
		if !n.load(s) {
			return false
		}
		n.run(s, 0)
		return true
	}
	to := s.places[0]
	from := n.aside(s)
	if !n.load(s) {
		s.places[0] = to
		return false
	}
	n.run(s, 0)
	s.places[0] = to
	s.places[0].offset, from.offset = to.line, from.line
	s.transfer(0, &from, &s.places[0], n.maskOf(s))
	return true
}

// mustLoad is load for a part of a nest that has begun. The run ends if the memory has no room.
func (n *nest) mustLoad(s *nestState) {
	if !n.load(s) {
		panic(&LimitError{"memory"})
	}
}

// aside has a nest compute into a temporary array.
func (n *nest) aside(s *nestState) place {
	to := &s.places[0]
	to.strides = make([]int, len(to.strides))
	to.section(s.memory(to.a.t))
	return *to
}

// memory returns an array with an element for each iteration.
func (s *nestState) memory(t lower.Type) *array {
	shape := slices.Clone(s.counts)
	slices.Reverse(shape)
	return s.f.newVariable(t, 0, ones(len(shape)), shape)
}

// transfer copies elements between places from loop l inwards, where a mask holds or all of them.
func (s *nestState) transfer(l int, from, to, mask *place) {
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

// collapse joins lines that are adjacent in all places to one long line.
func (n *nest) collapse(s *nestState) {
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
