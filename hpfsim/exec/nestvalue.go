package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// arrayStrips computes an expression in strips into a new array. It returns nil if it cannot, and also if shapes
// differ, which another evaluation reports.
func (f *frame) arrayStrips(x lower.Expr) *array {
	n := f.nestOf(x, func() *nest { return valueNest(x) })
	if n == nil {
		return nil
	}
	s := n.state(f)
	defer n.spare.Put(s)
	n.invariants(s)
	var shape []int
	for k := 1; k < len(n.refs); k++ {
		a := f.array(n.refs[k].x)
		if shape == nil {
			shape = a.n
		} else if !slices.Equal(shape, a.n) {
			return nil
		}
		s.places[k].section(a)
	}
	out := f.newTemporary(x.Type(), shape)
	s.places[0].section(out)
	n.whole(s, shape)
	return out
}

// valueNest compiles an expression whose values go to a new array.
func valueNest(x lower.Expr) *nest {
	n := &nest{vars: make([]*lower.Symbol, x.Rank())}
	c := &stripper{n: n}
	return compiled(n, func() {
		if !stripped(x.Type()) {
			panic(giveUp{})
		}
		n.refs = append(n.refs, &ref{write: true})
		c.store(0, x)
		c.finish()
		if len(n.refs) == 1 {
			panic(giveUp{})
		}
	})
}

// whole runs a nest of sections of a shape.
func (n *nest) whole(s *strips, shape []int) {
	size, long := 1, 0
	for l := range s.counts {
		s.counts[l] = shape[len(shape)-1-l]
		size *= s.counts[l]
		if s.counts[l] > s.counts[long] {
			long = l
		}
	}
	if size == 0 {
		return
	}
	if s.f.crew == nil {
		n.collapse(s)
		n.run(s, 0)
		return
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
		n.run(t, 0)
	})
}

// whereStrips executes an assignment under a mask in strips. It returns false if it cannot.
func (f *frame) whereStrips(a *lower.Assign, to, mask *array) bool {
	n := f.nestOf(a, func() *nest { return whereNest(a) })
	if n == nil {
		return false
	}
	s := n.state(f)
	defer n.spare.Put(s)
	n.invariants(s)
	for k, r := range n.refs {
		at := to
		switch k {
		case 0:
		case 1:
			at = mask
		default:
			if at = f.array(r.x); !slices.Equal(at.n, to.n) {
				return false
			}
		}
		s.places[k].section(at)
	}
	for l := range s.counts {
		s.counts[l] = to.n[len(to.n)-1-l]
	}
	if !n.ahead(s) || f.crew != nil && !n.alone(s) {
		return false
	}
	if f.crew != nil && to.size() > 0 {
		if who, splits := f.sectionSplits(a.Left); n.runAllShared(s, who, splits) {
			return true
		}
	}
	n.whole(s, to.n)
	return true
}

// whereNest compiles an assignment under a mask, which is the second place.
func whereNest(a *lower.Assign) *nest {
	n := &nest{vars: make([]*lower.Symbol, a.Left.Rank())}
	c := &stripper{n: n}
	return compiled(n, func() {
		if !stripped(a.Left.Type()) || a.Left.Type().Floating() != a.Right.Type().Floating() {
			panic(giveUp{})
		}
		c.place(a.Left)
		n.refs[0].write = true
		n.refs = append(n.refs, &ref{})
		n.stores = append(n.stores, store{})
		n.code.plan = append(n.code.plan, assignment{value: a.Right, mask: 1})
		c.floatStrip(0)
		m := c.intStrip()
		mask := c.intPlace(1)
		if a.Right.Type().Floating() {
			of := c.floats(a.Right, 1)
			n.stmts = append(n.stmts, func(s *strips) {
				p := &s.places[0]
				p.chooseReals(of(s, s.floats[0][:s.n]), mask(s, s.ints[m][:s.n]))
			})
		} else {
			t := c.intStrip()
			of := c.ints(a.Right, 1)
			n.stmts = append(n.stmts, func(s *strips) {
				p := &s.places[0]
				p.chooseInts(of(s, s.ints[t][:s.n]), mask(s, s.ints[m][:s.n]))
			})
		}
		c.finish()
	})
}

func (p *place) chooseReals(v []float64, mask []int64) {
	if p.f4 != nil {
		choose(p.f4, p.offset, p.step, v, mask)
	} else {
		choose(p.f, p.offset, p.step, v, mask)
	}
}

func (p *place) chooseInts(v, mask []int64) {
	if p.i4 != nil {
		choose(p.i4, p.offset, p.step, v, mask)
	} else {
		choose(p.i, p.offset, p.step, v, mask)
	}
}

// choose stores the values where the mask holds.
func choose[S, T number](to []S, at, step int, v []T, mask []int64) {
	v = v[:len(mask)]
	for i, m := range mask {
		if m != 0 {
			to[at] = S(v[i])
		}
		at += step
	}
}
