package exec

import (
	"cmp"
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// A need is the number of elements that a processor has and another one needs.
type need struct {
	from, to int32
	n        int64
}

// A plan is the result of the latest inquiry for a Comm, which is reused if nothing has changed.
type plan struct {
	from, home *mapping.Array
	starts     []int  // for affine indices: their values at the first iteration, and the loops' ranges
	indices    uint64 // for other indices: a checksum
	needs      []need
}

// needs returns the elements that processors need for a statement. The owners of the target read them, or all processors if the target is not mapped;
// each element counts once for a processor. Known reports that the indices have not changed since the last time. Ok is false if the needs cannot be
// computed before the statement.
//
// Groups of subscripts without common variables are counted separately. The counts of the groups are multiplied.
func (f *frame) needs(c *lower.Comm, a *array) (all []need, known, ok bool) {
	if c.Source == nil || !c.Plain {
		return nil, false, false
	}
	q := &inquiry{frame: f, source: a}
	defer f.drop(f.used)
	if c.Home != nil {
		if q.home = f.laid(c.Home.Sym); q.home == nil || q.home.lay == nil || q.home.absent {
			return nil, false, false
		}
	}
	defer q.restore()
	if !q.prepare(c) {
		return nil, false, false
	}
	p := &plan{from: a.lay}
	if q.home != nil {
		p.home = q.home.lay
	}
	old := f.plans[c]
	simple := c.Fixed && q.apart()
	if simple {
		p.starts = q.starts()
		if old != nil && old.from == p.from && old.home == p.home && slices.Equal(old.starts, p.starts) {
			return old.needs, true, true
		}
	}
	p.needs = q.answer()
	p.indices = q.sum
	f.plans[c] = p
	return p.needs, old != nil && old.from == p.from && old.home == p.home && old.indices == p.indices, true
}

// answer counts the needs of each group of subscripts with common variables, and multiplies them.
func (q *inquiry) answer() []need {
	all := []need{{n: 1}}
	for _, g := range q.groups() {
		all = cross(all, q.count(g))
	}
	grid := q.source.lay.Template.Grid
	homes := grid
	if q.home == nil {
		every := make([]need, len(q.who))
		for i, p := range q.who {
			every[i] = need{to: p, n: 1}
		}
		all = cross(all, every)
	} else {
		homes = q.home.lay.Template.Grid
		all = cross(all, unfollowed(q.home, false))
	}
	all = cross(all, unfollowed(q.source, true))
	var out []need
	for _, x := range all {
		if slices.Equal(grid.Shape, homes.Shape) {
			x.from = nearest(q.source.lay, x.from, x.to)
		}
		if x.from != x.to {
			out = append(out, x)
		}
	}
	p := int32(len(q.ranks))
	slices.SortFunc(out, func(x, y need) int { // in turns: in each, every processor sends to one other
		return cmp.Or(cmp.Compare((x.to-x.from+p)%p, (y.to-y.from+p)%p), cmp.Compare(x.from, y.from))
	})
	return out
}

// cross multiplies two independent counts.
func cross(a, b []need) []need {
	out := make([]need, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, need{x.from + y.from, x.to + y.to, x.n * y.n})
		}
	}
	return out
}

// unfollowed returns the coordinates of an array along the axes of the processors that none of its dimensions is
// aligned with: all coordinates of the copies of a target, and none for an operand, whose nearest copy is used.
func unfollowed(a *array, source bool) []need {
	t := a.lay.Template
	out := []need{{n: 1}}
	put := func(weight, c int) need {
		if source {
			return need{from: int32(weight * c), n: 1}
		}
		return need{to: int32(weight * c), n: 1}
	}
	weight := 1
	for axis, size := range t.Grid.Shape {
		d := slices.Index(t.Axis, axis)
		if at, copies, alone := a.lay.Alone(d); alone {
			var some []need
			switch {
			case !copies:
				some = append(some, put(weight, t.Spread[d].Owner(at)))
			case source:
				some = append(some, put(weight, 0))
			default:
				for c := range size {
					some = append(some, put(weight, c))
				}
			}
			out = cross(out, some)
		}
		weight *= size
	}
	return out
}

// nearest returns the processor with a copy at the coordinates of the processor that needs it.
func nearest(lay *mapping.Array, from, to int32) int32 {
	t := lay.Template
	weight := int32(1)
	for axis, size := range t.Grid.Shape {
		if _, copies, alone := lay.Alone(slices.Index(t.Axis, axis)); alone && copies {
			from += weight * (int32(t.Grid.Coordinate(int(to), axis)) - from/weight%int32(size))
		}
		weight *= int32(size)
	}
	return from
}

// groups returns the sets of variables that occur together in a subscript or a range, and one more set for subscripts
// without variables.
func (q *inquiry) groups() [][]int {
	of := make([]int, len(q.vars))
	for i := range of {
		of[i] = i
	}
	join := func(a, b int) {
		from, to := max(of[a], of[b]), min(of[a], of[b])
		for i := range of {
			if of[i] == from {
				of[i] = to
			}
		}
	}
	for _, s := range q.subs {
		for _, v := range s.vars {
			join(v, s.vars[0])
		}
	}
	for i := range q.vars {
		for _, v := range q.vars[i].uses {
			join(i, v)
		}
	}
	out := [][]int{{}}
	for i := range of {
		var group []int
		for k := range of {
			if of[k] == i {
				group = append(group, k)
			}
		}
		if len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// count counts the needs of a group over the values of its variables.
func (q *inquiry) count(group []int) []need {
	var mine []subscript
	for _, s := range q.subs {
		if len(s.vars) == 0 && len(group) == 0 || len(s.vars) > 0 && slices.Contains(group, s.vars[0]) {
			mine = append(mine, s)
		}
	}
	type element struct {
		index int
		to    int32
	}
	seen := map[element]bool{}
	found := map[[2]int32]int64{}
	q.eachValue(group, func() {
		var e element
		var from int32
		for _, s := range mine {
			at, ok := q.index(s)
			if !ok {
				return
			}
			q.sum = (q.sum ^ uint64(at)) * 0x100000001b3
			if s.source {
				from += part(q.source, s.dim, at)
				e.index = e.index*(q.source.n[s.dim]+1) + at - q.source.lo[s.dim]
			} else {
				e.to += part(q.home, s.dim, at)
			}
		}
		if !seen[e] {
			seen[e] = true
			found[[2]int32{from, e.to}]++
		}
	})
	out := make([]need, 0, len(found))
	for pair, n := range found {
		out = append(out, need{pair[0], pair[1], n})
	}
	slices.SortFunc(out, func(x, y need) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	return out
}

// eachValue calls do for all values of some variables.
func (q *inquiry) eachValue(group []int, do func()) {
	if len(group) == 0 {
		do()
		return
	}
	v := &q.vars[group[0]]
	if len(v.uses) > 0 && !q.bounded(v) {
		return
	}
	for k := range v.n {
		v.set(k)
		q.eachValue(group[1:], do)
	}
}

// part returns the contribution of an index to the rank of its owner.
func part(a *array, dim, at int) int32 {
	x := a.lay.Follow[dim]
	t := a.lay.Template
	if x.Dim < 0 || t.Axis[x.Dim] < 0 {
		return 0
	}
	weight := 1
	for _, n := range t.Grid.Shape[:t.Axis[x.Dim]] {
		weight *= n
	}
	return int32(weight * t.Spread[x.Dim].Owner(x.Stride*at+x.Offset))
}
