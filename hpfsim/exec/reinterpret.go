package exec

import (
	"encoding/binary"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// reinterpret evaluates TRANSFER: the bytes of the first argument as values of the type of the second.
func (f *frame) reinterpret(e *lower.Call) *array {
	from := f.array(e.Args[0])
	each := from.t.Bytes()
	if from.t.Base == syntax.CharacterType {
		each = from.length
	}
	before := f.used
	f.reserve(lower.Character, each, from.size())
	bytes := make([]byte, 0, from.size()*each)
	from.eachElement(func(at int) { bytes = lower.AppendBytes(bytes, from.get(at), from.t, binary.LittleEndian) })
	length, size := 0, e.T.Bytes()
	if e.T.Base == syntax.CharacterType {
		length = f.moldLength(e.Args[1])
		size = length
	}
	n := 1
	switch {
	case len(e.Args) > 2 && e.Args[2] != nil:
		if n = f.integer(e.Args[2]); n < 0 || n > mostElements {
			fail(e.Pos, "TRANSFER to %d values (expected 0 or more)", n)
		}
	case e.N > 0 && size > 0:
		n = (len(bytes) + size - 1) / size
	case e.N > 0:
		n = 0
	}
	value := func(i int) lower.Value {
		part := make([]byte, size)
		if at := i * size; at < len(bytes) {
			copy(part, bytes[at:])
		}
		return lower.FromBytes(part, e.T, binary.LittleEndian)
	}
	f.drop(before)
	if e.N == 0 {
		return f.scalar(e.T, value(0))
	}
	out := f.newArray(e.T, length, []int{1}, []int{n})
	for i := range n {
		out.set(i, value(i))
	}
	return out
}

// moldLength returns the length of the characters of MOLD.
func (f *frame) moldLength(x lower.Expr) int {
	if x.Rank() > 0 {
		return f.array(x).length
	}
	if r, ok := x.(*lower.Ref); ok {
		return f.variable(r.Sym).length
	}
	return len(f.value(x).S)
}
