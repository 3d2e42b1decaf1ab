package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// arrayAsNest computes an expression as a nest into a new array. It returns nil if it cannot, and also if shapes
// differ, which another evaluation reports.
func (f *frame) arrayAsNest(x lower.Expr) *array {
	n := f.nestOf(x, func() *nest { return valueNest(x) })
	if n == nil {
		return nil
	}
	for _, r := range n.refs[1:] { // an operand that is not computed tells the number of elements
		if r.sym == nil {
			continue
		}
		if !n.worth(f, f.view(r.x).size()) {
			return nil
		}
		break
	}
	s := n.state(f)
	defer n.spare.Put(s)
	n.invariants(s)
	var shape []int
	for k := 1; k < len(n.refs); k++ {
		a := f.operand(n.refs[k].x)
		if a == nil {
			return nil
		}
		if shape == nil {
			shape = a.n
		} else if !slices.Equal(shape, a.n) {
			return nil
		}
		s.places[k].section(a)
	}
	out := f.newVariable(x.Type(), 0, ones(len(shape)), shape)
	s.places[0].section(out)
	if !n.whole(s, shape) {
		return nil
	}
	return out
}

// valueNest plans an expression whose values go to a new array.
func valueNest(x lower.Expr) *nest {
	return planned(func(c *planner) {
		n := c.n
		n.vars = make([]*lower.Symbol, x.Rank())
		n.refs = append(n.refs, &ref{write: true})
		if !represented(x.Type()) {
			panic(giveUp{})
		}
		c.store(0, x)
		if len(n.refs) == 1 {
			panic(giveUp{})
		}
	})
}

// whole runs a nest of sections of a shape. It returns false, and runs nothing, if it cannot.
func (n *nest) whole(s *nestState, shape []int) bool {
	size, long := 1, 0
	for l := range s.counts {
		s.counts[l] = shape[len(shape)-1-l]
		size *= s.counts[l]
		if s.counts[l] > s.counts[long] {
			long = l
		}
	}
	switch {
	case size == 0:
		return true
	case !n.load(s):
		return false
	case s.f.crew == nil:
		n.collapse(s)
		n.run(s, 0)
		return true
	}
	var read []lower.Expr
	for _, r := range n.refs {
		read = append(read, r.x)
	}
	s.f.evenly(s.counts[long], size/s.counts[long], read, func(m *Machine, lo, hi int) {
		t := s
		if m != s.f.Machine {
			p := piece{runs: make([]mapping.Run, len(s.counts))}
			for l, c := range s.counts {
				p.runs[l] = mapping.Run{From: 0, To: c - 1, Step: 1}
			}
			p.runs[long] = mapping.Run{From: lo, To: hi - 1, Step: 1}
			t = n.pieceState(s, s.f.assistant(m, nil), p)
			defer n.spare.Put(t)
		}
		n.collapse(t)
		n.mustLoad(t)
		n.run(t, 0)
	})
	return true
}

// whereAsNest executes an assignment under a mask as a nest. It returns false if it cannot.
func (f *frame) whereAsNest(a *lower.Assign, to, mask *array) bool {
	n := f.nestOf(a, func() *nest { return whereNest(a) })
	if n == nil || !n.worth(f, to.size()) || to.block == nil {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	n.invariants(s)
	for k, r := range n.refs {
		at := to
		switch k {
		case 0:
		case maskPlace:
			at = f.inMemory(mask)
		default:
			at = f.operand(r.x)
		}
		if at == nil || !slices.Equal(at.n, to.n) {
			return false
		}
		s.places[k].section(at)
	}
	for l := range s.counts {
		s.counts[l] = to.n[len(to.n)-1-l]
	}
	return n.runOwned(s, func() ([]int32, []split) { return f.sectionSplits(a.Left) })
}

// whereNest plans an assignment under a mask, which is the second place.
func whereNest(a *lower.Assign) *nest {
	return planned(func(c *planner) {
		n := c.n
		n.vars, n.masked = make([]*lower.Symbol, a.Left.Rank()), true
		c.target(a.Left)
		n.refs = append(n.refs, &ref{})
		n.stores = append(n.stores, store{})
		c.value(a.Right)
		c.add(assignment{temp: -1, private: -1, value: a.Right, masked: true})
	})
}
