package emulator

import (
	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// deref follows references: the result is a value, or a Ref to the cell of an unbound variable.
func (p *pe) deref(m []uint64, w uint64) uint64 {
	for w&tagMask == tagRef {
		v := load(m, w>>tagBits)
		if v&tagMask == tagVar {
			return w
		}
		w = v
	}
	return w
}

// at returns what cell i holds as a word that can stand elsewhere.
func (p *pe) at(i uint64) uint64 {
	w := load(p.arena, i)
	if w&tagMask == tagVar {
		return i << tagBits
	}
	return w
}

// block notes an unbound variable that a test needs.
func (p *pe) block(v uint64) {
	for _, w := range p.blocked {
		if w == v {
			return
		}
	}
	p.blocked = append(p.blocked, v)
}

func (p *pe) blockBoth(a, b uint64) {
	if a&tagMask == tagRef {
		p.block(a)
	}
	if b&tagMask == tagRef {
		p.block(b)
	}
}

// blockOne is blockBoth for an operation that needs both values: it waits for one, the second where it can, which is bound later when
// goals run in their order.
func (p *pe) blockOne(a, b uint64) {
	if b&tagMask == tagRef {
		p.block(b)
	} else {
		p.block(a)
	}
}

// dispatch returns the label of a switch on the value w.
func (p *pe) dispatch(t *table, w uint64) uint64 {
	switch w & tagMask {
	case tagList:
		return uint64(t.list)
	case tagRef:
		p.block(w)
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

// elementsTo loads the elements of a version of a vector. It returns false where the goal has been put back.
func (p *pe) elementsTo(from, to uint16, n uint64) bool {
	w := term.Word(p.x[from])
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

// isA decides the type tests of guards on a value.
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

func (p *pe) isInteger(w uint64) bool {
	if w&tagMask == tagBox {
		k := term.Word(load(p.arena, w>>tagBits)).BoxKind() // somebody may lock it
		return k == term.KindInt || k == term.KindBig
	}
	return w&tagMask == tagInt
}

// integers returns two operands as Int words, if they are that.
func (p *pe) integers(m []uint64, a, b uint64) (uint64, uint64, bool) {
	a, b = p.deref(m, a), p.deref(m, b)
	return a, b, a&b&tagMask == tagInt && (a|b)&tagMask == tagInt
}

// compareSlow is a comparison of integers of which one at least is unbound, long, or none.
func (p *pe) compareSlow(pc uint64) uint64 {
	in := p.code[pc]
	a, b := p.deref(p.arena, p.x[uint16(in>>16)]), p.deref(p.arena, p.x[uint16(in>>32)])
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blockOne(a, b)
		return p.code[pc+1] >> 32
	}
	sign, ok := builtin.Sign((*platform)(p), false, term.Word(a), term.Word(b))
	switch {
	case !ok:
		return p.code[pc+2]
	case relationOf(op(uint8(in))).Holds(int64(sign), 0):
		return pc + 3
	}
	return uint64(uint32(p.code[pc+1]))
}

func relationOf(o op) compile.Rel {
	switch o {
	case opLess:
		return compile.Less
	case opNotLess:
		return compile.GreaterEqual
	case opSame:
		return compile.Same
	}
	return compile.NotSame
}

// floats is a comparison of floats.
func (p *pe) floats(pc uint64) uint64 {
	in := p.code[pc]
	a, b := p.deref(p.arena, p.x[uint16(in>>16)]), p.deref(p.arena, p.x[uint16(in>>32)])
	if a&tagMask == tagRef || b&tagMask == tagRef {
		p.blockOne(a, b)
		return p.code[pc+1] >> 32
	}
	sign, ok := builtin.Sign((*platform)(p), true, term.Word(a), term.Word(b))
	switch {
	case !ok:
		return p.code[pc+2]
	case compile.Rel(uint8(in>>8)).Holds(int64(sign), 0):
		return pc + 3
	}
	return uint64(uint32(p.code[pc+1]))
}

// A likeness is what the principal functors of two values say.
type likeness uint8

const (
	different likeness = iota
	same
	inside // their components decide
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

// components adds the pairs of components of two values to a stack, the first last.
func (p *pe) components(stack []uint64, a, b uint64) []uint64 {
	i, j := a>>tagBits, b>>tagBits
	switch {
	case a&tagMask == tagList:
		return append(stack, p.at(i+1), p.at(j+1), p.at(i), p.at(j))
	case a&tagMask == tagBox || b&tagMask == tagBox:
		c := (*platform)(p) // which is not asked for space: a unification cannot be put back
		all, others := builtin.Elements(c, term.Word(a)), builtin.Elements(c, term.Word(b))
		for k := len(all) - 1; k >= 0; k-- {
			stack = append(stack, uint64(all[k]), uint64(others[k]))
		}
	default:
		for k := uint64(p.Symbols.Lookup(int(p.arena[i] >> tagBits)).Arity); k > 0; k-- {
			stack = append(stack, p.at(i+k), p.at(j+k))
		}
	}
	return stack
}

// equal compares two terms without binding anything. It is unknown where an unbound variable meets something else, unless the terms differ
// elsewhere anyway.
func (p *pe) equal(a, b uint64) builtin.Verdict {
	out, mark := builtin.Yes, len(p.blocked)
	var seen term.Pairs
	stack := append(p.stack[:0], a, b)
	for len(stack) > 0 {
		n := len(stack)
		a, b = p.deref(p.arena, stack[n-2]), p.deref(p.arena, stack[n-1])
		stack = stack[:n-2]
		if a == b {
			continue
		}
		if a&tagMask == tagRef || b&tagMask == tagRef {
			out = builtin.Unknown
			p.blockBoth(a, b)
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
	a, b = p.deref(p.arena, a), p.deref(p.arena, b)
	switch {
	case a == b:
		return builtin.No
	case a&tagMask == tagRef || b&tagMask == tagRef:
		p.blockBoth(a, b)
		return builtin.Unknown
	case p.like(a, b) == different:
		return builtin.Yes
	}
	return builtin.No
}
