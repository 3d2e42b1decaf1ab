package builtin

import "whorl/fghc/term"

// A vector is a structure of the functor {}, as it is written in a program, or a version of an array (H. G. Baker, "Shallow Binding Makes
// Functional Arrays Fast", 1991): a box of three words.
//
//	the newest version    Int(-1), [], the array
//	an older one          Int(index), the element that it had there, the version made of it
//
// Reading and replacing an element of the newest version take constant time, whoever else holds older ones.

const versionWords = 3

// maxElements bounds what one builtin allocates.
const maxElements = 1 << 24

// shape says how a vector is held: for a structure the index of its first argument, for a version that of its header.
func shape(c Context, w term.Word) (at int, version, ok bool) {
	i := w.Index()
	switch w.Tag() {
	case term.Str:
		f := c.Symbols().Lookup(int(c.Raw(i).Value()))
		return i + 1, false, f.Name == term.Vector
	case term.Box:
		return i, true, c.Raw(i).BoxKind() == term.KindVector
	}
	return 0, false, false
}

// Size returns the number of elements of a vector.
func Size(c Context, w term.Word) (n int, ok bool) {
	at, version, ok := shape(c, w)
	switch {
	case !ok:
		return 0, false
	case !version:
		return c.Symbols().Lookup(int(c.Raw(at - 1).Value())).Arity, true
	}
	for {
		c.Lock(at)
		index, next := c.Raw(at+1), c.Raw(at+3)
		c.Unlock(at)
		if index.Value() < 0 {
			return c.Raw(next.Index()).BoxWords(), true
		}
		at = next.Index()
		c.Work(1)
	}
}

// Element returns element i of a vector, which has one.
func Element(c Context, w term.Word, i int) term.Word {
	at, version, _ := shape(c, w)
	if !version {
		return c.Load(at + i)
	}
	for {
		c.Lock(at)
		index, old, next := c.Raw(at+1), c.Raw(at+2), c.Raw(at+3)
		if index.Value() < 0 {
			old = c.Raw(next.Index() + 1 + i)
		}
		c.Unlock(at)
		if v := index.Value(); v < 0 || v == int64(i) {
			return old
		}
		at = next.Index()
		c.Work(1)
	}
}

// VectorWords is the length of a new vector of n elements.
func VectorWords(n int) int { return 1 + n + 1 + versionWords }

// Blank returns a new vector of n elements [], which lie from index at on.
func Blank(c Context, n int) (v term.Word, at int) {
	at = c.Alloc(VectorWords(n))
	c.Store(at, term.BoxHeader(term.KindArray, n))
	for k := range n {
		c.Store(at+1+k, term.Nil)
	}
	return newest(c, at+1+n, term.MakeBox(at)), at + 1
}

// makeVector returns a new vector of the elements, which are words that can stand anywhere.
func makeVector(c Context, elements []term.Word) term.Word {
	v, at := Blank(c, len(elements))
	for k, w := range elements {
		c.Store(at+k, w)
	}
	return v
}

// newest makes the newest version of an array in the words from at on.
func newest(c Context, at int, array term.Word) term.Word {
	c.Store(at, term.BoxHeader(term.KindVector, versionWords))
	c.Store(at+1, term.MakeInt(-1))
	c.Store(at+2, term.Nil)
	c.Store(at+3, array)
	return term.MakeBox(at)
}

func vectorSize(c Context, args []term.Word) Verdict {
	n, ok := Size(c, args[0])
	if !ok {
		return c.Fault(0, "a vector")
	}
	args[1] = term.MakeInt(int64(n))
	return Yes
}

// position returns the integer that args[k] is, from 0 to most.
func position(c Context, args []term.Word, k, most int, of string) (int, bool) {
	if w := args[k]; w.Tag() == term.Int && w.Value() >= 0 && w.Value() <= int64(most) {
		return int(w.Value()), true
	}
	if most < 0 {
		c.Fault(k, "an index, and an empty %s has none", of)
	} else {
		c.Fault(k, "an index from 0 to %d of the %s", most, of)
	}
	return 0, false
}

func vectorElement(c Context, args []term.Word) Verdict {
	n, ok := Size(c, args[0])
	if !ok {
		return c.Fault(0, "a vector")
	}
	i, ok := position(c, args, 1, n-1, "vector")
	if !ok {
		return No
	}
	args[2] = Element(c, args[0], i)
	return Yes
}

func newVector(c Context, args []term.Word) Verdict {
	elements, verdict := initial(c, args, 1, term.MakeInt(0))
	if verdict == Yes {
		args[0] = makeVector(c, elements)
	}
	return verdict
}

// initial returns what a new object of many elements begins with: args[k] is how many of blank there are, or a list of them.
func initial(c Context, args []term.Word, k int, blank term.Word) (elements []term.Word, v Verdict) {
	w := args[k]
	if w.Tag() == term.Int {
		n := w.Value()
		if n < 0 || n > maxElements {
			return nil, c.Fault(k, "a number of elements from 0 to %d, or a list of them", maxElements)
		}
		elements = make([]term.Word, n)
		for i := range elements {
			elements[i] = blank
		}
		return elements, Yes
	}
	for w.Tag() == term.List && len(elements) < maxElements {
		elements = append(elements, c.Load(w.Index()))
		w = c.Deref(c.Load(w.Index() + 1))
	}
	c.Work(2 * len(elements))
	switch w.Tag() {
	case term.Ref:
		c.Block(w)
		return nil, Unknown
	case term.Atom:
		if w == term.Nil {
			return elements, Yes
		}
	}
	return nil, c.Fault(k, "a number of elements, or a list of them")
}
