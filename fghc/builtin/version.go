package builtin

import "whorl/fghc/term"

// Vectors and strings are values: replacing an element makes a new value. To do so in constant time they are versions of an array (H. G. Baker,
// "Shallow Binding Makes Functional Arrays Fast", 1991), boxes of four words:
//
//	the newest version    Int(-1), [], the array, the number of elements
//	an older one          Int(index), its element at the index, the next newer version, the number of elements
//
// Reading and replacing elements of the newest version takes constant time, even while older versions exist. Reading an older version follows
// the chain of newer ones. An older version gets its own array if reading it takes too long, or when an element of it is replaced.
const (
	versionIndex = 1 + iota
	versionOld
	versionNext
	versionSize
	versionEnd
)

const newest = -1

// putVersion stores the newest version of an array with the given number of elements in the words from index at on.
func putVersion(c Context, at, kind int, array term.Word, size int) term.Word {
	c.Store(at, term.BoxHeader(kind, versionEnd-1))
	c.Store(at+versionIndex, term.MakeInt(newest))
	c.Store(at+versionOld, term.Nil)
	c.Store(at+versionNext, array)
	c.Store(at+versionSize, term.MakeInt(int64(size)))
	return term.MakeBox(at)
}

// An array accesses the elements of arrays of one kind.
type array struct {
	get  func(c Context, at, i int) term.Word // element i of the array whose header is at
	put  func(c Context, at, i int, w term.Word)
	make func(c Context, elements []term.Word) term.Word // a new array
}

// element returns element i of the version at index at. It gives the version its own array if the element is far away.
func (a *array) element(c Context, at, i int) term.Word {
	w, steps := a.find(c, at, i)
	if steps > int(c.Raw(at+versionSize).Value()) {
		a.detach(c, at)
	}
	return w
}

// find returns element i of the version at index at, and the number of versions between that and the version with the element.
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

// elements returns the elements of the version at index at.
func (a *array) elements(c Context, at int) []term.Word {
	out := make([]term.Word, int(c.Raw(at+versionSize).Value()))
	have := make([]bool, len(out)) // already found in an older version
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

// detach gives an older version its own array.
func (a *array) detach(c Context, at int) {
	own := a.make(c, a.elements(c, at))
	c.Lock(at)
	c.Store(at+versionIndex, term.MakeInt(newest))
	c.Store(at+versionOld, term.Nil)
	c.Store(at+versionNext, own)
	c.Unlock(at)
}

// replace makes a new version from the one at index at, with element i replaced by w.
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
