package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// An inquiry finds which elements of one array a statement needs.
type inquiry struct {
	*frame
	source, home *array
	vars         []counted
	subs         []subscript
	saved        []int64
	sum          uint64 // a checksum of all computed indices
}

// A counted is a variable with a range: that of a loop, or the position in a section.
type counted struct {
	loop  *array // the variable of a loop; nil for a section
	span  lower.Span
	lo, n int
	step  int
	uses  []int // outer loops that its bounds depend on
	now   int   // the position in a section
}

// A subscript is an index of the array that is read, or of the target.
type subscript struct {
	dim    int
	source bool
	vars   []int // its variables
	index  func() int
}

// prepare finds the variables and the subscripts.
func (q *inquiry) prepare(c *lower.Comm) bool {
	for _, s := range c.Loops {
		v := q.variable(s.Var)
		if v == nil || !v.integers() || v.size() == 0 {
			return false
		}
		x := counted{loop: v, span: s}
		for k := range q.vars {
			for _, bound := range []lower.Expr{s.Lo, s.Hi, s.Step} {
				if lower.Mentions(bound, q.vars[k].span.Var) && !slices.Contains(x.uses, k) {
					x.uses = append(x.uses, k)
				}
			}
		}
		q.vars = append(q.vars, x)
		q.saved = append(q.saved, v.int(v.off))
	}
	loops := len(q.vars)
	lead, leading := c.Source, q.source
	if c.Home != nil {
		lead, leading = c.Home, q.home
	}
	for d, s := range lead.Subs { // all references have the same positions in sections
		switch {
		case s.Section:
			lo, n, step := q.extent(s, leading, d)
			q.vars = append(q.vars, counted{lo: lo, n: n, step: step})
		case s.Index.Rank() > 0:
			q.vars = append(q.vars, counted{n: q.array(s.Index).size(), step: 1})
		}
	}
	if c.Home != nil {
		q.subscripts(c.Home, q.home, loops, nil, false)
	}
	q.subscripts(c.Source, q.source, loops, c.Turn, true)
	for i := range q.vars {
		if v := &q.vars[i]; v.loop != nil && len(v.uses) == 0 && !q.bounded(v) {
			return false
		}
	}
	for _, s := range q.subs {
		for _, v := range s.vars {
			if v >= len(q.vars) {
				return false // the shapes differ: the statement will fail
			}
		}
	}
	return true
}

// bounded evaluates the range of a loop. It returns false for an error and for a step of 0.
func (q *inquiry) bounded(v *counted) (ok bool) {
	defer forgive()
	v.lo, v.step = q.integer(v.span.Lo), 1
	if v.span.Step != nil {
		v.step = q.integer(v.span.Step)
	}
	if v.step == 0 {
		return false
	}
	v.n = max((q.integer(v.span.Hi)-v.lo+v.step)/v.step, 0)
	return true
}

// extent returns the first index, the number of elements and the step of a section.
func (q *inquiry) extent(s lower.Sub, a *array, d int) (lo, n, step int) {
	lo, hi, step := q.limits(s, a, d)
	if step == 0 {
		return lo, 0, 1
	}
	return lo, max((hi-lo+step)/step, 0), step
}

// subscripts adds the subscripts of a reference. Its sections use the variables from first on.
func (q *inquiry) subscripts(e *lower.Element, a *array, first int, turn *lower.Turn, source bool) {
	section := 0
	for d, s := range e.Subs {
		x := subscript{dim: d, source: source}
		place := first + section
		if s.Section || s.Index.Rank() > 0 {
			if turn != nil && turn.By == nil {
				place = first + 1 - section
			}
			x.vars = []int{place}
			section++
		}
		switch {
		case s.Section:
			lo, n, step := q.extent(s, a, d)
			if turn != nil && turn.By != nil && q.turns(turn, section) {
				by := q.integer(turn.By)
				x.index = func() int {
					k := q.vars[place].now + by
					if turn.Circular && n > 0 {
						k = (k%n + n) % n
					}
					return lo + step*k
				}
				break
			}
			x.index = func() int { return lo + step*q.vars[place].now }
		case s.Index.Rank() > 0:
			v := q.copied(q.array(s.Index))
			x.index = func() int {
				if k := q.vars[place].now; k < v.size() {
					return int(v.int(k))
				}
				return a.lo[d] - 1
			}
		default:
			for k := range first {
				if lower.Mentions(s.Index, q.vars[k].span.Var) {
					x.vars = append(x.vars, k)
				}
			}
			at := s.Index
			x.index = func() int { return q.integer(at) }
		}
		q.subs = append(q.subs, x)
	}
}

// turns reports whether a transformation shifts along a section, counted from 1.
func (q *inquiry) turns(t *lower.Turn, section int) bool {
	dim := 1
	if t.Dim != nil {
		dim = q.integer(t.Dim)
	}
	return dim == section
}

// restore restores the variables of loops.
func (q *inquiry) restore() {
	for i, v := range q.saved {
		x := q.vars[i].loop
		x.setInt(x.off, v)
	}
}

// apart reports whether every subscript and every range depends on one variable at most.
func (q *inquiry) apart() bool {
	for i := range q.vars {
		if len(q.vars[i].uses) > 0 {
			return false
		}
	}
	for _, s := range q.subs {
		if len(s.vars) > 1 {
			return false
		}
	}
	return true
}

// starts returns the numbers that determine all indices that are affine sums.
func (q *inquiry) starts() []int {
	var out []int
	for i := range q.vars {
		v := &q.vars[i]
		out = append(out, v.lo, v.n, v.step)
		v.set(0)
	}
	for _, s := range q.subs {
		at, _ := q.index(s)
		out = append(out, at)
	}
	return out
}

// set sets a variable to its value number k.
func (v *counted) set(k int) {
	if v.loop != nil {
		v.loop.setInt(v.loop.off, int64(v.lo+k*v.step))
		return
	}
	v.now = k
}

// index evaluates a subscript. It returns false if it fails or is out of bounds; the statement will report that.
func (q *inquiry) index(s subscript) (at int, ok bool) {
	defer forgive()
	a := q.home
	if s.source {
		a = q.source
	}
	at = s.index()
	return at, at >= a.lo[s.dim] && at <= a.hi(s.dim)
}

// forgive is deferred. It drops an error of the program, which the statement will report.
func forgive() {
	r := recover()
	if _, failed := r.(*RunError); r != nil && !failed {
		panic(r)
	}
}
