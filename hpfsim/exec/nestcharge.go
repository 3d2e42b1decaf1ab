package exec

import (
	"slices"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
)

// divides reports whether the iterations of each processor repeat regularly: along each axis that a target is
// distributed over, either the iterations are distributed or all of them write at one coordinate.
func (n *nest) divides(s *nestState) bool {
	for l, x := range s.splits {
		if x.axis < 0 {
			continue
		}
		home := n.do[l].Parallel.Home.Subs[n.do[l].Parallel.Index].Index
		factors, _, ok := lower.Affine(home)
		if !ok {
			return false
		}
		for k, v := range n.vars {
			if k != l && factors[v] != 0 || k < l && s.splits[k].axis >= 0 && (!alike(s.splits[k].grid, x.grid) || s.splits[k].axis == x.axis) {
				return false
			}
		}
	}
	for _, st := range n.stores {
		a := s.places[st.ref].a
		if a.lay == nil {
			continue
		}
		t := a.lay.Template
		for d, follow := range a.lay.Follow {
			if follow.Dim < 0 || t.Axis[follow.Dim] < 0 {
				continue
			}
			axis := t.Axis[follow.Dim]
			if t.Grid.Shape[axis] == 1 {
				continue
			}
			for l, k := range n.refs[st.ref].subs[d].factors {
				if k != 0 && s.counts[l] > 1 && (s.splits[l].axis != axis || !alike(s.splits[l].grid, t.Grid)) {
					return false
				}
			}
		}
	}
	return true
}

// alike reports whether two arrangements of processors are the same.
func alike(g, h *lower.Grid) bool { return g == h || slices.Equal(g.Shape, h.Shape) }

// charge has the processors of who execute the nest from loop l inwards. Their iterations of the outer loops are in
// s.mine.
func (n *nest) charge(s *nestState, l int, who []int32) {
	if l == 0 {
		s.ownCounts = append(s.ownCounts[:0], s.counts...)
	}
	if l == len(s.counts) {
		n.spend(s, who)
		return
	}
	if l >= len(s.splits) || s.splits[l].axis < 0 {
		n.charge(s, l+1, who)
		return
	}
	x := &s.splits[l]
	for c := range x.grid.Shape[x.axis] {
		s.ownCounts[l] = 0
		for _, r := range x.spread.Followed(c, x.stride, x.offset, x.r, nil) {
			s.ownCounts[l] += r.Len()
		}
		if l > 0 || s.ownCounts[l] > 0 {
			n.charge(s, l+1, x.processors(s.f, who, c))
		}
	}
}

// spend has processors execute the same iterations. Each executes the statements whose targets it owns.
func (n *nest) spend(s *nestState, who []int32) {
	if len(s.f.ranks) == 1 {
		p := n.pattern(s, ^uint64(0))
		s.f.spend(who, &p)
		return
	}
	does := map[int32]uint64{}
	few := false
	for _, st := range n.stores {
		a := s.places[st.ref].a
		if a.lay == nil {
			continue
		}
		if some := s.f.doers(who, a, s.places[st.ref].lo); len(some) < len(who) {
			few = true
			for _, p := range some {
				does[p] |= 1 << st.stmt
			}
		} else {
			for _, p := range who {
				does[p] |= 1 << st.stmt
			}
		}
	}
	if !few {
		p := n.pattern(s, ^uint64(0))
		s.f.spend(who, &p)
		return
	}
	always := ^uint64(0)
	for _, st := range n.stores {
		if s.places[st.ref].a.lay != nil {
			always &^= 1 << st.stmt
		}
	}
	patterns := map[uint64]charge.Pattern{}
	for k, q := range who {
		mask := always | does[q]
		p, known := patterns[mask]
		if !known {
			p = n.pattern(s, mask)
			patterns[mask] = p
		}
		s.f.spend(who[k:k+1], &p)
	}
}

// pattern returns the instructions of a processor that executes the assignments in mask.
func (n *nest) pattern(s *nestState, mask uint64) charge.Pattern {
	c := s.f.code
	inner := len(n.do) - 1
	var parts []charge.Pattern
	begin, end := 0, 0 // the last part
	add := func(first, last int) {
		if end > begin && end == first {
			parts[len(parts)-1] = c.Repeat(begin, last, 1)
			end = last
		} else if first < last {
			parts = append(parts, c.Repeat(first, last, 1))
			begin, end = first, last
		}
	}
	stmt := 0
	for _, b := range n.body {
		if _, ok := b.(*lower.Assign); ok {
			if mask>>stmt&1 == 1 {
				add(b.Info().First, b.Info().Last)
			}
			stmt++
		}
	}
	add(n.do[inner].End.First, n.do[inner].End.Last)
	p := charge.Sequence(int64(s.ownCounts[inner]), parts...)
	for l := inner - 1; l >= 0; l-- {
		head, end := n.do[l+1].Info(), &n.do[l].End
		p = charge.Sequence(int64(s.ownCounts[l]), c.Repeat(head.First, head.Last, 1), p, c.Repeat(end.First, end.Last, 1))
	}
	return p
}
