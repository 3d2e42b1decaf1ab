package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// maskPlace is the number of the reference that holds the mask of a nest, with an element for each iteration.
const maskPlace = 1

// maskedElement plans the assignment of a FORALL with a mask. The mask is kept, since it determines what each
// processor executes.
func (c *planner) maskedElement(left *lower.Element, a *lower.Assign, mask lower.Expr) {
	n := c.n
	n.masked, c.masked = true, true
	c.target(left)
	n.refs = append(n.refs, &ref{write: true})
	n.stores = append(n.stores, store{})
	c.masked = false // the mask itself is computed everywhere
	c.value(mask)
	c.add(assignment{target: maskPlace, temp: -1, private: -1, value: mask})
	c.masked = true
	c.value(a.Right)
	c.add(assignment{temp: -1, private: -1, value: a.Right, masked: true})
	n.first = append(n.first, a.First)
}

// maskOf returns the beginning of the mask, nil if there is none.
func (n *nest) maskOf(s *nestState) *place {
	if !n.masked {
		return nil
	}
	mask := &s.places[maskPlace]
	mask.offset = mask.line
	return mask
}

// forallMasked executes an assignment of a FORALL with a mask. Each owner executes the instructions for its own
// elements where the mask holds. It returns false if it cannot.
func (n *nest) forallMasked(s *nestState, a *lower.Assign) bool {
	f := s.f
	to := s.places[0] // before runAll replaces it
	lo := append([]int(nil), to.lo...)
	hi := append([]int(nil), to.hi...)
	of := s.places[maskPlace]
	if !n.runOwned(s, func() ([]int32, []split) { return n.indexSplits(s) }) {
		return false
	}
	if f.opts.Live {
		return true
	}
	dims := make([][]offsets, len(lo)) // in the mask, by dimension of the target
	section := make([]mapping.Run, len(lo))
	loops := make([]int, len(lo))
	for d, sub := range n.refs[0].subs {
		section[d], loops[d] = mapping.Run{From: lo[d], To: hi[d], Step: 1}, -1
		for l, k := range sub.factors {
			if k != 0 {
				section[d].Step, loops[d] = max(k*s.steps[l], -k*s.steps[l]), l
			}
		}
	}
	along := func(d int, r mapping.Run) offsets { // steps of r are multiples of those of the index
		l := loops[d]
		if l < 0 {
			return offsets{n: 1}
		}
		first, by := lo[d], n.refs[0].subs[d].factors[l]*s.steps[l]
		if by < 0 {
			first = hi[d]
		}
		return offsets{(r.From - first) / by * of.strides[l], r.Step / by * of.strides[l], r.Len()}
	}
	if to.a.lay == nil {
		for d, r := range section {
			dims[d] = []offsets{along(d, r)}
		}
		f.run(a.First, a.Last, f.chosen(&of.cells, 0, dims))
		return true
	}
	for k, p := range f.who {
		if int(p) >= to.a.lay.Template.Grid.Size() {
			continue
		}
		owned := to.a.lay.Owned(int(p), section)
		if owned == nil {
			continue
		}
		for d, runs := range owned {
			dims[d] = dims[d][:0:0]
			for _, r := range runs {
				if dims[d] = append(dims[d], along(d, r)); loops[d] < 0 {
					break
				}
			}
		}
		f.charge(f.who[k:k+1], a.First, a.Last, f.chosen(&of.cells, 0, dims))
	}
	return true
}

// Offsets are n places at equal distances.
type offsets struct{ first, step, n int }

// chosen counts the elements at sums of offsets where a mask holds.
func (m *Machine) chosen(mask *cells, at int, dims [][]offsets) (n int64) {
	last := len(dims) - 1
	for _, r := range dims[last] {
		at := at + r.first
		for range r.n {
			if last > 0 {
				n += m.chosen(mask, at, dims[:last])
			} else {
				n += mask.int(at)
				m.pace(1)
			}
			at += r.step
		}
	}
	return n
}
