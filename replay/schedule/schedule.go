// Package schedule makes programs of the simulated machine from schedules: operations of ranks in a partial order, as in
// GOAL and in execution traces of Chakra.
//
// Each operation becomes a task on the PE of its rank, which begins when all operations that it requires have ended. Operations that are comparable
// with all others of their rank and follow one another become one task, so that a rank whose operations are in order is one task. Receives are
// matched with sends when the program is made.
package schedule

import (
	"cmp"
)

// A Kind is a kind of operations. The ready operations of a rank run in the order in which they became ready, and in
// that of their kinds if they became so together.
type Kind uint8

// The kinds.
const (
	Send Kind = iota
	Recv
	Calc
)

// Any is the peer or the tag of a Recv that takes messages of all, and the tag of a Send that all take.
const Any = -1

// An Op is an operation of a rank.
type Op struct {
	Size int64 // ns of a Calc, bytes of a message
	Tag  int64
	Rank int32
	Peer int32
	Name uint32 // of its function, or of the class of its message, as returned by Schedule.Name
	Kind Kind
}

// A Schedule is a program. The zero Schedule is empty.
type Schedule struct {
	Ranks int
	Ops   []Op
	Where func(op int) string // place of an operation in the files, for errors

	names  []string
	number map[string]uint32
	edges  []edge
}

// An edge is an order of two operations.
type edge struct {
	from, to int32
	start    bool // to waits for the start of from, not for its end
}

// MaxOps is the largest number of operations.
const MaxOps = 1<<31 - 1

// maxNames is the largest number of different names. The others become "other".
const maxNames = 1 << 16

// Name returns the number of the name of a function or of a class of messages.
func (s *Schedule) Name(name string) uint32 {
	n, ok := s.number[name]
	switch {
	case ok:
		return n
	case len(s.names) == maxNames-1 && name != "other":
		return s.Name("other")
	case s.number == nil:
		s.number = map[string]uint32{}
	}
	n = uint32(len(s.names))
	s.number[name] = n
	s.names = append(s.names, name)
	return n
}

// Add adds an operation and returns its number.
func (s *Schedule) Add(op Op) int {
	s.Ops = append(s.Ops, op)
	return len(s.Ops) - 1
}

// Require makes an operation wait for the end of another one of its rank.
func (s *Schedule) Require(op, required int) {
	s.edges = append(s.edges, edge{from: int32(required), to: int32(op)})
}

// RequireStart makes an operation wait for the start of another one of its rank. A Recv starts when it waits for its
// message.
func (s *Schedule) RequireStart(op, required int) {
	s.edges = append(s.edges, edge{from: int32(required), to: int32(op), start: true})
}

// A Requirement is an operation whose end, or only start, another one waits for.
type Requirement struct {
	Op    int32
	Start bool
}

// Requirements returns a function that returns the requirements of an operation, each of them once.
func (s *Schedule) Requirements() func(op int) []Requirement {
	l := listed(len(s.Ops), s.edges, func(e *edge) int32 { return e.to }, func(a, b edge) int { return cmp.Or(cmp.Compare(a.from, b.from), side(a)-side(b)) })
	return func(op int) (all []Requirement) {
		for _, e := range l.edgesOf(int32(op)) {
			if r := (Requirement{e.from, e.start}); len(all) == 0 || all[len(all)-1] != r {
				all = append(all, r)
			}
		}
		return all
	}
}
