// Package term defines the representation of FGHC terms in memory: tagged 64-bit words and objects of consecutive words in a flat arena, to
// which words refer by index. The compiler makes constant words, the engines run on them. Words are not Go pointers, so that Go's garbage
// collector does not scan arenas.
//
//	Ref   index of a cell          the cell holds the value, or is an unbound variable (Var)
//	Int   61-bit signed integer
//	Atom  number of an atom
//	List  index of two cells       head and tail
//	Str   index of a header cell   functor, then the arguments; vectors are structures of the functor {}
//	Box   index of a raw header    strings, floats, integers that do not fit in a word, and versions of vectors and strings (box.go)
//	Var   content of a cell only   an unbound variable, with the goals that wait for it
//	Raw   header of a box only     (during a collection also the forwarding address of a moved cell)
package term

import "math"

// A Word is a tagged word: the tag in the low three bits, the payload above.
type Word uint64

// The tags.
const (
	Ref Word = iota
	Int
	Atom
	List
	Str
	Box
	Var
	Raw

	TagBits = 3
	TagMask = 1<<TagBits - 1
)

// Nil is the empty list.
const Nil = Atom

// Tag returns the tag of a word.
func (w Word) Tag() Word { return w & TagMask }

// Index returns the payload of a pointer, an atom or a Raw header, without flags.
func (w Word) Index() int { return int(w << 8 >> (8 + TagBits)) }

// MakeRef, MakeList, MakeStr and MakeBox return a pointer to index i of the arena; MakeAtom returns atom number i.
func MakeRef(i int) Word  { return Word(i) << TagBits } // the tag Ref is 0
func MakeList(i int) Word { return Word(i)<<TagBits | List }
func MakeStr(i int) Word  { return Word(i)<<TagBits | Str }
func MakeBox(i int) Word  { return Word(i)<<TagBits | Box }
func MakeAtom(i int) Word { return Word(i)<<TagBits | Atom }

// Limits of the integers that fit in a word; others are boxed.
const (
	MaxInt = math.MaxInt64 >> TagBits
	MinInt = math.MinInt64 >> TagBits
)

// FitsWord reports whether v fits in an Int word.
func FitsWord(v int64) bool { return v >= MinInt && v <= MaxInt }

// MakeInt returns v, which must fit in a word, as an Int word.
func MakeInt(v int64) Word { return Word(v)<<TagBits | Int }

// Value returns the integer in an Int word.
func (w Word) Value() int64 { return int64(w) >> TagBits }

// A Functor is a name and an arity.
type Functor struct {
	Name  int // atom
	Arity int
}
