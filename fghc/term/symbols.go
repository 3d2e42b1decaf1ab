package term

import (
	"sync"
	"sync/atomic"
)

// Symbols numbers atoms and functors. Atom 0 is [], atom 1 is {}, the name of vectors. The table grows while programs run and is safe for
// concurrent use.
type Symbols struct {
	mu       sync.Mutex
	atoms    map[string]int
	numbers  map[Functor]int
	names    atomic.Pointer[[]string] // replaced by a longer slice, never modified
	functors atomic.Pointer[[]Functor]
}

// Vector is the atom {}, the name of vectors.
const Vector = 1

// NewSymbols returns a table with the atoms [] and {}.
func NewSymbols() *Symbols {
	s := &Symbols{atoms: map[string]int{}, numbers: map[Functor]int{}}
	s.names.Store(new([]string))
	s.functors.Store(new([]Functor))
	s.Atom("[]")
	s.Atom("{}")
	return s
}

// Atom returns the number of an atom, and adds it if necessary.
func (s *Symbols) Atom(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.atoms[name]; ok {
		return i
	}
	names := append(*s.names.Load(), name)
	s.names.Store(&names)
	s.atoms[name] = len(names) - 1
	return len(names) - 1
}

// Name returns the name of atom i.
func (s *Symbols) Name(i int) string { return (*s.names.Load())[i] }

// Functor returns the number of the functor name/arity, and adds it if necessary.
func (s *Symbols) Functor(name string, arity int) int { return s.FunctorOf(s.Atom(name), arity) }

// FunctorOf is like Functor for the number of an atom.
func (s *Symbols) FunctorOf(name, arity int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := Functor{name, arity}
	if i, ok := s.numbers[f]; ok {
		return i
	}
	functors := append(*s.functors.Load(), f)
	s.functors.Store(&functors)
	s.numbers[f] = len(functors) - 1
	return len(functors) - 1
}

// Known returns the number of a functor if the table contains it.
func (s *Symbols) Known(name, arity int) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.numbers[Functor{name, arity}]
	return i, ok
}

// Lookup returns functor number i.
func (s *Symbols) Lookup(i int) Functor { return (*s.functors.Load())[i] }
