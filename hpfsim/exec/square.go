package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// parallelSquare runs a parallel loop whose whole body is another parallel loop, distributed along another axis of
// the same arrangement. Each processor runs its own iterations of both. It returns false for other loops.
func (f *frame) parallelSquare(outer *lower.Do, v *array, x *split, how *sharing) bool {
	inner, ok := onlyLoop(outer.Body)
	if !ok || how.named || inner.Parallel == nil || inner.Var == nil || inner.Var.Unit != f.unit || len(inner.Comms)+len(inner.End.Comms) > 0 {
		return false
	}
	if len(outer.Parallel.Sometimes)+len(inner.Parallel.Sometimes)+len(inner.Parallel.Reduction) > 0 {
		return false
	}
	last := x.r.From + (x.r.Len()-1)*x.r.Step
	v.setInt(v.off, int64(last))
	end, n := f.inner(inner)
	if n <= 0 || end.axis < 0 || end.axis == x.axis || !alike(end.grid, x.grid) {
		return false
	}
	ends := end.spread.Owner(end.stride*(end.r.From+(n-1)*end.r.Step) + end.offset) // the coordinate of the last iteration of all
	work := parts{}
	var ending *frame
	for k := range x.grid.Shape[x.axis] {
		runs := x.spread.Followed(k, x.stride, x.offset, x.r, nil)
		if len(runs) == 0 {
			continue
		}
		row := x.processors(f, f.who, k)
		hasLast := slices.ContainsFunc(runs, func(r mapping.Run) bool { return r.From+(r.Len()-1)*r.Step == last })
		for c := range end.grid.Shape[end.axis] {
			who := end.processors(f, row, c)
			work.add(who, func(m *Machine) {
				g := f.assistant(m, how.private)
				g.who = who
				if hasLast && c == ends {
					ending = g
				}
				index := g.variable(outer.Var)
				for _, r := range runs {
					for i := r.From; i <= r.To; i += r.Step {
						index.setInt(index.off, int64(i))
						g.ownOf(inner, c)
					}
				}
			})
		}
	}
	f.together(work)
	how.keep(f, ending)
	return true
}

// inner returns the split and the number of iterations of a loop, and sets its variable to the first value.
func (f *frame) inner(do *lower.Do) (x split, n int) {
	lo, hi, step := f.integer(do.Lo), f.integer(do.Hi), 1
	if do.Step != nil {
		step = f.integer(do.Step)
	}
	if step == 0 {
		return split{axis: -1}, 0
	}
	n = max((hi-lo+step)/step, 0)
	v := f.variable(do.Var)
	v.setInt(v.off, int64(lo))
	x = f.split(do, v, lo, hi, step)
	x.r = mapping.Run{From: lo, To: hi, Step: step}
	return x, n
}

// ownOf runs the iterations of a loop that belong to a coordinate. The first coordinate runs those without an owner,
// so that the error is reported.
func (f *frame) ownOf(do *lower.Do, coordinate int) {
	x, n := f.inner(do)
	body, v := f.code.blockOf(do.Body), f.variable(do.Var)
	if f.watch != nil {
		f.watch.Move(f.site(do.First))
	}
	do1 := func(i int) {
		v.setInt(v.off, int64(i))
		body.run(f)
	}
	switch {
	case n == 0:
	case x.axis >= 0:
		for _, r := range x.spread.Followed(coordinate, x.stride, x.offset, x.r, nil) {
			for i := r.From; i <= r.To; i += r.Step {
				do1(i)
			}
		}
	case coordinate == 0:
		for k := range n {
			do1(x.r.From + k*x.r.Step)
		}
	}
	v.setInt(v.off, int64(x.r.From+n*x.r.Step))
}
