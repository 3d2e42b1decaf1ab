package builtin

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"strings"

	"whorl/fghc/term"
)

// The types of terms in the standard order. Numbers are ordered by value, atoms and strings by their bytes, lists by head and then tail,
// structures by arity, name and arguments, and vectors by length and elements.
const (
	anInteger = iota
	aFloat
	anAtom
	aString
	aList
	aStructure
	aVector
	anObject // objects have no order: all compare equal
)

func rank(c Context, w term.Word) int {
	switch w.Tag() {
	case term.Int:
		return anInteger
	case term.Atom:
		return anAtom
	case term.List:
		return aList
	case term.Str:
		if _, ok := Size(c, w); ok {
			return aVector
		}
		return aStructure
	}
	switch c.Raw(w.Index()).BoxKind() {
	case term.KindInt, term.KindBig:
		return anInteger
	case term.KindFloat:
		return aFloat
	case term.KindString, term.KindText:
		return aString
	case term.KindVector:
		return aVector
	}
	return anObject
}

// maxSteps bounds the comparison of cyclic terms.
const maxSteps = 1 << 26

// Compare compares two terms in the standard order, from left to right, up to the first difference. If it meets unbound variables it blocks on
// them and returns Unknown. For two strings the absolute value of the difference is one more than the index of the first differing byte.
func Compare(c Context, a, b term.Word) (difference int, v Verdict) {
	stack := []term.Word{a, b}
	steps := 0
	for len(stack) > 0 {
		a, b = c.Deref(stack[len(stack)-1]), c.Deref(stack[len(stack)-2])
		a, b = b, a
		stack = stack[:len(stack)-2]
		if a == b {
			continue
		}
		if steps++; steps > maxSteps {
			return 0, c.Fault(-1, "the terms are too large, or infinite")
		}
		if a.Tag() == term.Ref || b.Tag() == term.Ref {
			if a.Tag() == b.Tag() && c.Same(a, b) {
				continue
			}
			for _, w := range []term.Word{a, b} {
				if w.Tag() == term.Ref {
					c.Block(w)
				}
			}
			return 0, Unknown
		}
		kind := rank(c, a)
		if d := kind - rank(c, b); d != 0 {
			return cmp.Compare(d, 0), Yes
		}
		var d int
		var left, right []term.Word
		switch kind {
		case anInteger, aFloat:
			d, _ = Sign(c, kind == aFloat, a, b)
		case anAtom:
			d = strings.Compare(c.Symbols().Name(a.Index()), c.Symbols().Name(b.Index()))
		case aString:
			x, _ := Text(c, a)
			y, _ := Text(c, b)
			d = bytes.Compare(x, y) * (1 + common(x, y))
		case aVector:
			left, right = Elements(c, a), Elements(c, b)
			d = cmp.Compare(len(left), len(right))
		case aList, aStructure:
			f, m := functorOf(c, a)
			g, n := functorOf(c, b)
			if d = cmp.Compare(m, n); d == 0 && f != g {
				d = strings.Compare(c.Symbols().Name(f.Index()), c.Symbols().Name(g.Index()))
			}
			if d == 0 {
				left, right = structureArgs(c, a, m), structureArgs(c, b, n)
			}
		}
		c.Work(1)
		if d != 0 {
			return d, Yes
		}
		for k := len(left) - 1; k >= 0; k-- {
			stack = append(stack, left[k], right[k])
		}
	}
	return 0, Yes
}

// common returns the length of the longest common prefix.
func common(x, y []byte) int {
	n := min(len(x), len(y))
	for k := range n {
		if x[k] != y[k] {
			return k
		}
	}
	return n
}

// compare has the arguments (term, term, difference).
func compare(c Context, args []term.Word) Verdict {
	d, v := Compare(c, args[0], args[1])
	if v == Yes {
		args[2] = term.MakeInt(int64(d))
	}
	return v
}

// ordered returns a test whether the sign of a comparison lies in a range.
func ordered(from, to int) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		d, v := Compare(c, args[0], args[1])
		if v != Yes {
			return v
		}
		d = cmp.Compare(d, 0)
		return holds(from <= d && d <= to)
	}
}

// hash has the arguments (term, number). Equal terms have equal hashes, in every run. It waits until the term is ground.
func hash(c Context, args []term.Word) Verdict {
	h := fnv.New64a()
	add := func(kind, n int, text []byte) {
		h.Write([]byte{byte(kind), byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
		h.Write(text)
	}
	v := Yes
	stack := []term.Word{args[0]}
	for steps := 0; len(stack) > 0; steps++ {
		w := c.Deref(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if w.Tag() == term.Ref {
			c.Block(w)
			v = Unknown
			continue
		}
		if steps > maxSteps {
			return c.Fault(-1, "the term is too large, or infinite")
		}
		kind := rank(c, w)
		var parts []term.Word
		switch kind {
		case anInteger:
			n, _ := Integer(c, w)
			add(kind, n.Sign(), n.Bytes())
		case aFloat, anObject:
			for k := range c.Raw(w.Index()).BoxWords() {
				add(kind, k, binaryWord(c.Raw(w.Index()+1+k)))
			}
		case anAtom:
			name := c.Symbols().Name(w.Index())
			add(kind, len(name), []byte(name))
		case aString:
			b, _ := Text(c, w)
			add(kind, len(b), b)
		case aVector:
			parts = Elements(c, w)
			add(kind, len(parts), nil)
		default:
			name, n := functorOf(c, w)
			add(kind, n, []byte(c.Symbols().Name(name.Index())))
			parts = structureArgs(c, w, n)
		}
		for k := len(parts) - 1; k >= 0; k-- {
			stack = append(stack, parts[k])
		}
	}
	args[1] = term.MakeInt(int64(h.Sum64() >> 34))
	return v
}

func binaryWord(w term.Word) []byte {
	b := make([]byte, 8)
	for k := range b {
		b[k] = byte(w >> (8 * k))
	}
	return b
}
