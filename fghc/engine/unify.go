package engine

import (
	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// components pushes the pairs of components of two values on the stack, the first pair last.
func (e *Engine) components(stack []term.Word, a, b term.Word) []term.Word {
	h, i, j := &e.heap, a.Index(), b.Index()
	switch {
	case a.Tag() == term.List:
		return append(stack, h.fetch(i+1), h.fetch(j+1), h.fetch(i), h.fetch(j))
	case a.Tag() == term.Box || b.Tag() == term.Box:
		c := (*platform)(e)
		for k := e.arityOf(a) - 1; k >= 0; k-- {
			stack = append(stack, builtin.Fetch(c, a, k), builtin.Fetch(c, b, k))
		}
	default:
		for k := e.arity(a); k > 0; k-- {
			stack = append(stack, h.fetch(i+k), h.fetch(j+k))
		}
	}
	return stack
}

// equal compares two terms without binding anything. The result is Unknown if an unbound variable meets another term,
// unless the terms differ elsewhere.
func (e *Engine) equal(a, b term.Word) builtin.Verdict {
	h := &e.heap
	out := builtin.Yes
	mark := len(e.blocked)
	var seen term.Pairs
	stack := append(e.stack[:0], a, b)
	for len(stack) > 0 {
		n := len(stack)
		a, b = h.deref(stack[n-2]), h.deref(stack[n-1])
		stack = stack[:n-2]
		e.work += e.costs.Unify
		switch {
		case a == b || e.sameImport(a, b):
		case a.Tag() == term.Ref || b.Tag() == term.Ref:
			out = builtin.Unknown
			e.blockBoth(a, b)
		default:
			switch e.like(a, b) {
			case builtin.Different:
				e.blocked, e.stack = e.blocked[:mark], stack
				return builtin.No
			case builtin.Inside:
				if !seen.Visited(a, b) {
					stack = e.components(stack, a, b)
				}
			}
		}
	}
	e.stack = stack
	return out
}

// like compares the principal functors of two values that are not the same word.
func (e *Engine) like(a, b term.Word) builtin.Likeness {
	switch tag := a.Tag(); {
	case tag == term.Box || b.Tag() == term.Box:
		return builtin.CompareBoxes((*platform)(e), a, b)
	case tag == b.Tag() && (tag == term.List || tag == term.Str && e.heap.functor(a) == e.heap.functor(b)):
		return builtin.Inside
	}
	return builtin.Different
}

// sameImport reports whether two unbound variables are imports of the same variable.
func (e *Engine) sameImport(a, b term.Word) bool {
	if e.shared || a.Tag() != term.Ref || b.Tag() != term.Ref {
		return false
	}
	m := e.heap.m
	va, vb := m[a.Index()], m[b.Index()]
	return va&imported != 0 && vb&imported != 0 && m[va.Index()+1] == m[vb.Index()+1]
}

// differ compares the principal functors of two terms.
func (e *Engine) differ(a, b term.Word) builtin.Verdict {
	h := &e.heap
	a, b = h.deref(a), h.deref(b)
	e.work += e.costs.Unify
	switch {
	case a == b || e.sameImport(a, b):
		return builtin.No
	case a.Tag() == term.Ref || b.Tag() == term.Ref:
		e.blockBoth(a, b)
		return builtin.Unknown
	case e.like(a, b) == builtin.Different:
		return builtin.Yes
	}
	return builtin.No
}

func (e *Engine) arity(w term.Word) int {
	return e.prog.Symbols.Lookup(e.heap.functor(w)).Arity
}

// unify unifies two terms and wakes the goals that wait for variables that it binds. It reports whether the terms unify.
func (e *Engine) unify(a, b term.Word) bool {
	h := &e.heap
	var seen term.Pairs
	stack := append(e.stack[:0], a, b)
	defer func() { e.stack = stack[:0] }()
	for len(stack) > 0 {
		n := len(stack)
		a, b = h.deref(stack[n-2]), h.deref(stack[n-1])
		stack = stack[:n-2]
		e.work += e.costs.Unify
		switch {
		case a == b:
		case a.Tag() == term.Ref && b.Tag() == term.Ref:
			e.alias(a, b)
		case a.Tag() == term.Ref:
			e.bind(a, b)
		case b.Tag() == term.Ref:
			e.bind(b, a)
		default:
			switch e.like(a, b) {
			case builtin.Different:
				return false
			case builtin.Inside:
				if !seen.Visited(a, b) {
					stack = e.components(stack, a, b)
				}
			}
		}
	}
	return true
}

// bind gives the variable v the value w.
func (e *Engine) bind(v, w term.Word) {
	cell := &e.heap.m[v.Index()]
	old := *cell
	*cell = w
	switch {
	case old&imported != 0:
		e.boundImport(old, w)
	case old != term.Var:
		e.wakeHooks(old.Index())
	}
}

// alias unifies two unbound variables: a variable without waiting goals then refers to the other. If both have waiting
// goals, those of one variable are tried again, because their guards may test whether the two are the same.
func (e *Engine) alias(a, b term.Word) {
	m := e.heap.m
	va, vb := m[a.Index()], m[b.Index()]
	if va&imported != 0 || vb&imported != 0 {
		e.aliasImports(a, b)
		return
	}
	if va != term.Var && vb == term.Var {
		a, b, va = b, a, vb
	}
	m[a.Index()] = b
	e.joined(a, b)
	if va != term.Var {
		e.wakeHooks(va.Index())
	}
}

// block notes an unbound variable that a test of the current goal needs.
func (e *Engine) block(v term.Word) {
	for _, w := range e.blocked {
		if w == v {
			return
		}
	}
	e.blocked = append(e.blocked, v)
}
