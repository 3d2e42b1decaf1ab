package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// where assigns under masks.
func (f *frame) where(s *lower.Where) { f.whereAll(s, 1, func(int) {}, nil) }

// whereAll executes a WHERE. One within a FORALL executes each statement for all values of the indices before the
// next; at sets the indices by number. Around are the masks of an outer WHERE, nil for none.
func (f *frame) whereAll(s *lower.Where, count int, at func(int), around []*array) {
	open, masks := make([]*array, count), make([]*array, count) // open holds where no mask has held so far
	free := func(all []*array) {
		for _, a := range all {
			if a != nil {
				a.block.Free()
			}
		}
	}
	defer free(open)
	for k, m := range around {
		open[k] = f.copied(m)
	}
	for arm, x := range s.Masks {
		for k := range count {
			at(k)
			masks[k] = f.masking(x, &open[k])
		}
		for _, b := range s.Bodies[arm] {
			switch b := b.(type) {
			case *lower.Where:
				for k := range count {
					at(k)
					f.enter(&b.Stat)
				}
				f.whereAll(b, count, at, masks)
			case *lower.Assign:
				f.messages(b.Comms, b.First)
				f.whereAssign(b, count, at, masks)
			}
		}
		free(masks)
	}
}

// masking evaluates a mask for the elements where none held before. A nil mask holds for all of them.
func (f *frame) masking(x lower.Expr, open **array) *array {
	if x == nil {
		return *open
	}
	m := f.array(x)
	switch x.(type) {
	case *lower.Binary, *lower.Unary: // an array of its own
	default:
		m = f.copied(m)
	}
	if *open == nil {
		*open = f.newVariable(m.t, 0, ones(len(m.n)), m.n)
		for i := range (*open).size() {
			(*open).setInt(i, 1)
		}
	}
	f.conform(x.Position(), m, *open)
	left := *open
	f.evenly(m.size(), 1, []lower.Expr{x}, func(_ *Machine, lo, hi int) {
		if m.i4 != nil && left.i4 != nil {
			restrict(m.i4[lo:hi], left.i4[lo:hi])
			return
		}
		for i := lo; i < hi; i++ {
			holds := m.int(i) & left.int(i)
			m.setInt(i, holds)
			left.setInt(i, left.int(i)&^holds)
		}
	})
	return m
}

// restrict limits a mask to the elements that are left, and removes its elements from left.
func restrict(mask, left []int32) {
	left = left[:len(mask)]
	for i, l := range left {
		mask[i] &= l
		left[i] = l &^ mask[i]
	}
}

// whereAssign executes an assignment under masks.
func (f *frame) whereAssign(a *lower.Assign, count int, at func(int), masks []*array) {
	f.doing = a
	if count == 1 {
		at(0)
		to := f.view(a.Left)
		f.conform(a.Pos, to, masks[0])
		if !f.whereAsNest(a, to, masks[0]) {
			f.storeArray(a.Left, f.maskedValue(masks[0], a.Right), masks[0], a.Right.Position())
		}
		f.share(a.Left, a.First, a.Last, 1)
		return
	}
	values := make([]*array, count)
	for k := range count {
		at(k)
		f.conform(a.Pos, f.view(a.Left), masks[k])
		values[k] = f.maskedCopy(a, masks[k])
	}
	for k := range count {
		at(k)
		f.storeArray(a.Left, values[k], masks[k], a.Right.Position())
		f.share(a.Left, a.First, a.Last, 1)
	}
}

// maskedValue evaluates an expression where a mask holds. Elsewhere the value is undefined.
func (f *frame) maskedValue(mask *array, x lower.Expr) *array {
	defer f.unmasked()()
	f.mask = mask
	return f.array(x)
}

// unmasked suspends the mask until the function that it returns is called.
func (f *frame) unmasked() func() {
	was := f.mask
	f.mask = nil
	return func() { f.mask = was }
}

// counts reports whether the mask holds for the k-th element of a value.
func (f *frame) counts(a *array, k int) bool {
	return f.mask == nil || !slices.Equal(f.mask.n, a.n) || f.mask.int(k) != 0
}

// maskedCopy returns the value of an assignment where a mask holds, in memory of its own.
func (f *frame) maskedCopy(a *lower.Assign, mask *array) *array {
	if a.Right.Rank() > 0 {
		return f.copied(f.maskedValue(mask, a.Right))
	}
	return f.scalar(a.Left.Type(), f.value(a.Right))
}
