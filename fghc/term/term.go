// Package term says how a term of FGHC lies in memory: a tagged 64-bit word, and objects of consecutive words in a flat arena that words
// point into by index. The compiler makes constant words of it, the engine runs on it. Nothing here is a Go pointer, so that Go's collector
// never looks into an arena.
//
//	Ref   index of a cell          the cell holds the value, or is an unbound variable (Var)
//	Int   61-bit signed integer
//	Atom  number of an atom
//	List  index of two cells       head and tail
//	Str   index of a header cell   functor, then the arguments; vectors are structures of the functor {}
//	Box   index of a raw header    strings, floats, integers that do not fit a word, and versions of vectors and strings (box.go)
//	Var   content of a cell only   an unbound variable, with what waits for it
//	Raw   header of a box only     (while the engine's collector runs, also the forwarding address of a moved cell)
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

// Tag returns the word's tag.
func (w Word) Tag() Word { return w & TagMask }

// Index returns the payload of a pointer, an atom or a raw header, without flags.
func (w Word) Index() int { return int(w << 8 >> (8 + TagBits)) }

// MakeRef, MakeList, MakeStr and MakeBox point at index i of the arena; MakeAtom is atom number i.
func MakeRef(i int) Word  { return Word(i) << TagBits } // the tag Ref is 0
func MakeList(i int) Word { return Word(i)<<TagBits | List }
func MakeStr(i int) Word  { return Word(i)<<TagBits | Str }
func MakeBox(i int) Word  { return Word(i)<<TagBits | Box }
func MakeAtom(i int) Word { return Word(i)<<TagBits | Atom }

// Limits of an integer that fits a word; others are boxed.
const (
	MaxInt = math.MaxInt64 >> TagBits
	MinInt = math.MinInt64 >> TagBits
)

// FitsWord says whether v fits an Int word.
func FitsWord(v int64) bool { return v >= MinInt && v <= MaxInt }

// MakeInt returns v, which must fit a word, as an Int.
func MakeInt(v int64) Word { return Word(v)<<TagBits | Int }

// Value returns the integer in an Int word.
func (w Word) Value() int64 { return int64(w) >> TagBits }

// A Functor is a name and a number of arguments.
type Functor struct {
	Name  int // atom
	Arity int
}
