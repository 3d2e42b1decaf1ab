package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// A split gives iteration i of a loop to the owners of index stride*i + offset along an axis.
type split struct {
	grid           *lower.Grid
	axis           int // of the grid; -1 if every processor executes all iterations
	spread         mapping.Spread
	stride, offset int
	r              mapping.Run
}

// processors returns those at a coordinate of the axis, of those that run the loop.
func (x *split) processors(f *frame, who []int32, coordinate int) []int32 {
	if some := f.subset(who, x.grid, x.axis, coordinate); len(some) > 0 {
		return some
	}
	if f.limited {
		return who
	}
	return f.subset(f.ranks, x.grid, x.axis, coordinate) // the owners execute it, even if others run the outer loop
}

// split returns the split of a loop by the owners of its home.
func (f *frame) split(s *lower.Do, v *array, lo, hi, step int) split {
	none := split{axis: -1}
	if s.Parallel == nil || s.Parallel.Home == nil || step < 0 || hi < lo {
		return none
	}
	home := s.Parallel.Home
	a := f.laid(home.Sym)
	if a == nil || a.absent || a.lay == nil {
		return none
	}
	follow := a.lay.Follow[s.Parallel.Index]
	if follow.Dim < 0 {
		return none
	}
	t := a.lay.Template
	axis := t.Axis[follow.Dim]
	if axis < 0 {
		return none
	}
	stride, offset := f.subscript(home.Subs[s.Parallel.Index].Index, v, lo)
	if stride == 0 {
		return none
	}
	r := mapping.Run{From: lo, To: hi, Step: step}
	// All processors execute an iteration without an owner, which is out of bounds, so that the error is reported.
	first, last := stride*lo+offset, stride*(lo+(r.Len()-1)*step)+offset
	if min(first, last) < a.lo[s.Parallel.Index] || max(first, last) > a.hi(s.Parallel.Index) {
		return none
	}
	return split{t.Grid, axis, t.Spread[follow.Dim], follow.Stride * stride, follow.Stride*offset + follow.Offset, r}
}

// parallel runs a loop whose iterations belong to the owners of its home. It runs them in order, each for its owners,
// so that variables end with the values of a sequential loop.
func (f *frame) parallel(d *doCode, v *array, lo, hi, step int) bool {
	if len(f.ranks) == 1 {
		return false
	}
	x := f.split(d.do, v, lo, hi, step)
	if x.axis < 0 {
		return false
	}
	if f.crew != nil && f.parallelShared(d, v, &x) {
		return true
	}
	who := f.who
	owners := make([][]int32, x.grid.Shape[x.axis])
	owner := func(i int) int { return x.spread.Owner(x.stride*i + x.offset) }
	for i, c := lo, owner(lo); i <= hi; {
		n, next := 1, 0 // iterations of the same owner
		for ; i+n*step <= hi; n++ {
			if next = owner(i + n*step); next != c {
				break
			}
		}
		if owners[c] == nil {
			owners[c] = x.processors(f, who, c)
		}
		f.who = owners[c]
		f.iterations(d, v, int64(i), int64(step), int64(n))
		i, c = i+n*step, next
	}
	f.who = who
	return true
}

// subscript returns an index as stride*i + offset of a loop's variable.
func (f *frame) subscript(x lower.Expr, v *array, lo int) (stride, offset int) {
	old := v.int(v.off)
	v.setInt(v.off, int64(lo))
	a := f.integer(x)
	v.setInt(v.off, int64(lo)+1)
	b := f.integer(x)
	v.setInt(v.off, old)
	return b - a, a - (b-a)*lo
}
