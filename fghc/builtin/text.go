package builtin

import (
	"bytes"

	"whorl/fghc/term"
)

// A string is a box of bytes, or a version of an array of bytes.
var texts = array{
	get: func(c Context, at, i int) term.Word {
		return term.MakeInt(int64(byte(c.Raw(at+2+i/8) >> (8 * (i % 8)))))
	},
	put: func(c Context, at, i int, w term.Word) {
		shift := 8 * (i % 8)
		c.Store(at+2+i/8, c.Raw(at+2+i/8)&^(0xff<<shift)|term.Word(byte(w.Value()))<<shift)
	},
	make: func(c Context, elements []term.Word) term.Word {
		b := make([]byte, len(elements))
		for k, w := range elements {
			b[k] = byte(w.Value())
		}
		return NewString(c, b)
	},
}

// NewString makes a string.
func NewString[S ~string | ~[]byte](c Context, s S) term.Word {
	i, w := newBox(c, term.KindString, 1+(len(s)+7)/8)
	c.Store(i, term.Word(len(s)))
	for k := 0; k < len(s); k += 8 {
		var x uint64
		for j := 0; j < 8 && k+j < len(s); j++ {
			x |= uint64(s[k+j]) << (8 * j)
		}
		c.Store(i+1+k/8, term.Word(x))
	}
	return w
}

// Length returns the number of bytes of a string, and whether w is a string.
func Length(c Context, w term.Word) (n int, ok bool) {
	if w.Tag() == term.Box {
		switch i := w.Index(); c.Raw(i).BoxKind() {
		case term.KindString:
			return int(c.Raw(i + 1)), true
		case term.KindText:
			return int(c.Raw(i + versionSize).Value()), true
		}
	}
	return 0, false
}

// Text returns the bytes of a string.
func Text(c Context, w term.Word) ([]byte, bool) {
	n, ok := Length(c, w)
	if !ok {
		return nil, false
	}
	b, at := make([]byte, n), w.Index()
	if c.Raw(at).BoxKind() == term.KindText {
		for k, e := range texts.elements(c, at) {
			b[k] = byte(e.Value())
		}
		return b, true
	}
	for k := range b {
		b[k] = byte(c.Raw(at+2+k/8) >> (8 * (k % 8)))
	}
	return b, true
}

func letter(c Context, w term.Word, i int) term.Word {
	at := w.Index()
	if c.Raw(at).BoxKind() == term.KindText {
		return texts.element(c, at, i)
	}
	return texts.get(c, at, i)
}

const elementBits = 8

// stringSize has the arguments (string, length, bits of an element).
func stringSize(c Context, args []term.Word) Verdict {
	n, ok := Length(c, args[0])
	if !ok {
		return c.Fault(0, "a string")
	}
	args[1] = term.MakeInt(int64(n))
	if len(args) == 3 {
		args[2] = term.MakeInt(elementBits)
	}
	return Yes
}

func elementSize(c Context, args []term.Word) Verdict {
	if _, ok := Length(c, args[0]); !ok {
		return c.Fault(0, "a string")
	}
	args[1] = term.MakeInt(elementBits)
	return Yes
}

func stringAt(c Context, args []term.Word) (i int, ok bool) {
	n, ok := Length(c, args[0])
	if !ok {
		c.Fault(0, "a string")
		return 0, false
	}
	return position(c, args, 1, n-1, "string")
}

func stringElement(c Context, args []term.Word) Verdict {
	i, ok := stringAt(c, args)
	if !ok {
		return No
	}
	args[2] = letter(c, args[0], i)
	return Yes
}

func isByte(w term.Word) bool {
	return w.Tag() == term.Int && w.Value() >= 0 && w.Value() < 1<<elementBits
}

// setStringElement has the arguments (string, index, element, new string).
func setStringElement(c Context, args []term.Word) Verdict {
	i, ok := stringAt(c, args)
	if args[2] = c.Deref(args[2]); ok && args[2].Tag() == term.Ref { // generic:set_element accepts an unbound element, for vectors
		c.Block(args[2])
		return Unknown
	}
	switch {
	case !ok:
		return No
	case !isByte(args[2]):
		return c.Fault(2, "a character from 0 to 255")
	}
	at := args[0].Index()
	if c.Raw(at).BoxKind() == term.KindString {
		b, _ := Text(c, args[0])
		s := NewString(c, b)
		at = c.Alloc(versionEnd)
		putVersion(c, at, term.KindText, s, len(b))
	}
	args[3] = texts.replace(c, at, i, args[2])
	return Yes
}

// newString has the arguments (string, number or list of elements, bits of an element).
func newString(c Context, args []term.Word) Verdict {
	if args[2] != term.MakeInt(elementBits) {
		return c.Fault(2, "8, the number of bits of an element")
	}
	if n := args[1]; n.Tag() == term.Int && n.Value() >= 0 && n.Value() <= maxElements {
		args[0] = NewString(c, make([]byte, n.Value()))
		return Yes
	}
	const want = "a number of elements from 0 to %d, or a list of characters from 0 to 255"
	elements, v := list(c, args, 1, want, maxElements)
	if v != Yes {
		return v
	}
	b := make([]byte, len(elements))
	for k, w := range elements {
		w = c.Deref(w)
		switch {
		case w.Tag() == term.Ref:
			c.Block(w)
			v = Unknown
		case !isByte(w):
			return c.Fault(1, want, maxElements)
		default:
			b[k] = byte(w.Value())
		}
	}
	if v == Yes {
		args[0] = NewString(c, b)
	}
	return v
}

// splitString has the arguments (string, index, elements below the index, other elements).
func splitString(c Context, args []term.Word) Verdict {
	b, _ := Text(c, args[0])
	i, ok := position(c, args, 1, len(b), "string")
	if !ok {
		return No
	}
	args[2], args[3] = NewString(c, b[:i]), NewString(c, b[i:])
	return Yes
}

func joinStrings(c Context, args []term.Word) Verdict {
	a, _ := Text(c, args[0])
	b, ok := Text(c, args[1])
	switch {
	case !ok:
		return c.Fault(1, "a string, like the first")
	case len(a)+len(b) > maxElements:
		return c.Fault(-1, "a string of more than %d elements", maxElements)
	}
	args[2] = NewString(c, append(a, b...))
	return Yes
}

// searchCharacter has the arguments (string, from, to, character, index). It searches from from through to, backwards if from is greater. The
// index is -1 if the character does not occur there.
func searchCharacter(c Context, args []term.Word) Verdict {
	b, ok := Text(c, args[0])
	if !ok {
		return c.Fault(0, "a string")
	}
	from, ok := position(c, args, 1, len(b)-1, "string")
	if !ok {
		return No
	}
	to, ok := position(c, args, 2, len(b)-1, "string")
	if !ok {
		return No
	}
	if !isByte(args[3]) {
		return c.Fault(3, "a character from 0 to 255")
	}
	low, high, search := from, to, bytes.IndexByte
	if from > to {
		low, high, search = to, from, bytes.LastIndexByte
	}
	at := search(b[low:high+1], byte(args[3].Value()))
	if at >= 0 {
		at += low
	}
	c.Work(high - low + 1)
	args[4] = term.MakeInt(int64(at))
	return Yes
}

// stringLess has the arguments (string, string).
func stringLess(c Context, args []term.Word) Verdict { return compareStrings(c, args, -1, -1) }

func stringNotLess(c Context, args []term.Word) Verdict { return compareStrings(c, args, 0, 1) }

// compareStrings reports whether the sign of the comparison of two strings lies in a range.
func compareStrings(c Context, args []term.Word, from, to int) Verdict {
	a, ok := Text(c, args[0])
	if !ok {
		return c.Fault(0, "a string")
	}
	b, ok := Text(c, args[1])
	if !ok {
		return c.Fault(1, "a string")
	}
	sign := bytes.Compare(a, b)
	return holds(from <= sign && sign <= to)
}
