package exec

import (
	"math"
	"slices"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

const (
	firstTargets = 16      // for which a pool has room at first
	mostFreed    = 1 << 16 // handles that are not used again, so that pointers to freed targets are found
)

// A pool is the state of a lower.Pool.
type pool struct {
	used  int   // the greatest handle
	freed []int // handles of freed targets, the first to be used again first
}

// poolOf returns the state of a pool.
func (m *Machine) poolOf(p *lower.Pool) *pool {
	if m.pools[p] == nil {
		m.pools[p] = &pool{}
	}
	return m.pools[p]
}

// poolArray makes an array of a pool with room for some targets.
func (f *frame) poolArray(s *lower.Symbol, room int) *array {
	var lo, n []int
	length := 0
	for _, x := range s.Pool.Parts {
		if x.Array == s {
			one := f.variable(x.Default)
			lo, n, length = slices.Clone(one.lo), slices.Clone(one.n), one.length
		}
	}
	before := f.used
	defer f.lasts(before)
	return f.newOf(s, length, append(lo, 1), append(n, room))
}

// make returns the handle of a new target of a pool, whose components have their first values.
func (f *frame) make(p *lower.Pool, pos syntax.Pos) int {
	state, live := f.poolOf(p), f.variable(p.Live)
	var k int
	if len(state.freed) > mostFreed {
		k, state.freed = state.freed[0], state.freed[1:]
	} else {
		if state.used == math.MaxInt32 {
			fail(pos, "more than 2**31-1 targets of pointers of a type")
		}
		if state.used == live.n[0] {
			f.enlarge(p)
		}
		state.used++
		k = state.used
	}
	for _, x := range p.Parts {
		a, one := f.variable(x.Array), f.variable(x.Default)
		to, at := a.column(k), walker(one)
		if a.held != nil {
			to.eachElement(func(place int) { to.held[place] = nil })
			continue
		}
		to.eachElement(func(place int) { to.set(place, one.get(at.next())) })
	}
	live.setInt(k-1, int64(k))
	return k
}

// column returns the elements of an array of a pool that belong to a target.
func (a *array) column(k int) *array {
	last := len(a.n) - 1
	return &array{cells: a.cells, t: a.t, length: a.length, off: a.off + (k-1)*a.step[last], lo: a.lo[:last], n: a.n[:last], step: a.step[:last]}
}

// enlarge doubles the room of a pool. The variables of its arrays stay the same.
func (f *frame) enlarge(p *lower.Pool) {
	for _, s := range append([]*lower.Symbol{p.Live}, arraysOf(p)...) {
		a := f.variable(s)
		b := f.poolArray(s, 2*a.n[len(a.n)-1])
		whole := *b
		whole.n = a.n
		whole.copyAll(a)
		f.release(a)
		*a = *b
	}
}

func arraysOf(p *lower.Pool) (all []*lower.Symbol) {
	for _, x := range p.Parts {
		all = append(all, x.Array)
	}
	return all
}

// copyAll copies the elements of an array of the same shape with adjacent elements.
func (a *array) copyAll(from *array) {
	switch {
	case a.s != nil:
		copy(a.s, from.s)
	case a.held != nil:
		copy(a.held, from.held)
	case a.z != nil:
		copy(a.z, from.z)
	default:
		a.copyRow(a.off, 1, &from.cells, from.off, 1, from.size())
	}
}

// eachHandle calls do for each variable with a handle.
func (f *frame) eachHandle(t lower.Pooled, do func(a *array, at int)) {
	if e, ok := t.Handles.(*lower.Element); ok && e.N == 0 {
		do(f.place(e))
		return
	}
	if r, ok := t.Handles.(*lower.Ref); ok && f.variable(r.Sym).absent {
		return
	}
	a := f.array(t.Handles)
	a.eachElement(func(at int) { do(a, at) })
}

// newTargets gives variables the handles of new targets.
func (f *frame) newTargets(t lower.Pooled, pos syntax.Pos) {
	f.eachHandle(t, func(a *array, at int) { a.setInt(at, int64(f.make(t.Pool, pos))) })
}

// free frees the targets of handles. It returns false for a handle without a target.
func (f *frame) free(t lower.Pooled) (ok bool) {
	ok = true
	state, live := f.poolOf(t.Pool), f.variable(t.Live)
	f.eachHandle(t, func(a *array, at int) {
		k := int(a.int(at))
		if k < 1 || k > live.n[0] || live.int(k-1) == 0 {
			ok = false
			return
		}
		live.setInt(k-1, 0)
		for _, x := range t.Parts {
			if x.Array.Holds != nil && !x.Array.Holds.Pointer {
				part := f.variable(x.Array).column(k)
				part.eachElement(func(place int) { f.release(part.inSlot(place)) })
			}
		}
		state.freed = append(state.freed, k)
		a.setInt(at, 0)
	})
	return ok
}

// lost fails at an element of a pool that is not that of a target.
func lost(e *lower.Element, k int) {
	name := lower.Text(e.Subs[len(e.Subs)-1].Index)
	if e.Sym == e.Sym.Pool.Live && k == 0 {
		fail(e.Pos, "the pointer %s is not associated", name)
	}
	fail(e.Pos, "the target of the pointer %s has been deallocated", name)
}

// nameOf returns the name of the array of an element as the program writes it.
func nameOf(e *lower.Element) string {
	if e.Sym.Pool == nil {
		return title(e.Sym)
	}
	_, component, _ := strings.Cut(e.Sym.Name, "%%")
	return strings.ToUpper(lower.Text(e.Subs[len(e.Subs)-1].Index)) + "%" + component
}

// aside returns a copy of an argument that is part of a pool, since the pool may get more room during the call, and a function that stores the elements
// that the call has changed. Others may have changed through another pointer.
func (f *frame) aside(e *lower.Element, a *array) (own *array, back func()) {
	whole, view := f.variable(e.Sym), *a
	if e.N == 0 { // an array may begin here, up to the last element of the component of this target
		n := 1
		if last := len(whole.n) - 1; last > 0 {
			n = whole.step[last] - (a.off-whole.off)%whole.step[last]
		}
		view.lo, view.n, view.step = []int{1}, []int{n}, []int{1}
	}
	own = f.copied(&view)
	before := f.copied(&view)
	if e.N == 0 {
		own.lo, own.n, own.step, own.rest = nil, nil, nil, view.n[0]
	} else if slices.ContainsFunc(e.Subs, func(s lower.Sub) bool { return !s.Section && s.Index.Rank() > 0 }) { // the section was a copy
		return own, func() { f.storeArray(e, own, nil, e.Pos) }
	}
	return own, func() {
		view.cells = whole.cells
		k := 0
		view.eachElement(func(at int) {
			if v := own.get(k); v != before.get(k) {
				view.set(at, v)
			}
			k++
		})
	}
}
