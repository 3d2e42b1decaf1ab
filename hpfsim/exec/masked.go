package exec

import (
	"whorl/hpfsim/lower"
)

// where assigns under masks, which are all computed before anything is assigned under them.
func (f *frame) where(s *lower.Where) {
	var open *array // where no mask held so far
	for k, x := range s.Masks {
		var mask *array
		if x != nil {
			m := f.array(x)
			switch x.(type) {
			case *lower.Binary, *lower.Unary: // an array of its own
			default:
				m = f.copied(m)
			}
			if open == nil {
				open = f.like(m.t, 0, m)
				for i := range open.i {
					open.i[i] = 1
				}
			}
			f.conform(x.Pos(), m, open)
			mask = m
			f.evenly(len(mask.i), 1, s.Masks, func(_ *Machine, lo, hi int) {
				for i := lo; i < hi; i++ {
					mask.i[i] &= open.i[i]
					open.i[i] &^= mask.i[i]
				}
			})
		} else {
			mask = open
		}
		for _, b := range s.Bodies[k] {
			a, ok := b.(*lower.Assign)
			if !ok {
				continue
			}
			f.messages(a.Comms, a.First)
			to := f.view(a.Left)
			f.conform(a.At, to, mask)
			if !f.whereStrips(a, to, mask) {
				f.storeArray(a.Left, f.array(a.Right), mask)
			}
			f.share(a.Left, a.First, a.Last)
		}
	}
}

// forall assigns for all values of its indices: one statement after the other, each computed for all before it is stored.
func (f *frame) forall(s *lower.Forall) {
	saved := make([]int64, len(s.Vars))
	for i, v := range s.Vars {
		a := f.variable(v)
		saved[i] = a.i[a.off]
	}
	if f.promises != nil && s.Promised {
		defer f.promised("FORALL", s.At, s.Vars, s.Body)()
	}
	for _, b := range s.Body {
		switch b := b.(type) {
		case *lower.Assign:
			f.forallAssign(s, b)
		default:
			f.combinations(s, 0, func() { f.stmt(b) })
		}
	}
	for i, v := range s.Vars {
		a := f.variable(v)
		a.i[a.off] = saved[i]
	}
}

// combinations runs body for all values of the indices that the mask lets through, the last index fastest.
func (f *frame) combinations(s *lower.Forall, k int, body func()) {
	if k == len(s.Vars) {
		if s.Mask == nil || f.value(s.Mask).I != 0 {
			body()
		}
		return
	}
	v := f.variable(s.Vars[k])
	lo, hi, step := f.integer(s.Los[k]), f.integer(s.His[k]), 1
	if s.Step[k] != nil {
		step = f.integer(s.Step[k])
	}
	if step == 0 {
		fail(s.At, "a FORALL with a step of 0")
	}
	for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
		v.i[v.off] = int64(i)
		f.combinations(s, k+1, body)
	}
}

func (f *frame) forallAssign(s *lower.Forall, a *lower.Assign) {
	f.messages(a.Comms, a.First)
	if f.forallStrips(s, a) {
		return
	}
	type stored struct {
		at    []int64
		value lower.Value
		array *array
	}
	var all []stored
	f.combinations(s, 0, func() {
		at := make([]int64, len(s.Vars))
		for i, v := range s.Vars {
			x := f.variable(v)
			at[i] = x.i[x.off]
		}
		st := stored{at: at}
		if a.Left.Rank() > 0 {
			if a.Right.Rank() > 0 {
				st.array = f.copied(f.array(a.Right))
			} else {
				st.array = f.scalar(a.Left.Type(), f.value(a.Right))
			}
		} else {
			st.value = f.value(a.Right)
		}
		all = append(all, st)
	})
	for _, st := range all {
		for i, v := range s.Vars {
			x := f.variable(v)
			x.i[x.off] = st.at[i]
		}
		if st.array != nil {
			f.storeArray(a.Left, st.array, nil)
			f.share(a.Left, a.First, a.Last)
			continue
		}
		f.store(a.Left, st.value)
		if e, ok := a.Left.(*lower.Element); ok {
			f.charge(f.owners(f.variable(e.Sym), f.indices(e)), a.First, a.Last, 1)
		}
	}
}
