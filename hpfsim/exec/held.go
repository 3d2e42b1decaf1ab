package exec

import (
	"slices"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// newHolder makes an array of arrays that are not allocated.
func (f *frame) newHolder(s *lower.Symbol, lo, n []int) *array {
	a, size := shaped(s.Type, 0, lo, n)
	f.reserve(lower.Integer, 0, 2*size) // pointers
	a.held = make([]*array, size)
	if s.Type.Base == syntax.CharacterType && !s.Holds.Deferred {
		a.length = f.lengthOf(s)
	}
	return a
}

// newOf returns a variable of a symbol with bounds.
func (f *frame) newOf(s *lower.Symbol, length int, lo, n []int) *array {
	if s.Holds != nil {
		return f.newHolder(s, lo, n)
	}
	return f.newVariable(s.Type, length, lo, n)
}

// slot returns the array that an element of an array of arrays holds.
func (f *frame) slot(s *lower.Symbol) *array {
	a, at := f.place(s.Slot)
	return a.inSlot(at)
}

// heldIn is slot for an element that may be out of bounds: it returns nil then.
func (f *frame) heldIn(e *lower.Element) *array {
	if a, at, ok := f.reach(e); ok {
		return a.inSlot(at)
	}
	return nil
}

// reach is place for an element that may be out of bounds. Its subscripts are sums and products of variables.
func (f *frame) reach(e *lower.Element) (a *array, at int, ok bool) {
	a = f.reached(e.Sym)
	if a == nil || a.absent {
		return nil, 0, false
	}
	at = a.off
	for d, sub := range e.Subs {
		x, ok := f.index(sub.Index)
		k := x - a.lo[d]
		if !ok || uint(k) >= uint(a.n[d]) {
			return nil, 0, false
		}
		at += k * a.step[d]
	}
	return a, at, true
}

// index evaluates a sum or a product of variables. It returns false where an element is out of bounds.
func (f *frame) index(x lower.Expr) (v int, ok bool) {
	switch x := x.(type) {
	case *lower.Element:
		a, at, ok := f.reach(x)
		if !ok {
			return 0, false
		}
		return int(a.int(at)), true
	case *lower.Ref:
		if a := f.reached(x.Sym); a == nil || a.absent {
			return 0, false
		}
	case *lower.Binary:
		if _, ok := f.index(x.X); !ok {
			return 0, false
		}
		if _, ok := f.index(x.Y); !ok {
			return 0, false
		}
	case *lower.Conv:
		return f.index(x.X)
	}
	return f.integer(x), true
}

func (a *array) inSlot(at int) *array {
	if a.held[at] == nil {
		a.held[at] = &array{t: a.t, length: a.length, absent: true}
	}
	return a.held[at]
}

// slots returns the arrays that an array of arrays or a section of it holds, and their shape.
func (f *frame) slots(x lower.Expr) (all []*array, shape *array) {
	var vectors [][]int
	if e, ok := x.(*lower.Element); ok {
		shape, vectors = f.targets(e)
	} else {
		shape = f.view(x)
	}
	put := func(at int) { all = append(all, shape.inSlot(at)) }
	if slices.ContainsFunc(vectors, func(v []int) bool { return v != nil }) {
		f.scattered(shape, vectors, put)
	} else {
		shape.eachElement(put)
	}
	return all, shape
}

// assignHeld assigns arrays of arrays: it copies those that are ALLOCATABLE, and associates pointers.
func (f *frame) assignHeld(s *lower.Assign, sym *lower.Symbol) {
	before := f.used
	from, shape := f.slots(s.Right)
	values := make([]array, len(from))
	for k, x := range from {
		values[k] = *x
		if !x.absent && !sym.Holds.Pointer {
			y := f.newVariable(x.t, x.length, slices.Clone(x.lo), slices.Clone(x.n))
			whole := walker(x)
			y.eachElement(func(at int) { y.set(at, x.get(whole.next())) })
			values[k] = *y
		}
	}
	if r, ok := s.Left.(*lower.Ref); ok && r.Sym.Allocatable && !r.Sym.Pointer {
		if a := f.variable(r.Sym); a.absent || !slices.Equal(a.n, shape.n) {
			*a = *f.newHolder(r.Sym, slices.Clone(shape.lo), slices.Clone(shape.n))
		}
	}
	f.lasts(before)
	to, whole := f.slots(s.Left)
	f.conform(s.Right.Position(), whole, shape)
	for k, x := range to {
		if !sym.Holds.Pointer {
			f.release(x)
		}
		*x = values[k]
	}
}

// holder returns the array of arrays that an assignment assigns to, nil for other assignments.
func holder(s *lower.Assign) *lower.Symbol {
	var sym *lower.Symbol
	switch x := s.Left.(type) {
	case *lower.Ref:
		sym = x.Sym
	case *lower.Element:
		sym = x.Sym
	}
	if sym != nil && sym.Holds != nil {
		return sym
	}
	return nil
}

// title returns the name of a variable as messages show it.
func title(s *lower.Symbol) string {
	if s.Slot == nil {
		return s.Name
	}
	return strings.ToUpper(lower.Text(s.Slot))
}

// lasts counts the memory that was taken since a time for good: it is not that of a statement or a call.
func (m *Machine) lasts(before int64) {
	m.lasting += m.used - before
	m.used = before
}

// release frees the elements of an allocated variable.
func (m *Machine) release(a *array) {
	if !a.absent {
		m.lasting -= int64(a.size() * bytesOf(a.t, a.length))
		a.block.Free()
	}
}
