package builtin

import "whorl/fghc/term"

// Vectors and strings are values: to replace an element is to make another one. So that this takes constant time they can be versions of
// an array (H. G. Baker, "Shallow Binding Makes Functional Arrays Fast", 1991), boxes of four words:
//
//	the newest version    Int(-1), [], the array, the number of elements
//	an older one          Int(index), the element that it had there, the version that was made of it, the number of elements
//
// The newest version is read and replaced in constant time, whoever holds older ones. An older one is read through those made of it, as
// far back as it lies; one that is asked for too much of that gets an array of its own, as does one that is replaced once more.
const (
	versionIndex = 1 + iota
	versionOld
	versionNext
	versionSize
	versionEnd
)

const newest = -1

// putVersion makes the newest version of an array of so many elements in the words from index at on.
func putVersion(c Context, at, kind int, array term.Word, size int) term.Word {
	c.Store(at, term.BoxHeader(kind, versionEnd-1))
	c.Store(at+versionIndex, term.MakeInt(newest))
	c.Store(at+versionOld, term.Nil)
	c.Store(at+versionNext, array)
	c.Store(at+versionSize, term.MakeInt(int64(size)))
	return term.MakeBox(at)
}

// An array is how the elements of a version lie behind it.
type array struct {
	get  func(c Context, at, i int) term.Word // element i of the array whose header is at
	put  func(c Context, at, i int, w term.Word)
	make func(c Context, elements []term.Word) term.Word // a new array
}

// element returns element i of the version at index at, which gets an array of its own where the element lies far from it.
func (a *array) element(c Context, at, i int) term.Word {
	w, steps := a.find(c, at, i)
	if steps > int(c.Raw(at+versionSize).Value()) {
		a.detach(c, at)
	}
	return w
}

// find returns element i of the version at index at, and how many versions lie before the one that has it.
func (a *array) find(c Context, at, i int) (w term.Word, steps int) {
	for ; ; steps++ {
		c.Lock(at)
		index, w, next := c.Raw(at+versionIndex).Value(), c.Raw(at+versionOld), c.Raw(at+versionNext).Index()
		if index == newest {
			w = a.get(c, next, i)
		}
		c.Unlock(at)
		if index == newest || index == int64(i) {
			c.Work(steps)
			return w, steps
		}
		at = next
	}
}

// all returns the elements of the version at index at.
func (a *array) all(c Context, at int) []term.Word {
	out := make([]term.Word, int(c.Raw(at+versionSize).Value()))
	have := make([]bool, len(out)) // what a newer version has replaced
	for steps := 0; ; steps++ {
		c.Lock(at)
		index, w, next := c.Raw(at+versionIndex).Value(), c.Raw(at+versionOld), c.Raw(at+versionNext).Index()
		if index == newest {
			for i := range out {
				if !have[i] {
					out[i] = a.get(c, next, i)
				}
			}
		}
		c.Unlock(at)
		if index == newest {
			c.Work(steps + len(out))
			return out
		}
		if !have[index] {
			out[index], have[index] = w, true
		}
		at = next
	}
}

// detach gives an older version an array of its own.
func (a *array) detach(c Context, at int) {
	own := a.make(c, a.all(c, at))
	c.Lock(at)
	c.Store(at+versionIndex, term.MakeInt(newest))
	c.Store(at+versionOld, term.Nil)
	c.Store(at+versionNext, own)
	c.Unlock(at)
}

// replace returns the version made of that at index at by putting w in the place of element i.
func (a *array) replace(c Context, at, i int, w term.Word) term.Word {
	kind, size := c.Raw(at).BoxKind(), int(c.Raw(at+versionSize).Value())
	to := c.Alloc(versionEnd)
	made := putVersion(c, to, kind, term.Nil, size)
	for {
		c.Lock(at)
		if c.Raw(at+versionIndex).Value() == newest {
			array := c.Raw(at + versionNext)
			c.Store(to+versionNext, array)
			c.Store(at+versionOld, a.get(c, array.Index(), i))
			c.Store(at+versionIndex, term.MakeInt(int64(i)))
			c.Store(at+versionNext, made)
			a.put(c, array.Index(), i, w)
			c.Unlock(at)
			return made
		}
		c.Unlock(at)
		a.detach(c, at)
	}
}
