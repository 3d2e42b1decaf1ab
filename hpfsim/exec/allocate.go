package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// succeed sets the variable of STAT= to 0.
func (f *frame) succeed(x lower.Expr) {
	if x != nil {
		f.store(x, lower.Value{})
	}
}

// unable sets the variables of STAT= and ERRMSG=, as gfortran does. It returns false without STAT=.
func (f *frame) unable(status, message lower.Expr, code int64, text string) bool {
	if status == nil {
		return false
	}
	f.store(status, lower.Value{I: code})
	if message != nil {
		f.store(message, lower.Value{S: text})
	}
	return true
}

// allocate executes ALLOCATE.
func (f *frame) allocate(s *lower.Allocate) {
	for i, sym := range s.Arrays {
		a := f.variable(sym)
		if !a.absent && !sym.Pointer {
			if f.unable(s.Status, s.Message, 5014, "Attempt to allocate an allocated object") {
				return
			}
			fail(s.Pos, "%s is allocated already", title(sym))
		}
		lo, n := f.bounds(s.Bounds[i], s.Pos)
		length := a.length
		if s.Lengths[i] != nil {
			length = max(f.integer(s.Lengths[i]), 0)
		}
		f.create(sym, a, length, lo, n)
	}
	for _, t := range s.Targets {
		f.newTargets(t, s.Pos)
	}
	f.succeed(s.Status)
}

// create gives a variable its elements.
func (f *frame) create(sym *lower.Symbol, a *array, length int, lo, n []int) {
	before := f.used
	*a = *f.newOf(sym, length, lo, n)
	f.lasts(before)
	f.lay(sym, a)
}

// deallocate executes DEALLOCATE.
func (f *frame) deallocate(s *lower.Deallocate) {
	for _, t := range s.Targets {
		if f.free(t) || s.Quiet {
			continue
		}
		if f.unable(s.Status, s.Message, 1, "Attempt to deallocate an unallocated object") {
			return
		}
		fail(s.Pos, "the pointer %s has no target that is allocated", lower.Text(t.Handles))
	}
	for _, sym := range s.Arrays {
		a := f.variable(sym)
		if a.absent && s.Quiet {
			continue
		}
		if a.absent {
			if f.unable(s.Status, s.Message, 1, "Attempt to deallocate an unallocated object") {
				return
			}
			fail(s.Pos, "%s is not allocated", title(sym))
		}
		if sym.Pointer { // other pointers may have the target
			f.lasting -= int64(a.size() * bytesOf(a.t, a.length))
		} else {
			f.release(a)
		}
		*a = array{t: a.t, length: a.length, absent: true}
	}
	f.succeed(s.Status)
}

// define assigns to a scalar that is ALLOCATABLE.
func (f *frame) define(s *lower.Define) {
	v := f.value(s.Value)
	a := f.variable(s.Sym)
	length := a.length
	if s.Sym.Deferred {
		length = len(v.S)
	}
	if a.absent || length != a.length {
		f.release(a)
		f.create(s.Sym, a, length, []int{1}, []int{1})
	}
	a.set(a.off, v)
}

// refit assigns an array to a whole array that is ALLOCATABLE, and allocates it with the shape of the value. It returns
// false, and does nothing, if the array has the shape already or the assignment needs none.
func (f *frame) refit(s *lower.Assign) bool {
	r, ok := s.Left.(*lower.Ref)
	if !ok || !r.Sym.Allocatable || r.Sym.Pointer || s.Right.Rank() == 0 {
		return false
	}
	a := f.variable(r.Sym)
	if n, known := f.shapeOf(s.Right); known && !a.absent && !r.Sym.Deferred && slices.Equal(n, a.n) {
		return false
	}
	value := f.array(s.Right)
	if !a.absent && slices.Equal(value.n, a.n) && (!r.Sym.Deferred || value.length == a.length) {
		f.storeArray(s.Left, value, nil, s.Right.Position())
		return true
	}
	length := a.length
	if r.Sym.Deferred {
		length = value.length
	}
	lo := ones(len(value.n))
	if from, ok := s.Right.(*lower.Ref); ok {
		lo = slices.Clone(f.variable(from.Sym).lo)
	}
	if !a.absent {
		if overlap(a, value) {
			value = f.copied(value)
		}
		f.release(a)
	}
	f.create(r.Sym, a, length, lo, slices.Clone(value.n))
	f.storeArray(s.Left, value, nil, s.Right.Position())
	return true
}

// shapeOf returns the extents of an array, and false where they are known only with its values.
func (f *frame) shapeOf(x lower.Expr) ([]int, bool) {
	switch e := x.(type) {
	case *lower.Ref:
		a := f.variable(e.Sym)
		f.present(a, e.Sym, e.Pos)
		return a.n, true
	case *lower.Conv:
		return f.shapeOf(e.X)
	case *lower.Unary:
		return f.shapeOf(e.X)
	case *lower.Binary:
		if e.X.Rank() > 0 {
			return f.shapeOf(e.X)
		}
		return f.shapeOf(e.Y)
	case *lower.Call:
		if e.Fn.Sort == lower.Elemental {
			for _, y := range e.Args {
				if y != nil && y.Rank() > 0 {
					return f.shapeOf(y)
				}
			}
		}
	}
	return nil, false
}

// moveAlloc executes MOVE_ALLOC.
func (f *frame) moveAlloc(s *lower.Subcall) {
	from, to := f.variable(s.Args[0].(*lower.Ref).Sym), f.variable(s.Args[1].(*lower.Ref).Sym)
	if from == to {
		return
	}
	f.release(to)
	*to = *from
	*from = array{t: from.t, length: from.length, absent: true}
}
