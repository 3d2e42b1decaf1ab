// Package term says how a term of FGHC lies in memory: a tagged 64-bit word, and objects of consecutive words in a flat arena that words
// point into by index. The compiler makes constant words of it, the engine runs on it. Nothing here is a Go pointer, so that Go's collector
// never looks into an arena.
//
//	Ref   index of a cell          the cell holds the value, or is an unbound variable (Var)
//	Int   61-bit signed integer
//	Atom  number of an atom
//	List  index of two cells       head and tail
//	Str   index of a header cell   functor, then the arguments; vectors are structures of the functor {}
//	Box   index of a raw header    strings and integers that do not fit a word
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

// Symbols numbers atoms and functors. Atom 0 is [], atom 1 is {}, the name of vectors.
type Symbols struct {
	names    []string
	atoms    map[string]int
	functors []Functor
	numbers  map[Functor]int
}

// Vector is the atom that names vectors.
const Vector = 1

// NewSymbols returns a table that holds [] and {}.
func NewSymbols() *Symbols {
	s := &Symbols{atoms: map[string]int{}, numbers: map[Functor]int{}}
	s.Atom("[]")
	s.Atom("{}")
	return s
}

// Atom returns the number of the atom of that name.
func (s *Symbols) Atom(name string) int {
	if i, ok := s.atoms[name]; ok {
		return i
	}
	i := len(s.names)
	s.names = append(s.names, name)
	s.atoms[name] = i
	return i
}

// Name returns the name of atom i.
func (s *Symbols) Name(i int) string { return s.names[i] }

// Functor returns the number of the functor name/arity.
func (s *Symbols) Functor(name string, arity int) int { return s.FunctorOf(s.Atom(name), arity) }

// FunctorOf is Functor for a name that is already an atom.
func (s *Symbols) FunctorOf(name, arity int) int {
	f := Functor{name, arity}
	if i, ok := s.numbers[f]; ok {
		return i
	}
	i := len(s.functors)
	s.functors = append(s.functors, f)
	s.numbers[f] = i
	return i
}

// Lookup returns functor number i.
func (s *Symbols) Lookup(i int) Functor { return s.functors[i] }
