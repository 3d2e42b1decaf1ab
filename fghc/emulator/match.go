package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// blockers are the unbound variables that tests of the current goal have needed.
type blockers []uint64

// add adds a variable, once.
func (b *blockers) add(v uint64) {
	for _, w := range *b {
		if w == v {
			return
		}
	}
	*b = append(*b, v)
}

// addBoth adds those of two values that are unbound.
func (b *blockers) addBoth(v, w uint64) {
	if v&tagMask == tagRef {
		b.add(v)
	}
	if w&tagMask == tagRef {
		b.add(w)
	}
}

// addOne adds one of two values of an operation that needs both bound: the second if it is unbound, since it is bound
// later when goals run in order.
func (b *blockers) addOne(v, w uint64) {
	if w&tagMask == tagRef {
		b.add(w)
	} else {
		b.add(v)
	}
}

// dispatch returns the label of a switch on the value w.
func (p *pe) dispatch(t *table, w uint64) uint64 {
	switch w & tagMask {
	case tagList:
		return uint64(t.list)
	case tagRef:
		p.blocked.add(w)
		return uint64(t.blocked)
	case tagStr:
		return uint64(t.find(term.MakeStr(int(p.arena[w>>tagBits] >> tagBits))))
	case tagBox:
		if n := p.elements(w); n >= 0 {
			if f, ok := p.Symbols.Known(term.Vector, n); ok {
				return uint64(t.find(term.MakeStr(f)))
			}
		}
		return uint64(t.other)
	}
	return uint64(t.find(term.Word(w)))
}

// loadElements loads the elements of a version of a vector. It returns false if the goal has been put back for want of space.
func (p *pe) loadElements(vector, to uint16, n uint64) bool {
	w := term.Word(p.x[vector])
	if p.short(func() {
		for k := range n {
			p.x[to+uint16(k)] = uint64(builtin.Fetch((*platform)(p), w, int(k)))
		}
	}) {
		p.retry()
		return false
	}
	return true
}

// elements returns the number of elements of a vector, -1 for other values.
func (p *pe) elements(w uint64) int {
	if n, ok := builtin.Size((*platform)(p), term.Word(w)); ok {
		return n
	}
	return -1
}

// isA evaluates a type test of a guard on a value.
func (p *pe) isA(o compile.Op, w uint64) bool {
	tag := w & tagMask
	switch o {
	case compile.IsInt:
		return p.isInteger(w)
	case compile.IsAtom:
		return tag == tagAtom
	case compile.IsList:
		return tag == tagList
	case compile.IsAtomic:
		return tag == tagAtom || p.isInteger(w)
	}
	return true
}

// integers dereferences two operands and reports whether both are Int words.
func integers(m []uint64, a, b uint64) (uint64, uint64, bool) {
	a, b = Deref(m, a), Deref(m, b)
	return a, b, a&b&tagMask == tagInt && (a|b)&tagMask == tagInt
}

// compare is the comparison at pc for floats, and for integers that are unbound or do not fit a word. It returns where
// the code continues.
func (p *pe) compare(pc uint64) uint64 {
	in := p.code[pc]
	a, b := Deref(p.arena, p.x[regA(in)]), Deref(p.arena, p.x[regB(in)])
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blocked.addOne(a, b)
		return high(p.code[pc+1])
	}
	sign, ok := builtin.Sign((*platform)(p), op(uint8(in)) == opFloats, term.Word(a), term.Word(b))
	switch {
	case !ok:
		return p.code[pc+2]
	case relationOf(in).Holds(int64(sign), 0):
		return pc + 3
	}
	return low(p.code[pc+1])
}

// relationOf returns the relation of a comparison instruction.
func relationOf(in uint64) compile.Rel {
	switch op(uint8(in)) {
	case opFloats:
		return compile.Rel(fieldN(in))
	case opLess:
		return compile.Less
	case opNotLess:
		return compile.GreaterEqual
	case opSame:
		return compile.Same
	}
	return compile.NotSame
}

// A likeness is the result of comparing the principal functors of two values.
type likeness uint8

const (
	different likeness = iota
	same
	inside // equal if their components are
)

func (p *pe) like(a, b uint64) likeness {
	m := p.arena
	switch {
	case a == b:
		return same
	case a&tagMask == tagBox || b&tagMask == tagBox:
		n := p.elements(a)
		switch k := p.elements(b); {
		case n >= 0 && n == k:
			return inside
		case n >= 0 || k >= 0 || a&tagMask != b&tagMask || !p.sameBox(a, b):
			return different
		}
		return same
	case a&tagMask != b&tagMask:
		return different
	case a&tagMask == tagList, a&tagMask == tagStr && m[a>>tagBits] == m[b>>tagBits]:
		return inside
	}
	return different
}

// sameBox compares two boxes other than vectors.
func (p *pe) sameBox(a, b uint64) bool {
	ctx := (*platform)(p)
	s, ok := builtin.Text(ctx, term.Word(a))
	t, ok2 := builtin.Text(ctx, term.Word(b))
	if ok || ok2 {
		return ok && ok2 && string(s) == string(t)
	}
	i, j := a>>tagBits, b>>tagBits
	if p.arena[i] != p.arena[j] {
		return false
	}
	for k := uint64(1); k <= uint64(term.Word(p.arena[i]).BoxWords()); k++ {
		if p.arena[i+k] != p.arena[j+k] {
			return false
		}
	}
	return true
}

// components pushes the pairs of components of two values on a stack, the first pair last.
func (p *pe) components(stack []uint64, a, b uint64) []uint64 {
	i, j := a>>tagBits, b>>tagBits
	switch {
	case a&tagMask == tagList:
		return append(stack, p.fetch(i+1), p.fetch(j+1), p.fetch(i), p.fetch(j))
	case a&tagMask == tagBox || b&tagMask == tagBox:
		c := (*platform)(p)
		// Elements allocates nothing: a unification cannot be put back.
		all, others := builtin.Elements(c, term.Word(a)), builtin.Elements(c, term.Word(b))
		for k := len(all) - 1; k >= 0; k-- {
			stack = append(stack, uint64(all[k]), uint64(others[k]))
		}
	default:
		for k := uint64(p.Symbols.Lookup(int(p.arena[i] >> tagBits)).Arity); k > 0; k-- {
			stack = append(stack, p.fetch(i+k), p.fetch(j+k))
		}
	}
	return stack
}

// equal compares two terms without binding anything. The result is Unknown if an unbound variable meets another term,
// unless the terms differ elsewhere.
func (p *pe) equal(a, b uint64) builtin.Verdict {
	out, mark := builtin.Yes, len(p.blocked)
	var seen term.Pairs
	stack := append(p.stack[:0], a, b)
	for len(stack) > 0 {
		n := len(stack)
		a, b = Deref(p.arena, stack[n-2]), Deref(p.arena, stack[n-1])
		stack = stack[:n-2]
		if a == b {
			continue
		}
		if a&tagMask == tagRef || b&tagMask == tagRef {
			out = builtin.Unknown
			p.blocked.addBoth(a, b)
			continue
		}
		switch p.like(a, b) {
		case different:
			p.blocked, p.stack = p.blocked[:mark], stack
			return builtin.No
		case inside:
			if !seen.Visited(term.Word(a), term.Word(b)) {
				stack = p.components(stack, a, b)
			}
		}
	}
	p.stack = stack
	return out
}

// differ compares the principal functors of two terms.
func (p *pe) differ(a, b uint64) builtin.Verdict {
	a, b = Deref(p.arena, a), Deref(p.arena, b)
	switch {
	case a == b:
		return builtin.No
	case a&tagMask == tagRef || b&tagMask == tagRef:
		p.blocked.addBoth(a, b)
		return builtin.Unknown
	case p.like(a, b) == different:
		return builtin.Yes
	}
	return builtin.No
}
