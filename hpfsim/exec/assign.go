package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// assign executes an assignment.
func (f *frame) assign(s *lower.Assign) {
	f.doing = s
	if sym := holder(s); sym != nil {
		f.assignHeld(s, sym)
		f.run(s.First, s.Last, 1)
		return
	}
	if s.Left.Rank() > 0 {
		f.messages(s.Comms, s.First)
		f.assignArray(s)
		return
	}
	if !s.Sweeps {
		f.messages(s.Comms, s.First)
	}
	v := f.value(s.Right)
	if s.Sweeps { // the messages of a reduction contain the results of its sweep
		f.messages(s.Comms, s.First)
	}
	f.store(s.Left, v)
	e, ok := s.Left.(*lower.Element)
	if !ok || e.Sym.Place == nil {
		f.run(s.First, s.Last, 1)
		return
	}
	a := f.variable(e.Sym)
	f.charge(f.doers(f.who, a, f.indices(e)), s.First, s.Last, 1)
}

// doers returns the processors of who that assign to an element: its owners. Along an axis without an owner among
// them it returns the processors that execute the iteration of the loop around the assignment.
func (f *frame) doers(who []int32, a *array, index []int) []int32 {
	if a.lay == nil {
		return who
	}
	t := a.lay.Template
	for d, s := range t.Spread {
		if t.Axis[d] < 0 {
			continue
		}
		if at, everywhere := a.lay.Meets(d, index); !everywhere {
			if some := f.subset(who, t.Grid, t.Axis[d], s.Owner(at)); len(some) > 0 {
				who = some
			}
		}
	}
	return who
}

// owners returns the processors of the frame that have a copy of an element.
func (f *frame) owners(a *array, index []int) []int32 {
	if a.lay == nil {
		return f.who
	}
	who := f.who
	t := a.lay.Template
	for d, s := range t.Spread {
		axis := t.Axis[d]
		if axis < 0 {
			continue
		}
		at, everywhere := a.lay.Meets(d, index)
		if everywhere {
			continue
		}
		who = f.subset(who, t.Grid, axis, s.Owner(at))
	}
	return who
}

// store assigns a value of its type to a variable, an element or a substring.
func (f *frame) store(left lower.Expr, v lower.Value) {
	switch e := left.(type) {
	case *lower.Ref:
		a := f.variable(e.Sym)
		f.present(a, e.Sym, e.Pos)
		if f.promises != nil {
			f.uses(a, a.off, true, e.Sym.Name, e.Pos)
		}
		a.set(a.off, v)
	case *lower.Element:
		a, at := f.place(e)
		if f.promises != nil {
			f.uses(a, at, true, e.Sym.Name, e.Pos)
		}
		a.set(at, v)
	case *lower.Substring:
		old := f.value(e.X).S
		lo, hi := f.substring(e, len(old))
		f.store(e.X, lower.Value{S: old[:lo] + fit(v.S, hi-lo) + old[hi:]})
	}
}

// assignArray executes an assignment to an array or a section. It computes all values before it stores the first.
func (f *frame) assignArray(s *lower.Assign) {
	if f.refit(s) || f.assignAsNest(s) {
		f.share(s.Left, s.First, s.Last, 1)
		return
	}
	var value *array
	if s.Right.Rank() > 0 {
		value = f.array(s.Right)
	} else {
		value = f.scalar(s.Left.Type(), f.value(s.Right))
	}
	f.storeArray(s.Left, value, nil, s.Right.Position())
	f.share(s.Left, s.First, s.Last, 1)
}

// storeArray stores values in the elements of an array or a section where the mask holds. The values are those of the expression at pos.
func (f *frame) storeArray(left lower.Expr, value, mask *array, pos syntax.Pos) {
	e, _ := left.(*lower.Element)
	vectors, scattered := [][]int(nil), false
	if e != nil {
		for _, s := range e.Subs {
			scattered = scattered || !s.Section && s.Index.Rank() > 0
		}
	}
	var to *array
	if scattered {
		to, vectors = f.targets(e)
	} else {
		if sub, ok := left.(*lower.Substring); ok {
			fail(sub.Pos, "an assignment to parts of an array of characters is not in the subset")
		}
		to = f.view(left)
	}
	if len(value.n) > 0 {
		f.conform(pos, to, value)
	}
	if len(value.n) > 0 && overlap(to, value) {
		value = f.copied(value)
	}
	if f.promises != nil && mask == nil && !scattered {
		f.usesAll(to, left, true)
	}
	if mask == nil && !scattered && represented(to.t) && to.size() > 0 && len(to.n) > 0 {
		x, y := lineWalker(to), lineWalker(value)
		for range to.size() / to.n[0] {
			at, step := x.next()
			from, by := y.next()
			to.copyRow(at, step, &value.cells, from, by, to.n[0])
			f.pace(to.n[0])
		}
		return
	}
	x := walker(value)
	var m *walk
	if mask != nil {
		m = walker(mask)
	}
	put := func(at int) {
		v := value.get(x.next())
		if m == nil || mask.int(m.next()) != 0 {
			if f.promises != nil && (m != nil || scattered) {
				whole, name := f.wholeOf(left)
				f.uses(whole, at, true, name, left.Position())
			}
			to.set(at, v)
		}
	}
	if scattered {
		f.scattered(to, vectors, put)
	} else {
		f.each(to, put)
	}
}

// targets returns a section with vector subscripts, and their offsets.
func (f *frame) targets(e *lower.Element) (*array, [][]int) {
	plain := *e
	plain.Subs = append([]lower.Sub(nil), e.Subs...)
	a := f.variable(e.Sym)
	f.present(a, e.Sym, e.Pos)
	var vectors [][]int
	for d := range plain.Subs {
		s := &plain.Subs[d]
		switch {
		case s.Section:
			vectors = append(vectors, nil)
		case s.Index.Rank() > 0:
			vectors = append(vectors, f.offsets(e, a, d))
			*s = lower.Sub{Section: true}
		}
	}
	out := f.section(&plain)
	for d, v := range vectors {
		if v != nil {
			out.n[d] = len(v)
		}
	}
	return out, vectors
}

// overlap reports whether two arrays may share elements at different places.
func overlap(a, b *array) bool {
	at := a.address(0)
	return at != nil && at == b.address(0)
}

func (f *frame) copied(a *array) *array {
	out := f.like(a.t, a.length, a)
	k := 0
	f.each(a, func(at int) {
		out.set(k, a.get(at))
		k++
	})
	return out
}

// share has each owner of elements of an array or a section execute the instructions for its elements, some times for each.
func (f *frame) share(left lower.Expr, first, last int, times int64) {
	if f.opts.Live {
		return
	}
	a, section := f.runs(left)
	if a == nil || a.lay == nil {
		f.run(first, last, int64(f.view(left).size())*times)
		return
	}
	f.shareOut(a, section, first, last, times)
}

// sweep has the owners of the elements that a function sweeps execute its instructions, some times for each element.
func (f *frame) sweep(e *lower.Call, times int) {
	if e.Over != nil {
		f.share(e.Over, e.First, e.Last, int64(times))
	}
}

// shareOut has each owner of elements of a section execute the instructions for its elements, some times for each.
func (f *frame) shareOut(a *array, section []mapping.Run, first, last int, times int64) {
	if f.opts.Live {
		return
	}
	left := int64(1) // elements that no processor has computed
	for _, r := range section {
		left *= int64(r.Len())
	}
	for k, p := range f.who {
		if int(p) >= a.lay.Template.Grid.Size() {
			continue
		}
		owned := a.lay.Owned(int(p), section)
		if owned == nil {
			continue
		}
		n := elementCount(owned)
		left -= n
		f.charge(f.who[k:k+1], first, last, n*times)
	}
	if f.limited && left > 0 { // the processors of an ON compute the elements of others in equal parts
		each := int64(len(f.who))
		f.run(first, last, (left+each-1)/each*times)
	}
}

// along returns the indices of a section in dimension d of an array, in ascending order.
func (f *frame) along(a *array, s lower.Sub, d int) mapping.Run {
	lo, hi, step := f.limits(s, a, d)
	if step > 0 {
		return mapping.Run{From: lo, To: hi, Step: step}
	}
	n := max((hi-lo+step)/step, 0)
	return mapping.Run{From: lo + (n-1)*step, To: lo, Step: -step}
}

// runs returns the indices of a section by dimension, in ascending order.
func (f *frame) runs(x lower.Expr) (*array, []mapping.Run) {
	switch e := x.(type) {
	case *lower.Ref:
		a := f.variable(e.Sym)
		return a, a.whole()
	case *lower.Element:
		a := f.variable(e.Sym)
		out := make([]mapping.Run, len(a.n))
		for d, s := range e.Subs {
			r := a.along(d)
			switch {
			case s.Section:
				r = f.along(a, s, d)
			case s.Index.Rank() == 0:
				i := f.integer(s.Index)
				r = mapping.Run{From: i, To: i, Step: 1}
			}
			out[d] = r
		}
		return a, out
	}
	return nil, nil
}
