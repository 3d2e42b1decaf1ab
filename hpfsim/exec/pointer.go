package exec

import (
	"slices"

	"whorl/hpfsim/lower"
)

// associate makes a pointer a view of its target.
func (f *frame) associate(s *lower.Associate) {
	p := f.variable(s.Sym)
	if s.Target == nil {
		*p = array{t: p.t, length: p.length, absent: true}
		return
	}
	var view array
	switch t := s.Target.(type) {
	case *lower.Ref:
		view = *f.variable(t.Sym)
		if view.absent && !t.Sym.Pointer {
			fail(t.Pos, "the target %s is not allocated", title(t.Sym))
		}
	case *lower.Element:
		if t.N > 0 {
			view = *f.section(t)
			view.lo = ones(len(view.n))
			break
		}
		if t.Sym.Boxed && t.Sym.Pointer && f.variable(t.Sym).absent {
			view = array{absent: true}
			break
		}
		a, at := f.place(t)
		view = *a
		view.off, view.lo, view.n, view.step = at, []int{1}, []int{1}, []int{1}
	}
	view.t, view.lay, view.rest = p.t, nil, 0
	if view.absent {
		view.length = p.length
	}
	*p = view
}

// associated reports whether a pointer is associated, with a target if one is given.
func (f *frame) associated(e *lower.Call) bool {
	p := f.variable(e.Args[0].(*lower.Ref).Sym)
	if p.absent || len(e.Args) < 2 || e.Args[1] == nil {
		return !p.absent
	}
	var t *array
	switch x := e.Args[1].(type) {
	case *lower.Ref:
		t = f.variable(x.Sym)
	case *lower.Element:
		if x.N > 0 {
			t = f.section(x)
			break
		}
		a, at := f.place(x)
		t = &array{cells: a.cells, t: a.t, off: at, n: []int{1}, step: []int{1}}
	}
	if t == nil || t.absent || p.size() == 0 || !slices.Equal(p.n, t.n) || p.address(p.off) != t.address(t.off) {
		return false
	}
	for d, n := range p.n {
		if n > 1 && p.step[d] != t.step[d] {
			return false
		}
	}
	return true
}
