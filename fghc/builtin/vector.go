package builtin

import "whorl/fghc/term"

// A vector is a structure with the functor {}, or a version of an array.
var vectors = array{
	get: func(c Context, at, i int) term.Word { return c.Raw(at + 1 + i) },
	put: func(c Context, at, i int, w term.Word) { c.Store(at+1+i, w) },
	make: func(c Context, elements []term.Word) term.Word {
		at := c.Alloc(1 + len(elements))
		c.Store(at, term.BoxHeader(term.KindArray, len(elements)))
		for k, w := range elements {
			c.Store(at+1+k, w)
		}
		return term.MakeBox(at)
	},
}

// maxElements bounds the size of the term that a builtin makes.
const maxElements = 1 << 24

// Size returns the number of elements of a vector, and whether w is a vector.
func Size(c Context, w term.Word) (n int, ok bool) {
	i := w.Index()
	switch w.Tag() {
	case term.Str:
		f := c.Symbols().Lookup(int(c.Raw(i).Value()))
		return f.Arity, f.Name == term.Vector
	case term.Box:
		if c.Raw(i).BoxKind() == term.KindVector {
			return int(c.Raw(i + versionSize).Value()), true
		}
	}
	return 0, false
}

// Element returns element i of a vector, which must exist. It does not allocate.
func Element(c Context, w term.Word, i int) term.Word {
	if w.Tag() == term.Str {
		return c.Load(w.Index() + 1 + i)
	}
	w, _ = vectors.find(c, w.Index(), i)
	return w
}

// Fetch returns element i of a vector, which must exist. If the search for an element of an older version takes long, Fetch gives the version
// its own array, so that the next search is fast.
func Fetch(c Context, w term.Word, i int) term.Word {
	if w.Tag() == term.Str {
		return c.Load(w.Index() + 1 + i)
	}
	return vectors.element(c, w.Index(), i)
}

// Elements returns all elements of a vector. It does not allocate in the arena.
func Elements(c Context, w term.Word) []term.Word {
	if w.Tag() != term.Str {
		return vectors.elements(c, w.Index())
	}
	n, _ := Size(c, w)
	return arguments(c, w.Index()+1, n)
}

// arguments returns the n words from cell at on, as words that can be stored elsewhere.
func arguments(c Context, at, n int) []term.Word {
	out := make([]term.Word, n)
	for k := range out {
		out[k] = c.Load(at + k)
	}
	c.Work(n)
	return out
}

// VectorWords returns the number of words of a new vector of n elements.
func VectorWords(n int) int { return 1 + n + versionEnd }

// Blank makes a vector of n elements w. The elements begin at index at.
func Blank(c Context, n int, w term.Word) (v term.Word, at int) {
	at = c.Alloc(VectorWords(n))
	c.Store(at, term.BoxHeader(term.KindArray, n))
	for k := range n {
		c.Store(at+1+k, w)
	}
	return putVersion(c, at+1+n, term.KindVector, term.MakeBox(at), n), at + 1
}

// NewVector makes a vector of elements, which are words that can be stored anywhere.
func NewVector(c Context, elements []term.Word) term.Word {
	v, at := Blank(c, len(elements), term.Nil)
	for k, w := range elements {
		c.Store(at+k, w)
	}
	return v
}

func vectorSize(c Context, args []term.Word) Verdict {
	n, ok := Size(c, args[0])
	if !ok {
		return c.Fault(0, "a vector")
	}
	args[1] = term.MakeInt(int64(n))
	return Yes
}

// position returns the value of args[k], an index from 0 to most into a vector or string.
func position(c Context, args []term.Word, k, most int, kind string) (int, bool) {
	if w := args[k]; w.Tag() == term.Int && w.Value() >= 0 && w.Value() <= int64(most) {
		return int(w.Value()), true
	}
	if most < 0 {
		c.Fault(k, "an index, which an empty %s does not have", kind)
	} else {
		c.Fault(k, "an index from 0 to %d of the %s", most, kind)
	}
	return 0, false
}

// vectorAt checks the first two arguments: a vector and an index into it.
func vectorAt(c Context, args []term.Word) (i int, ok bool) {
	n, ok := Size(c, args[0])
	if !ok {
		c.Fault(0, "a vector")
		return 0, false
	}
	return position(c, args, 1, n-1, "vector")
}

func vectorElement(c Context, args []term.Word) Verdict {
	i, ok := vectorAt(c, args)
	if !ok {
		return No
	}
	args[2] = Fetch(c, args[0], i)
	return Yes
}

// setVectorElement has the arguments (vector, index, element, new vector), with the old element optionally before the new one.
func setVectorElement(c Context, args []term.Word) Verdict {
	i, ok := vectorAt(c, args)
	if !ok {
		return No
	}
	v := args[0]
	if v.Tag() == term.Str {
		v = NewVector(c, Elements(c, v))
	}
	if len(args) == 5 {
		args[2] = Element(c, v, i)
	}
	last := len(args) - 1
	args[last] = vectors.replace(c, v.Index(), i, args[last-1])
	return Yes
}

// newVector has the arguments (vector, number or list of elements).
func newVector(c Context, args []term.Word) Verdict {
	if n := args[1]; n.Tag() == term.Int && n.Value() >= 0 && n.Value() <= maxElements {
		args[0], _ = Blank(c, int(n.Value()), term.MakeInt(0))
		return Yes
	}
	elements, v := list(c, args, 1, "a number of elements from 0 to %d, or a list of them", maxElements)
	if v == Yes {
		args[0] = NewVector(c, elements)
	}
	return v
}

// list returns the elements of the list args[k]. It waits for the end of the list.
func list(c Context, args []term.Word, k int, want string, values ...any) (elements []term.Word, v Verdict) {
	w := args[k]
	for w.Tag() == term.List && len(elements) < maxElements {
		elements = append(elements, c.Load(w.Index()))
		w = c.Deref(c.Load(w.Index() + 1))
	}
	c.Work(2 * len(elements))
	switch {
	case w == term.Nil:
		return elements, Yes
	case w.Tag() == term.Ref:
		c.Block(w)
		return nil, Unknown
	}
	return nil, c.Fault(k, want, values...)
}

// splitVector has the arguments (vector, index, elements below the index, other elements).
func splitVector(c Context, args []term.Word) Verdict {
	all := Elements(c, args[0])
	i, ok := position(c, args, 1, len(all), "vector")
	if !ok {
		return No
	}
	args[2], args[3] = NewVector(c, all[:i]), NewVector(c, all[i:])
	return Yes
}

func joinVectors(c Context, args []term.Word) Verdict {
	if _, ok := Size(c, args[1]); !ok {
		return c.Fault(1, "a vector, like the first")
	}
	all := append(Elements(c, args[0]), Elements(c, args[1])...)
	if len(all) > maxElements {
		return c.Fault(-1, "a vector of more than %d elements", maxElements)
	}
	args[2] = NewVector(c, all)
	return Yes
}

// either returns a builtin that dispatches on the type of the first argument, a vector or a string.
func either(vector, text func(c Context, args []term.Word) Verdict) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		if _, ok := Size(c, args[0]); ok {
			return vector(c, args)
		}
		if _, ok := Length(c, args[0]); ok {
			return text(c, args)
		}
		return c.Fault(0, "a vector or a string")
	}
}
