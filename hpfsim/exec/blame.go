package exec

import "whorl/hpfsim/lower"

// outside fails at an index that is out of bounds. At is the position of the index in a vector subscript, 0 elsewhere.
func (f *frame) outside(e *lower.Element, a *array, d, i, at int) {
	if e.Sym.Pool != nil && d == len(a.n)-1 {
		lost(e, i)
	}
	fail(e.Pos, "index %d is outside of dimension %d of %s, which runs from %d to %d, on processor %d", i, d+1, nameOf(e), a.lo[d], a.hi(d), f.blamed(e, d, at))
}

// outsideSection fails at a section that is out of bounds.
func (f *frame) outsideSection(e *lower.Element, a *array, d, lo, hi, step int) {
	at := 0
	if lo >= a.lo[d] && lo <= a.hi(d) { // the first index that is out of bounds
		room := a.hi(d) - lo
		if step < 0 {
			room = lo - a.lo[d]
		}
		at = room/max(step, -step) + 1
	}
	fail(e.Pos, "section %d:%d is outside of dimension %d of %s, which runs from %d to %d, on processor %d", lo, hi, d+1, nameOf(e), a.lo[d], a.hi(d), f.blamed(e, d, at))
}

// blamed returns the processor that meets an error at an element. In an assignment it is the first owner of the
// element that is written, or of the nearest element of its array. At is the position of the element along the
// section in dimension d.
func (f *frame) blamed(e *lower.Element, d, at int) int32 {
	if f.doing == nil {
		return f.who[0]
	}
	left := f.doing.Left
	if sub, ok := left.(*lower.Substring); ok {
		left = sub.X
	}
	if lower.Expr(e) != left {
		reads := false
		lower.Walk(f.doing.Right, func(x lower.Expr) { reads = reads || x == lower.Expr(e) })
		if !reads {
			return f.who[0]
		}
	}
	var sym *lower.Symbol
	var subs []lower.Sub
	switch left := left.(type) {
	case *lower.Ref:
		sym = left.Sym
	case *lower.Element:
		sym, subs = left.Sym, left.Subs
	}
	if sym == nil {
		return f.who[0]
	}
	a := f.variable(sym)
	if a == nil || a.absent || a.lay == nil || a.size() == 0 {
		return f.who[0]
	}
	section := -1 // the section that at counts along
	if lower.Expr(e) == left || elementwise(f.doing.Right, e) {
		section = sections(e.Subs[:d])
	}
	index := make([]int, len(a.n))
	q := inquiry{frame: f}
	for k := range index {
		s, number := lower.Sub{Section: true}, 0
		if subs != nil {
			s = subs[k]
		}
		if s.Section || s.Index.Rank() > 0 {
			if section == 0 {
				number = at
			}
			section--
		}
		switch {
		case s.Section:
			lo, _, step := q.extent(s, a, k)
			index[k] = lo + number*step
		case s.Index.Rank() > 0:
			v := f.array(s.Index)
			if n := v.size(); n > 0 {
				index[k] = int(v.int(v.off + min(number, n-1)*v.step[0]))
			}
		default:
			index[k] = f.integer(s.Index)
		}
		index[k] = min(max(index[k], a.lo[k]), a.hi(k))
	}
	return f.doers(f.who, a, index)[0]
}

// sections returns the number of subscripts that are sections or vectors.
func sections(subs []lower.Sub) (n int) {
	for _, s := range subs {
		if s.Section || s.Index.Rank() > 0 {
			n++
		}
	}
	return n
}

// elementwise reports whether each element of an expression depends only on the elements of an operand at the same
// place.
func elementwise(x lower.Expr, of *lower.Element) bool {
	switch x := x.(type) {
	case *lower.Element:
		return x == of
	case *lower.Unary:
		return elementwise(x.X, of)
	case *lower.Conv:
		return elementwise(x.X, of)
	case *lower.Binary:
		return elementwise(x.X, of) || elementwise(x.Y, of)
	case *lower.Call:
		if x.Fn.Sort != lower.Elemental {
			return false
		}
		for _, y := range x.Args {
			if y != nil && elementwise(y, of) {
				return true
			}
		}
	}
	return false
}
