package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// A piece is the part of a nest that a processor executes: iterations of each loop, by number.
type piece struct {
	who  []int32
	runs []mapping.Run // by loop
}

// pieces distributes the iterations of a nest over the owners that splits determine.
func (f *frame) pieces(who []int32, counts []int, splits []split) []piece {
	all := []piece{{who: who}}
	for l, n := range counts {
		var next []piece
		for _, p := range all {
			if splits[l].axis < 0 {
				next = append(next, piece{p.who, append(slices.Clone(p.runs), mapping.Run{From: 0, To: n - 1, Step: 1})})
				continue
			}
			x := &splits[l]
			for c := range x.grid.Shape[x.axis] {
				for _, r := range x.spread.Followed(c, x.stride, x.offset, mapping.Run{From: 0, To: n - 1, Step: 1}, nil) {
					next = append(next, piece{x.processors(f, p.who, c), append(slices.Clone(p.runs), r)})
				}
			}
		}
		all = next
	}
	return all
}

// pieceState returns the state of a nest for a piece, in the frame of its processor.
func (n *nest) pieceState(s *nestState, g *frame, p piece) *nestState {
	t := n.state(g)
	copy(t.counts, s.counts)
	copy(t.steps, s.steps)
	copy(t.known, s.known)
	t.splits = nil
	for k := range s.places {
		to, from := &t.places[k], &s.places[k]
		by, lo, hi := to.strides, to.lo, to.hi
		copy(by, from.strides)
		copy(lo, from.lo)
		copy(hi, from.hi)
		*to = *from
		to.strides, to.lo, to.hi = by, lo, hi
	}
	inner := len(t.counts) - 1
	for l, r := range p.runs {
		t.counts[l] = r.Len()
		for k := range t.places {
			x := &t.places[k]
			x.line += r.From * x.strides[l]
			x.strides[l] *= r.Step
		}
		if n.vars[l] != nil {
			v := g.variable(n.vars[l])
			v.setInt(v.off, v.int(v.off)+int64(r.From*s.steps[l]))
		}
		t.steps[l] *= r.Step
	}
	for k := range t.places {
		t.places[k].step = t.places[k].strides[inner]
	}
	return t
}

// private returns the private scalars of a nest, and false if one belongs to another unit.
func (n *nest) private(f *frame) ([]*lower.Symbol, bool) {
	var out []*lower.Symbol
	for _, v := range append(slices.Clone(n.vars), n.kept...) {
		if v == nil {
			continue
		}
		if v.Unit != f.unit {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

// divided reports whether different iterations of the distributed loops write different elements.
func (n *nest) divided(s *nestState, splits []split) bool {
	some := false
	for l, x := range splits {
		if x.axis < 0 || x.grid.Shape[x.axis] == 1 {
			continue
		}
		some = true
		for _, st := range n.stores {
			if s.places[st.ref].strides[l] == 0 {
				return false
			}
		}
	}
	return some && !n.joins
}

// runShared has every processor run its iterations of a nest. It returns false if they are not distributed.
func (n *nest) runShared(s *nestState) bool {
	f := s.f
	splits := make([]split, len(s.splits))
	for l, x := range s.splits {
		if splits[l] = x; x.axis >= 0 { // in terms of the number of the iteration instead of the loop's variable
			splits[l].stride, splits[l].offset = x.stride*s.steps[l], x.offset+x.stride*x.r.From
		}
	}
	private, ok := n.private(f)
	if !ok || len(splits) < len(s.counts) || !n.divided(s, splits) {
		return false
	}
	for _, st := range n.stores {
		if s.places[st.ref].a.lay == nil {
			return false // replicated
		}
	}
	place := &s.places[n.stores[0].ref]
	work := parts{}
	var ending *frame
	for _, x := range f.pieces(f.who, s.counts, splits) {
		ends := x.last(s.counts)
		work.add(f.doers(x.who, place.a, place.lo), func(m *Machine) {
			g := f.assistant(m, private)
			t := n.pieceState(s, g, x)
			n.mustLoad(t)
			n.run(t, 0)
			if ends {
				n.keepLast(t, g)
				ending = g
			}
			n.spare.Put(t)
		})
	}
	f.together(work)
	for _, v := range n.kept {
		to, from := f.vars[v.Index], ending.vars[v.Index]
		to.set(to.off, from.get(from.off))
	}
	return true
}

// last reports whether the last iteration of all loops is in a piece.
func (p *piece) last(counts []int) bool {
	for l, r := range p.runs {
		if r.From+(r.Len()-1)*r.Step != counts[l]-1 {
			return false
		}
	}
	return true
}

// runAllShared is runAll with each processor computing its own elements. It returns false if they are not distributed.
func (n *nest) runAllShared(s *nestState, who []int32, splits []split) bool {
	f := s.f
	private, ok := n.private(f)
	if !ok || splits == nil || !n.divided(s, splits) {
		return false
	}
	pieces := f.pieces(who, s.counts, splits)
	share := func(do func(t *nestState, x piece)) {
		work := parts{}
		for _, x := range pieces {
			work.add(x.who, func(m *Machine) {
				t := n.pieceState(s, f.assistant(m, private), x)
				do(t, x)
				n.spare.Put(t)
			})
		}
		f.together(work)
	}
	if n.alone(s) {
		share(func(t *nestState, _ piece) {
			n.collapse(t)
			n.mustLoad(t)
			n.run(t, 0)
		})
		return true
	}
	to := s.places[0]
	aside := n.aside(s)
	if !n.load(s) {
		s.places[0] = to
		return false
	}
	share(func(t *nestState, _ piece) {
		n.mustLoad(t)
		n.run(t, 0)
	})
	s.places[0] = to
	share(func(t *nestState, x piece) {
		from := aside.part(x)
		t.places[0].offset = t.places[0].line
		t.transfer(0, &from, &t.places[0], n.maskOf(t))
	})
	return true
}

// part returns the beginning of a piece in the temporary array.
func (p *place) part(x piece) place {
	from := *p
	from.strides = slices.Clone(p.strides)
	for l, r := range x.runs {
		from.line += r.From * p.strides[l]
		from.strides[l] *= r.Step
	}
	from.step = from.strides[len(from.strides)-1]
	from.offset = from.line
	return from
}

// sectionSplits returns the owners of the elements of a target array or section, by loop. The loop of the last
// dimension is first.
func (f *frame) sectionSplits(left lower.Expr) (who []int32, splits []split) {
	var a *array
	var subs []lower.Sub
	switch e := left.(type) {
	case *lower.Ref:
		a = f.variable(e.Sym)
		for range a.n {
			subs = append(subs, lower.Sub{Section: true})
		}
	case *lower.Element:
		a, subs = f.variable(e.Sym), e.Subs
	}
	if a == nil || a.lay == nil {
		return nil, nil
	}
	q := inquiry{frame: f}
	at := slices.Clone(a.lo)
	for d, s := range subs {
		switch {
		case s.Section:
			lo, _, step := q.extent(s, a, d)
			splits = append([]split{dimension(a, d, lo, step)}, splits...)
		case s.Index.Rank() == 0:
			at[d] = f.integer(s.Index)
		}
	}
	return f.doers(f.who, a, at), splits
}

// indexSplits returns the owners of the elements that a FORALL assigns to.
func (n *nest) indexSplits(s *nestState) (who []int32, splits []split) {
	to, r := &s.places[n.stores[0].ref], n.refs[n.stores[0].ref]
	if to.a.lay == nil {
		return nil, nil
	}
	for l := range s.counts {
		x := split{axis: -1}
		for d, sub := range r.subs {
			if by := sub.factors[l] * s.steps[l]; by > 0 {
				x = dimension(to.a, d, to.lo[d], by)
			} else if by < 0 {
				x = dimension(to.a, d, to.hi[d], by)
			}
		}
		splits = append(splits, x)
	}
	return s.f.who, splits
}

// dimension returns the owners of the elements lo, lo + step, ... of a dimension of an array, by position.
func dimension(a *array, d, lo, step int) split {
	x := a.lay.Follow[d]
	t := a.lay.Template
	if x.Dim < 0 || t.Axis[x.Dim] < 0 {
		return split{axis: -1}
	}
	return split{grid: t.Grid, axis: t.Axis[x.Dim], spread: t.Spread[x.Dim], stride: x.Stride * step, offset: x.Stride*lo + x.Offset}
}

const leastShared = 1 << 13 // least number of elements of a part, because of the cost of synchronization

// evenly executes do for equal parts of [0, n) on the processors of a live run. An index stands for each elements. If the
// operands are not mapped, or there is too little work, the calling goroutine executes do for the whole range. Ownership
// does not matter, because all values are in one memory. A run that does not share the work executes do for one short range after the other, and may pause in between.
func (f *frame) evenly(n, each int, read []lower.Expr, do func(m *Machine, lo, hi int)) {
	least := f.opts.leastShared
	if least == 0 {
		least = leastShared
	}
	count := min(n, len(f.ranks), n*max(each, 1)/least)
	shares := f.crew != nil && count >= 2 && !f.plain && len(f.who) == len(f.ranks) && f.readsMapped(read)
	switch {
	case f.assists != nil && f.crew == nil: // it does not pause
		do(f.Machine, 0, n)
		return
	case !shares:
		for lo := 0; lo < n; {
			hi := min(lo+max(elementsBetween/max(each, 1), 1), n)
			do(f.Machine, lo, hi)
			f.pace((hi - lo) * max(each, 1))
			lo = hi
		}
		return
	}
	work := parts{}
	for p := range count {
		work.add(f.ranks[p*len(f.ranks)/count:], func(m *Machine) { do(m, p*n/count, (p+1)*n/count) })
	}
	f.together(work)
}

// readsMapped reports whether expressions contain a mapped array.
func (f *frame) readsMapped(read []lower.Expr) bool {
	found := false
	for _, x := range read {
		lower.Walk(x, func(e lower.Expr) {
			var a *array
			switch e := e.(type) {
			case *lower.Ref:
				a = f.variable(e.Sym)
			case *lower.Element:
				a = f.variable(e.Sym)
			}
			found = found || a != nil && a.lay != nil
		})
	}
	return found
}
