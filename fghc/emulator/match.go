package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
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

// addBoth adds each of two values that is unbound.
func (b *blockers) addBoth(v, w uint64) {
	if v&tagMask == tagRef {
		b.add(v)
	}
	if w&tagMask == tagRef {
		b.add(w)
	}
}

// addOne adds one of two values of an operation that needs both bound. It prefers the second: where goals run in order
// the second is bound later.
func (b *blockers) addOne(v, w uint64) {
	if w&tagMask == tagRef {
		b.add(w)
	} else {
		b.add(v)
	}
}

// dispatch returns the label of a switch on the value w.
func (p *pe) dispatch(t *compile.Table, w uint64) uint64 {
	switch w & tagMask {
	case tagList:
		return uint64(t.List)
	case tagRef:
		p.blocked.add(w)
		return uint64(t.Blocked)
	case tagStr:
		return uint64(t.Find(term.MakeStr(int(p.arena[w>>tagBits] >> tagBits))))
	case tagBox:
		if n, ok := builtin.Size((*platform)(p), term.Word(w)); ok {
			if f, ok := p.Symbols.Known(term.Vector, n); ok {
				return uint64(t.Find(term.MakeStr(f)))
			}
		}
		return uint64(t.Default)
	}
	return uint64(t.Find(term.Word(w)))
}

// loadElements loads the elements of a version of a vector. It returns false if the goal has been put back for lack of
// space.
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

// integers dereferences two operands and reports whether both are Int words.
func integers(m []uint64, a, b uint64) (uint64, uint64, bool) {
	a, b = Deref(m, a), Deref(m, b)
	return a, b, a&b&tagMask == tagInt && (a|b)&tagMask == tagInt
}

// compare executes the comparison at pc of floats, or of integers that are unbound or do not fit a word. It returns the
// label where the code continues.
func (p *pe) compare(pc uint64) uint64 {
	in := p.code.Words[pc]
	a, b := Deref(p.arena, p.x[in.A()]), Deref(p.arena, p.x[in.B()])
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blocked.addOne(a, b)
		return p.code.Words[pc+1].High()
	}
	sign, ok := builtin.Sign((*platform)(p), in.Op() == bytecode.Floats, term.Word(a), term.Word(b))
	switch {
	case !ok:
		return uint64(p.code.Words[pc+2])
	case relation(in).Holds(int64(sign), 0):
		return pc + 3
	}
	return p.code.Words[pc+1].Low()
}

// relation returns the relation of a comparison instruction.
func relation(in bytecode.Word) compile.Rel {
	switch in.Op() {
	case bytecode.Floats:
		return compile.Rel(in.N())
	case bytecode.Less:
		return compile.Less
	case bytecode.NotLess:
		return compile.GreaterEqual
	case bytecode.Same:
		return compile.Same
	}
	return compile.NotSame
}

// like compares the principal functors of two values that are not the same word.
func (p *pe) like(a, b uint64) builtin.Likeness {
	switch tag := a & tagMask; {
	case tag == tagBox || b&tagMask == tagBox:
		return builtin.CompareBoxes((*platform)(p), term.Word(a), term.Word(b))
	case tag == b&tagMask && (tag == tagList || tag == tagStr && p.arena[a>>tagBits] == p.arena[b>>tagBits]):
		return builtin.Inside
	}
	return builtin.Different
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
		case builtin.Different:
			p.blocked, p.stack = p.blocked[:mark], stack
			return builtin.No
		case builtin.Inside:
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
	case p.like(a, b) == builtin.Different:
		return builtin.Yes
	}
	return builtin.No
}
